package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Turns a mutation into the cells that are written: fills in timestamps, adds up counters, appends
 * values. Reads the row, so the caller holds the row's lock.
 */
public final class MutationResolver {
  private final RegionStores stores;
  private final MutationCheck check;

  public MutationResolver(RegionStores stores, MutationCheck check) {
    this.stores = stores;
    this.check = check;
  }

  /**
   * Returns the cells to write, with final timestamps.
   *
   * @param now replaces the latest timestamp
   */
  public CellBuffer resolve(Mutation mutation, long now, WriteReads reads) throws IOException {
    return resolve(mutation, now, reads, ResolutionListener.NONE);
  }

  /** As {@link #resolve(Mutation, long, WriteReads)}; {@code listener} may decide instead. */
  public CellBuffer resolve(
      Mutation mutation, long now, WriteReads reads, ResolutionListener listener)
      throws IOException {
    return switch (mutation.kind()) {
      case PUT -> stamp(mutation.cells(), now);
      case DELETE -> delete(mutation, now, reads, listener);
      case INCREMENT, APPEND -> modify(mutation, now, reads, listener);
    };
  }

  /**
   * Tells whether a mutation has so few cells that it may be resolved where nothing may take long:
   * for each one the row may be read, and a delete compares them with each other.
   *
   * @param cellsMax the most cells of a mutation that reads; others have any number
   */
  public static boolean readsLittle(Mutation mutation, int cellsMax) {
    return mutation.kind() == Mutation.Kind.PUT
        || mutation.cells().size() <= cellsMax
        || mutation.kind() == Mutation.Kind.DELETE && !meansNewest(mutation.cells());
  }

  private static boolean meansNewest(CellBuffer cells) {
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      if (meansNewest(cells.get(i, cell, 0))) {
        return true;
      }
    }
    return false;
  }

  private static CellBuffer stamp(CellBuffer cells, long now) {
    for (int i = 0; i < cells.size(); i++) {
      cells.stamp(i, now);
    }
    return cells;
  }

  private CellBuffer delete(
      Mutation mutation, long now, WriteReads reads, ResolutionListener listener)
      throws IOException {
    CellBuffer cells = mutation.cells();
    if (cells.isEmpty()) {
      for (Store store : stores.all()) {
        cells.add(
            mutation.row(),
            store.family().name(),
            Bytes.EMPTY,
            now,
            CellType.DELETE_FAMILY.code(),
            Bytes.EMPTY,
            Bytes.EMPTY);
      }
      return cells;
    }
    Cell cell = new Cell();
    // From the last one, so that those before still say that they mean the newest.
    for (int i = cells.size() - 1; i >= 0; i--) {
      cells.get(i, cell, 0);
      if (meansNewest(cell)) {
        OptionalLong given = listener.newestVersion(mutation, cell);
        cells.setTimestamp(
            i, given.isPresent() ? given.getAsLong() : newestVersion(cells, i, now, reads));
      }
    }
    return stamp(cells, now);
  }

  private static boolean meansNewest(Cell cell) {
    return cell.timestamp() == Cell.LATEST_TIMESTAMP && cell.typeCode() == CellType.DELETE.code();
  }

  /**
   * Returns the timestamp of a marker for "the newest version": that of the n-th newest version for
   * the n-th such marker of its column in one mutation; {@code now} if there are fewer versions.
   */
  private long newestVersion(CellBuffer cells, int index, long now, WriteReads reads)
      throws IOException {
    Cell marker = cells.get(index);
    int count = 1;
    Cell other = new Cell();
    for (int i = 0; i < index; i++) {
      cells.get(i, other, 0);
      if (other.sameColumn(marker) && meansNewest(other)) {
        count++;
      }
    }
    CellBuffer found = read(marker, TimeRange.ALL, count, MobOptions.KEYS, reads);
    return found.size() < count ? now : found.get(count - 1).timestamp();
  }

  private CellBuffer modify(
      Mutation mutation, long now, WriteReads reads, ResolutionListener listener)
      throws IOException {
    // In order, because clients search the result.
    CellBuffer cells = mutation.cells().sorted(CellComparator.USER);
    CellBuffer changed = new CellBuffer(cells.byteSize() + 64 * cells.size(), cells.size());
    Cell delta = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, delta, 0);
      CellBuffer found = read(delta, mutation.timeRange(), 1, MobOptions.DEFAULT, reads);
      boolean present = !found.isEmpty();
      long timestamp = delta.timestamp() == Cell.LATEST_TIMESTAMP ? now : delta.timestamp();
      byte[] value = delta.value();
      byte[] tags = delta.tags();
      if (present) {
        Cell current = found.get(0);
        // Newer than the older cell, so that this one is found; its own timestamp does not matter.
        // It would be found with the same one, too: rows that are written so fast that timestamps
        // are shared may have it.
        timestamp = current.timestamp() <= now ? now : current.timestamp() + 1;
        value =
            mutation.kind() == Mutation.Kind.INCREMENT
                ? sum(current, value)
                : Bytes.concat(current.value(), value);
        tags = CellTags.carriedForward(tags, current.tags());
      }
      changed.add(
          mutation.row(),
          delta.family(),
          delta.qualifier(),
          timestamp,
          CellType.PUT.code(),
          value,
          tags);
      if (listener != ResolutionListener.NONE) {
        replaceLast(changed, mutation, found, listener);
      }
      check.size(changed.length(i));
      check.tags(changed.get(i)); // the older cell may come from a foreign file
      check.value(changed.get(i));
    }
    return changed;
  }

  /** Replaces the last of the computed cells by the one that the listener chooses. */
  private static void replaceLast(
      CellBuffer changed, Mutation mutation, CellBuffer found, ResolutionListener listener)
      throws IOException {
    Cell computed = changed.get(changed.size() - 1);
    Optional<Cell> old = found.isEmpty() ? Optional.empty() : Optional.of(found.get(0));
    Cell chosen = listener.computed(mutation, old, computed);
    if (chosen != computed) {
      CellBuffer copy = new CellBuffer(); // the chosen cell may be a part of the buffer
      copy.add(chosen);
      changed.truncate(changed.size() - 1);
      changed.addAll(copy);
    }
  }

  private static byte[] sum(Cell current, byte[] amount) throws InvalidMutationException {
    if (current.valueLength() != Long.BYTES) {
      throw new InvalidMutationException(
          "Field is not a long, it's "
              + current.valueLength()
              + " bytes wide: column "
              + Bytes.toStringBinary(current.family())
              + ":"
              + Bytes.toStringBinary(current.qualifier()));
    }
    return Bytes.ofLong(
        Bytes.getLong(current.bytes(), current.valueOffset()) + Bytes.getLong(amount, 0));
  }

  private static CellBuffer read(
      Cell column, TimeRange timeRange, int versions, MobOptions mob, WriteReads reads)
      throws IOException {
    ScanRequest request =
        ScanRequest.row(column.row())
            .family(column.family(), FamilySelection.of(column.qualifier()))
            .timeRange(timeRange)
            .maxVersions(versions)
            .readUncommitted(true)
            .mob(mob)
            .build();
    return reads.read(request);
  }
}
