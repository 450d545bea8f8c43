package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.explain.ExplainedCell;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.explain.Explanation.ExplainedRow;
import dev.cairn.engine.explain.ScanReport;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.Store;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Random histories under random rules, and random scans that are explained: what is explained as
 * returned is what the same scan returns, and every cell that memory and files hold in the scan's
 * rows is explained once. Set the system property {@code cairn.seed} to run one seed again.
 */
class ExplainModelTest {
  private static final Set<CellOutcome> BY_ANOTHER_CELL =
      EnumSet.of(
          CellOutcome.FAMILY_DELETED,
          CellOutcome.FAMILY_VERSION_DELETED,
          CellOutcome.COLUMN_DELETED,
          CellOutcome.VERSION_DELETED,
          CellOutcome.OVERWRITTEN);

  /** Far apart, so that nothing expires while a test looks: the harness's clock ticks slowly. */
  private static final long[] TIMESTAMPS = {600_000, 700_000, 800_000, 900_000, 1_000_000};

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);

  @RepeatedTest(60)
  void whatIsReturnedAndWhatIsNotIsAllThatThereIs() throws IOException {
    TableSchema schema = TableSchema.of(TableName.parse("t"), randomFamily("f"), randomFamily("g"));
    try (RegionHarness harness = new RegionHarness(schema)) {
      for (int step = 0; step < 150; step++) {
        int dice = random.nextInt(100);
        if (dice < 55) {
          put(harness);
        } else if (dice < 75) {
          delete(harness);
        } else if (dice < 85) {
          harness.region().flush();
        } else if (dice < 88) {
          harness.region().compact(random.nextBoolean());
        } else {
          check(harness, "seed %d, step %d, %s".formatted(seed, step, schema));
        }
      }
    }
  }

  private void check(RegionHarness harness, String where) throws IOException {
    long filterSeed = random.nextInt(3) == 0 ? random.nextLong() : 0;
    ScanRequest.Builder builder = randomRequest();
    String what = where + ", " + builder.build() + ", filter " + filterSeed;
    List<String> returned = new ArrayList<>();
    ScanStatistics statistics;
    try (RegionRead scanner =
        harness.scan(filtered(builder, filterSeed).observer(ScanObserver.METRICS).build())) {
      CellBuffer row = new CellBuffer();
      while (scanner.next(row, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        for (int i = 0; i < row.size(); i++) {
          Cell cell = row.get(i);
          returned.add(text(cell.row(), cell.family(), cell.qualifier(), cell) + value(cell));
        }
        row.clear();
      }
      statistics = scanner.statistics();
    }
    List<String> explainedAsReturned = new ArrayList<>();
    List<String> explained = new ArrayList<>();
    ScanReport report;
    try (Explanation explanation =
        harness.explain(filtered(builder, filterSeed).build(), Integer.MAX_VALUE, 10_000)) {
      Optional<ExplainedRow> row = explanation.next(Long.MAX_VALUE);
      while (row.isPresent()) {
        for (ExplainedCell cell : row.get().cells()) {
          String text = text(row.get().row(), cell);
          explained.add(text + "/" + cell.sequence() + "/" + cell.source());
          if (cell.fate() == CellOutcome.RETURNED) {
            explainedAsReturned.add(text + Bytes.utf8(cell.value()));
          }
          assertThat(cell.culprit().isPresent())
              .as("%s, %s %s", what, text, cell)
              .isEqualTo(BY_ANOTHER_CELL.contains(cell.fate()));
          assertThat(cell.fate() == CellOutcome.ROW_NOT_READ).as("%s, %s", what, cell).isFalse();
        }
        assertThat(row.get().size()).isEqualTo(row.get().cells().size());
        row = explanation.next(Long.MAX_VALUE);
      }
      report = explanation.report();
    }
    assertThat(explainedAsReturned).as(what).isEqualTo(returned);
    List<String> all = everything(harness, builder.build());
    if (report.filterEnded()) {
      assertThat(all).as(what).containsAll(explained);
    } else {
      assertThat(explained).as(what).containsExactlyInAnyOrderElementsOf(all);
    }
    assertThat(report.statistics().fates()).as(what).isEqualTo(statistics.fates());
    assertThat(report.statistics().rowsScanned()).as(what).isEqualTo(statistics.rowsScanned());
    assertThat(report.statistics().rowsFiltered()).as(what).isEqualTo(statistics.rowsFiltered());
    assertThat(report.statistics().files()).as(what).isEqualTo(statistics.files());
    assertThat(report.statistics().reads().blockBytesLookedAt())
        .as(what)
        .isEqualTo(statistics.reads().blockBytesLookedAt());
    assertThat(report.statistics().seeks()).as(what).isEqualTo(statistics.seeks());
  }

  /** Returns all cells of the families and rows that are asked for, wherever they lie. */
  private static List<String> everything(RegionHarness harness, ScanRequest request)
      throws IOException {
    List<String> cells = new ArrayList<>();
    for (Store store : harness.region().stores()) {
      if (!request.families().isEmpty() && !request.families().containsKey(store.family().name())) {
        continue;
      }
      List<StoreSource.Holder> cursors = store.view().openAll();
      for (int i = 0; i < cursors.size(); i++) {
        CellCursor cursor = cursors.get(i).cells();
        boolean on = cursor.seek(Cell.firstOnRow(new byte[] {0}));
        while (on) {
          Cell cell = cursor.cell();
          if (isInRange(cell.row(), request)) {
            cells.add(
                text(cell.row(), cell.family(), cell.qualifier(), cell)
                    + "/"
                    + cell.sequence()
                    + "/"
                    + i);
          }
          on = cursor.next();
        }
        cursor.close();
      }
    }
    return cells;
  }

  private static boolean isInRange(byte[] row, ScanRequest request) {
    byte[] low = request.reversed() ? request.stopRow() : request.startRow();
    byte[] high = request.reversed() ? request.startRow() : request.stopRow();
    boolean includeLow = request.reversed() ? request.includeStop() : request.includeStart();
    boolean includeHigh = request.reversed() ? request.includeStart() : request.includeStop();
    int fromLow = Arrays.compareUnsigned(row, low);
    int fromHigh = high.length == 0 ? -1 : Arrays.compareUnsigned(row, high);
    return (fromLow > 0 || fromLow == 0 && includeLow)
        && (fromHigh < 0 || fromHigh == 0 && includeHigh);
  }

  private ScanRequest.Builder randomRequest() {
    ScanRequest.Builder builder = ScanRequest.builder();
    boolean reversed = random.nextInt(4) == 0;
    if (random.nextInt(3) == 0) {
      builder = ScanRequest.row(row());
    } else {
      byte[] one = random.nextInt(3) == 0 ? Bytes.EMPTY : row();
      byte[] other = random.nextInt(3) == 0 ? Bytes.EMPTY : row();
      boolean swap =
          one.length > 0 && other.length > 0 && Arrays.compareUnsigned(one, other) > 0 != reversed;
      builder
          .start(swap ? other : one, random.nextInt(4) != 0)
          .stop(swap ? one : other, random.nextBoolean())
          .reversed(reversed);
    }
    boolean raw = random.nextInt(6) == 0;
    builder.raw(raw).maxVersions(random.nextBoolean() ? 1 : 1 + random.nextInt(4));
    if (random.nextInt(3) == 0) {
      builder.timeRange(randomRange());
    }
    if (random.nextInt(3) == 0) {
      FamilySelection selection = FamilySelection.ALL;
      if (!raw && random.nextBoolean()) {
        selection =
            random.nextBoolean()
                ? FamilySelection.of(qualifier())
                : FamilySelection.of(qualifier(), qualifier());
      }
      builder.family(random.nextBoolean() ? F : G, selection);
    }
    if (random.nextInt(5) == 0) {
      builder.cellsPerFamily(1 + random.nextInt(3), random.nextInt(3));
    }
    return builder.loadFamiliesOnDemand(random.nextBoolean());
  }

  private TimeRange randomRange() {
    long from = TIMESTAMPS[random.nextInt(TIMESTAMPS.length)];
    return new TimeRange(
        random.nextBoolean() ? 0 : from,
        random.nextBoolean() ? Long.MAX_VALUE : from + 1 + 100_000L * random.nextInt(3));
  }

  private static ScanRequest.Builder filtered(ScanRequest.Builder builder, long filterSeed) {
    return filterSeed == 0
        ? builder
        : builder.build().toBuilder().filter(new RandomFilter(filterSeed));
  }

  private FamilySchema randomFamily(String name) {
    Map<String, String> attributes = new TreeMap<>();
    int versions = 1 + random.nextInt(3);
    attributes.put("VERSIONS", Integer.toString(versions));
    attributes.put("BLOCKSIZE", "256");
    attributes.put("BLOOMFILTER", List.of("NONE", "ROW", "ROWCOL").get(random.nextInt(3)));
    attributes.put("NEW_VERSION_BEHAVIOR", Boolean.toString(random.nextInt(3) == 0));
    if (random.nextInt(3) == 0) {
      attributes.put("TTL", "350"); // between two of the timestamps
      attributes.put("MIN_VERSIONS", Integer.toString(random.nextInt(versions)));
    }
    attributes.put(
        "KEEP_DELETED_CELLS", List.of("FALSE", "FALSE", "TRUE", "TTL").get(random.nextInt(4)));
    return FamilySchema.of(name, attributes);
  }

  private void put(RegionHarness harness) throws IOException {
    byte[] row = row();
    CellBuffer cells = new CellBuffer();
    for (int i = random.nextInt(3); i >= 0; i--) {
      byte[] tags =
          random.nextInt(8) == 0
              ? CellTags.withTtl(Bytes.EMPTY, 50_000 + 100_000L * random.nextInt(4))
              : Bytes.EMPTY;
      cells.add(
          row,
          random.nextBoolean() ? F : G,
          qualifier(),
          TIMESTAMPS[random.nextInt(TIMESTAMPS.length)],
          CellType.PUT.code(),
          Bytes.utf8("v" + random.nextInt(1000)),
          tags);
    }
    RegionHarness.done(harness.mutate(List.of(Mutation.put(row, cells))));
  }

  private void delete(RegionHarness harness) throws IOException {
    CellType type =
        List.of(
                CellType.DELETE,
                CellType.DELETE_COLUMN,
                CellType.DELETE_FAMILY,
                CellType.DELETE_FAMILY_VERSION)
            .get(random.nextInt(4));
    boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
    RegionHarness.done(
        harness.mutate(
            List.of(
                RegionHarness.deleteOf(
                    Bytes.utf8(row()),
                    random.nextBoolean() ? F : G,
                    ofFamily ? "" : Bytes.utf8(qualifier()),
                    TIMESTAMPS[random.nextInt(TIMESTAMPS.length)],
                    type))));
  }

  private byte[] row() {
    return Bytes.utf8("r" + random.nextInt(6));
  }

  private byte[] qualifier() {
    return Bytes.utf8(random.nextInt(10) == 0 ? "" : "q" + random.nextInt(4));
  }

  private static String text(byte[] row, byte[] family, byte[] qualifier, Cell cell) {
    return text(row, family, qualifier, cell.timestamp(), cell.typeCode());
  }

  private static String text(byte[] row, ExplainedCell cell) {
    return text(row, cell.family(), cell.qualifier(), cell.timestamp(), cell.type());
  }

  private static String text(
      byte[] row, byte[] family, byte[] qualifier, long timestamp, int type) {
    return "%s/%s:%s/%d/%d="
        .formatted(Bytes.utf8(row), Bytes.utf8(family), Bytes.utf8(qualifier), timestamp, type);
  }

  private static String value(Cell cell) {
    return Bytes.utf8(cell.value());
  }

  /** A filter that decides by chance, but about the same cell always the same. */
  private static final class RandomFilter implements ScanFilter {
    private final long seed;
    private final int rowPercent;
    private final int keyPercent;
    private final boolean wholeRow;
    private final int cellsMax;
    private byte[] row = Bytes.EMPTY;
    private int cells;

    RandomFilter(long seed) {
      Random random = new Random(seed);
      this.seed = seed;
      this.rowPercent = random.nextBoolean() ? 0 : 30;
      this.keyPercent = random.nextBoolean() ? 0 : 30;
      this.wholeRow = random.nextInt(3) == 0;
      this.cellsMax = random.nextInt(4) == 0 ? 1 + random.nextInt(10) : Integer.MAX_VALUE;
    }

    private Random dice(byte[] bytes, int salt) {
      return new Random(seed * 31 + Arrays.hashCode(bytes) * 17L + salt);
    }

    @Override
    public void reset() {}

    @Override
    public boolean filterAllRemaining() {
      return cells >= cellsMax;
    }

    @Override
    public boolean filterRowKey(Cell first) {
      row = first.row();
      return dice(row, 1).nextInt(100) < keyPercent;
    }

    @Override
    public Decision filterCell(Cell cell) {
      cells++;
      int dice = dice((cell.toString() + new String(cell.value())).getBytes(), 2).nextInt(100);
      if (dice < 60) {
        return Decision.INCLUDE;
      }
      Decision[] decisions = Decision.values();
      return decisions[dice % decisions.length];
    }

    @Override
    public Cell transform(Cell cell) {
      return cell;
    }

    @Override
    public Optional<Cell> hint(Cell cell) {
      Random dice = dice((cell.toString() + new String(cell.value())).getBytes(), 3);
      return switch (dice.nextInt(3)) {
        case 0 -> Optional.empty();
        case 1 ->
            Optional.of(
                Cell.firstOnColumn(cell.row(), cell.family(), Bytes.utf8("q" + dice.nextInt(5))));
        default -> Optional.of(Cell.firstOnRow(Bytes.utf8("r" + dice.nextInt(7))));
      };
    }

    @Override
    public boolean needsWholeRow() {
      return wholeRow;
    }

    @Override
    public CellBuffer filterRowCells(CellBuffer cellsOfRow) {
      CellBuffer left = new CellBuffer();
      for (int i = 0; i < cellsOfRow.size(); i++) {
        if (dice(row, 10 + i).nextInt(4) != 0) {
          left.add(cellsOfRow.get(i));
        }
      }
      return left;
    }

    @Override
    public boolean filterRow() {
      return dice(row, 4).nextInt(100) < rowPercent;
    }

    @Override
    public boolean isFamilyEssential(byte[] family) {
      return Arrays.equals(family, F);
    }
  }
}
