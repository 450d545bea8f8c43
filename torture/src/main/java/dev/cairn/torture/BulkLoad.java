package dev.cairn.torture;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Difference;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * A bulk load of one region, of one file per family. If it fails or the process ends, all of its
 * cells are visible afterwards, or none.
 *
 * @param changes the cells, as puts
 * @param step the number of the step; no other step has a load with it
 */
record BulkLoad(HostedRegion region, List<Change> changes, long step) {
  private static final int ROWS_MAX = 4;
  private static final int COLUMNS_MAX = 3;

  /**
   * Draws a load. Some have rows of other regions.
   *
   * @return a load, whose changes may be empty
   */
  static BulkLoad of(HostedRegion region, RandomRequests requests) {
    RandomGenerator random = requests.random();
    boolean anyRow = random.nextInt(8) == 0;
    Set<String> rows = new TreeSet<>();
    for (int i = 1 + random.nextInt(ROWS_MAX); i > 0; i--) {
      String row = requests.row();
      if (anyRow || region.contains(row)) {
        rows.add(row);
      }
    }
    List<Change> changes = new ArrayList<>();
    for (String row : rows) {
      changes.add(
          new Change(
              Mutation.Kind.PUT,
              row,
              parts(requests),
              Mutation.Durability.SYNC_WAL,
              TimeRange.ALL,
              false));
    }
    return new BulkLoad(region, List.copyOf(changes), requests.step());
  }

  private static List<Change.Part> parts(RandomRequests requests) {
    RandomGenerator random = requests.random();
    Set<String> columns = new TreeSet<>();
    List<Change.Part> parts = new ArrayList<>();
    for (int i = 1 + random.nextInt(COLUMNS_MAX); i > 0; i--) {
      String family = Text.of(requests.family().name());
      String column = requests.column();
      if (columns.add(family + ":" + column)) {
        long time = requests.now() / 1000 * 1000 - random.nextInt(8) * 1000L;
        String value = mark(requests.step()) + i;
        parts.add(new Change.Part(family, column, time, CellType.PUT, value, List.of()));
      }
    }
    return parts;
  }

  /** Returns the beginning of the values of a load's cells. */
  static String mark(long step) {
    return "load " + step + ".";
  }

  /** Tells whether all rows belong to the region. */
  boolean fits() {
    return changes.stream().allMatch(change -> region.contains(change.row()));
  }

  /** Writes the files and loads them. */
  BulkLoadOutcome run(Server server, RandomGenerator random) throws IOException {
    TableSchema schema = region.model().schema();
    List<BulkLoadRequest.File> files = new ArrayList<>();
    for (FamilySchema family : schema.families()) {
      List<Cell> cells = cells(family, region.info().comparator());
      if (!cells.isEmpty()) {
        String path = "staging/" + step + "/" + family.nameAsString();
        IndexedColumns indexed =
            random.nextBoolean() ? IndexedColumns.NONE : schema.indexes().columns(family.name());
        server.engine().writeFile(path, family, region.info().comparator(), cells, indexed);
        files.add(new BulkLoadRequest.File(family.name(), path));
      }
    }
    return region
        .region()
        .bulkLoad(
            new BulkLoadRequest(
                Long.toHexString(step),
                files,
                BulkLoadRequest.Sequence.NEW,
                random.nextBoolean() ? BulkLoadRequest.Check.ALL : BulkLoadRequest.Check.ENDS));
  }

  private List<Cell> cells(FamilySchema family, CellComparator order) {
    List<Cell> cells = new ArrayList<>();
    for (Change change : changes) {
      for (Change.Part part : change.cells()) {
        if (part.family().equals(Text.of(family.name()))) {
          cells.add(
              Cell.put(
                  Text.bytes(change.row()),
                  family.name(),
                  Text.bytes(part.qualifier()),
                  part.timestamp(),
                  Text.bytes(part.value())));
        }
      }
    }
    cells.sort(order::compare);
    return cells;
  }

  /**
   * Checks the load before a compaction or a later write.
   *
   * @throws Difference if some of its cells are visible, and others are not
   */
  void checkWholeOrAbsent(Server server) throws IOException {
    Set<String> lasting =
        region.model().schema().families().stream()
            .filter(family -> family.attribute("TTL").isEmpty())
            .map(family -> Text.of(family.name()))
            .collect(Collectors.toSet());
    long all =
        changes.stream()
            .flatMap(change -> change.cells().stream())
            .filter(part -> lasting.contains(part.family()))
            .count();
    long visible = 0;
    for (HostedRegion part : server.regionsOf(region.model())) {
      for (List<Version> row :
          Scans.rows(part, Query.EVERYTHING, () -> ReadBudget.WHOLE_ROWS).values()) {
        visible +=
            row.stream()
                .filter(cell -> lasting.contains(cell.family()))
                .filter(cell -> cell.value().startsWith(mark(step)))
                .count();
      }
    }
    if (visible != 0 && visible != all) {
      throw new Difference(
          "%d of the %d cells of a bulk load are visible: %s".formatted(visible, all, changes));
    }
  }
}
