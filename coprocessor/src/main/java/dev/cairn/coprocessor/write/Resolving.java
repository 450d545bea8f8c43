package dev.cairn.coprocessor.write;

import dev.cairn.coprocessor.convert.Cells;
import dev.cairn.coprocessor.convert.ShownMutation;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.ResolutionListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Pair;

/** Calls hooks while mutations are resolved to their final cells. One thread. */
final class Resolving implements ResolutionListener {
  private final WriteHooks hooks;
  private final Map<Mutation, ShownMutation> shown = new IdentityHashMap<>();

  /** The previous cell for each computed cell of a mutation; null where there was none. */
  private final Map<Mutation, List<org.apache.hadoop.hbase.Cell>> present = new IdentityHashMap<>();

  Resolving(WriteHooks hooks) {
    this.hooks = hooks;
  }

  /** Records a mutation that is about to be resolved. */
  void expect(Mutation asked, ShownMutation mutation) {
    shown.put(asked, mutation);
  }

  @Override
  public Cell computed(Mutation mutation, Optional<Cell> old, Cell computed) throws IOException {
    if (old.isEmpty()) {
      shown.get(mutation).stamp(computed);
    }
    if (hooks.seesComputed(shown.get(mutation).shown())) {
      present
          .computeIfAbsent(mutation, key -> new ArrayList<>())
          .add(old.isPresent() ? view(old.get()) : null);
    }
    return computed;
  }

  private static org.apache.hadoop.hbase.Cell view(Cell cell) {
    CellBuffer copy = new CellBuffer(cell.serializedLength(true), 1);
    copy.add(cell);
    return Cells.views(copy).get(0);
  }

  @Override
  public OptionalLong newestVersion(Mutation delete, Cell marker) throws IOException {
    if (!hooks.choosesVersions()) {
      return OptionalLong.empty();
    }
    org.apache.hadoop.hbase.Cell shownMarker = view(marker);
    boolean chosen =
        hooks.choosesVersion(shown.get(delete).shown(), shownMarker, count(delete, marker));
    return chosen ? OptionalLong.of(shownMarker.getTimestamp()) : OptionalLong.empty();
  }

  /** Returns the position of a marker among the markers of its column, from 1. */
  private static int count(Mutation delete, Cell marker) {
    CellBuffer cells = delete.cells();
    Cell other = new Cell();
    int count = 1;
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, other, 0);
      if (other.bytes() == marker.bytes() && other.rowOffset() == marker.rowOffset()) {
        break;
      }
      if (other.timestamp() == Cell.LATEST_TIMESTAMP
          && other.typeCode() == marker.typeCode()
          && other.sameColumn(marker)) {
        count++;
      }
    }
    return count;
  }

  /**
   * Returns the cells to write for an increment or append: hooks may replace them.
   *
   * @param resolved has the computed cells in order
   */
  Mutation replaced(Mutation asked, Mutation resolved) throws IOException {
    List<org.apache.hadoop.hbase.Cell> before = present.get(asked);
    if (before == null) {
      return resolved;
    }
    org.apache.hadoop.hbase.client.Mutation mutation = shown.get(asked).shown();
    CellBuffer written = new CellBuffer();
    List<org.apache.hadoop.hbase.Cell> computed = Cells.views(resolved.cells());
    for (int i = 0; i < computed.size(); ) {
      List<Pair<org.apache.hadoop.hbase.Cell, org.apache.hadoop.hbase.Cell>> family =
          new ArrayList<>();
      int first = i;
      while (i < computed.size() && CellUtil.matchingFamily(computed.get(first), computed.get(i))) {
        family.add(new Pair<>(before.get(i), computed.get(i)));
        i++;
      }
      for (var pair : hooks.computed(mutation, family)) {
        Cells.add(pair.getSecond(), written);
      }
    }
    return resolved.withCells(written);
  }
}
