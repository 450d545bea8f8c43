package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.ofRows;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Keeps scans open while the region is written, flushed and compacted. Each must return the same
 * cells as a scan that was opened and read to its end at the same moment. Set the system property
 * {@code cairn.seed} to repeat a run.
 */
class FlushUnderScansTest {
  private static final List<String> FAMILIES = List.of("f", "g", "h", "i");
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("VERSIONS", "3", "BLOCKSIZE", "128")),
          FamilySchema.of(
              "g", Map.of("IS_MOB", "true", "MOB_THRESHOLD", "20", "BLOOMFILTER", "ROWCOL")),
          FamilySchema.of(
              "h",
              Map.of(
                  "VERSIONS",
                  "2",
                  "NEW_VERSION_BEHAVIOR",
                  "true",
                  "DATA_BLOCK_ENCODING",
                  "FAST_DIFF")),
          FamilySchema.of(
              "i", Map.of("TTL", "5", "MIN_VERSIONS", "1", "KEEP_DELETED_CELLS", "TRUE")));

  private static final int STEPS = 1200;
  private static final int OPEN_MAX = 12;

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final List<OpenScan> open = new ArrayList<>();
  private int step;
  private int finished;

  /** An open scan and the cells that it must still return. */
  private record OpenScan(
      String what, RegionRead scanner, ScanRequest request, List<String> expected) {}

  @RepeatedTest(4)
  void anOpenScanReturnsWhatItSawAtItsBegin() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.clock.stop();
      for (step = 0; step < STEPS; step++) {
        int dice = random.nextInt(100);
        if (dice < 45) {
          write(harness);
        } else if (dice < 58) {
          delete(harness);
        } else if (dice < 68) {
          if (open.size() < OPEN_MAX) {
            open.add(open(harness));
          }
        } else if (dice < 88) {
          if (!open.isEmpty()) {
            goOn(harness, open.get(random.nextInt(open.size())));
          }
        } else if (dice < 95) {
          harness.region().flush(scope(harness));
        } else if (dice < 96) {
          open.forEach(scan -> scan.scanner().suspend());
        } else if (dice < 98) {
          harness.region().compact(random.nextBoolean());
        } else {
          harness.clock.advance(random.nextInt(1500));
        }
      }
      while (!open.isEmpty()) {
        goOn(harness, open.get(0));
      }
      assertThat(finished).isPositive();
      assertThat(harness.region().statistics().flushedBytesInUse()).isZero();
    }
  }

  private FlushScope scope(RegionHarness harness) {
    return random.nextBoolean()
        ? FlushScope.ALL
        : new FlushScope.Families(List.of(Bytes.utf8(family())));
  }

  private void write(RegionHarness harness) throws IOException {
    for (int i = random.nextInt(3); i >= 0; i--) {
      String row = row();
      CellBuffer cells = new CellBuffer();
      for (int cell = random.nextInt(6); cell >= 0; cell--) {
        byte[] value = Bytes.utf8("v".repeat(random.nextInt(40)) + random.nextInt());
        cells.add(
            Cell.put(Bytes.utf8(row), Bytes.utf8(family()), qualifier(), time(harness), value));
      }
      RegionHarness.done(harness.mutate(List.of(Mutation.put(Bytes.utf8(row), cells))));
    }
  }

  private void delete(RegionHarness harness) throws IOException {
    CellType[] types = {
      CellType.DELETE,
      CellType.DELETE_COLUMN,
      CellType.DELETE_FAMILY,
      CellType.DELETE_FAMILY_VERSION
    };
    CellType type = types[random.nextInt(types.length)];
    boolean ofColumn = type == CellType.DELETE || type == CellType.DELETE_COLUMN;
    String qualifier = ofColumn ? Bytes.utf8(qualifier()) : "";
    RegionHarness.done(
        harness.mutate(
            List.of(deleteOf(row(), Bytes.utf8(family()), qualifier, time(harness), type))));
  }

  private String row() {
    return "r%02d".formatted(random.nextInt(12));
  }

  private String family() {
    return FAMILIES.get(random.nextInt(FAMILIES.size()));
  }

  private byte[] qualifier() {
    return Bytes.utf8("q" + random.nextInt(8));
  }

  private long time(RegionHarness harness) {
    return harness.clock.currentTimeMillis() - 500L * random.nextInt(16);
  }

  private OpenScan open(RegionHarness harness) throws IOException {
    long requestSeed = random.nextLong();
    ScanRequest request = request(requestSeed, harness);
    String what = "seed " + seed + ", opened at step " + step + ": " + request;
    List<String> expected = new ArrayList<>();
    try (RegionRead twin = harness.scan(request(requestSeed, harness))) {
      ScanProgress progress;
      CellBuffer out = new CellBuffer();
      do {
        progress = twin.next(out, ReadBudget.WHOLE_ROWS);
      } while (progress != ScanProgress.END);
      add(out, expected);
    }
    return new OpenScan(what, opened(harness, request), request, expected);
  }

  /** Opens the scan without waiting, if possible. */
  private RegionRead opened(RegionHarness harness, ScanRequest request) throws IOException {
    if (request.filter().isEmpty() && random.nextBoolean()) {
      RegionRead free = harness.scanAtOnce(request);
      if (free.hold()) {
        return free;
      }
      free.close();
    }
    return harness.scan(request);
  }

  private ScanRequest request(long requestSeed, RegionHarness harness) {
    Random own = new Random(requestSeed);
    ScanRequest.Builder request =
        ScanRequest.builder()
            .maxVersions(1 + own.nextInt(4))
            .reversed(own.nextInt(3) == 0)
            .cacheBlocks(own.nextBoolean());
    if (own.nextInt(4) == 0) {
      request.observer(ScanObserver.METRICS);
    }
    boolean raw = own.nextInt(6) == 0;
    request.raw(raw);
    for (String family : FAMILIES) {
      if (own.nextBoolean()) {
        boolean columns = !raw && own.nextInt(3) == 0;
        request.family(
            Bytes.utf8(family),
            columns
                ? FamilySelection.of(
                    Bytes.utf8("q" + own.nextInt(8)), Bytes.utf8("q" + own.nextInt(8)))
                : FamilySelection.ALL);
      }
    }
    if (own.nextInt(4) == 0) {
      long from = harness.clock.currentTimeMillis() - 500L * own.nextInt(16);
      request.timeRange(new TimeRange(from, from + 500L * (1 + own.nextInt(16))));
    }
    if (own.nextInt(4) == 0) {
      request.cellsPerFamily(1 + own.nextInt(4), own.nextInt(3));
    }
    if (own.nextInt(3) == 0) {
      request
          .filter(new ChoosyFilter(own.nextLong(), own.nextInt(3) == 0))
          .loadFamiliesOnDemand(own.nextBoolean());
    }
    return request.build();
  }

  /** Makes one call of a scan and compares its result. */
  private void goOn(RegionHarness harness, OpenScan scan) throws IOException {
    boolean wholeRows = scan.request().filter().map(ScanFilter::needsWholeRow).orElse(false);
    long deadline =
        random.nextInt(3) == 0 ? harness.clock.nanoTime() - 1 : Long.MAX_VALUE; // stops soon
    ReadBudget limits =
        new ReadBudget(
            !wholeRows && random.nextBoolean() ? 1 + random.nextInt(3) : -1,
            random.nextBoolean() ? 1 + random.nextInt(300) : -1,
            deadline,
            random.nextInt(4) > 0);
    if (random.nextInt(4) == 0 && scan.scanner().peek(limits) == ScanProgress.END) {
      assertThat(scan.expected()).as("%s, step %d", scan.what(), step).isEmpty();
    }
    CellBuffer out = new CellBuffer();
    ScanProgress progress =
        random.nextBoolean()
            ? scan.scanner().next(out, limits)
            : scan.scanner().nextRows(out, new RowSizes(), ofRows(1 + random.nextInt(4), limits));
    List<String> came = new ArrayList<>();
    add(out, came);
    List<String> expected = scan.expected();
    assertThat(came)
        .as("%s, step %d", scan.what(), step)
        .isEqualTo(expected.subList(0, Math.min(came.size(), expected.size())));
    expected.subList(0, came.size()).clear();
    if (progress == ScanProgress.END) {
      assertThat(expected).as("%s, step %d", scan.what(), step).isEmpty();
      scan.scanner().close();
      open.remove(scan);
      finished++;
    }
  }

  private static void add(CellBuffer cells, List<String> texts) {
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      texts.add(cell.copyOfKey() + "=" + Bytes.utf8(cell.value()));
    }
  }

  /** Decides by the bytes of a cell and by the number of cells it has seen in the row. */
  private static final class ChoosyFilter implements ScanFilter {
    private final long seed;
    private final boolean wholeRow;
    private int seen;

    ChoosyFilter(long seed, boolean wholeRow) {
      this.seed = seed;
      this.wholeRow = wholeRow;
    }

    @Override
    public void reset() {
      seen = 0;
    }

    @Override
    public boolean filterAllRemaining() {
      return false;
    }

    @Override
    public boolean filterRowKey(Cell first) {
      return dice(Cell.firstOnRow(first.row()), 5) == 0;
    }

    @Override
    public Decision filterCell(Cell cell) {
      seen++;
      return switch (dice(cell, 14)) {
        case 0 -> Decision.NEXT_ROW;
        case 1 -> Decision.NEXT_COLUMN;
        case 2 -> Decision.INCLUDE_AND_NEXT_COLUMN;
        case 3 -> Decision.INCLUDE_AND_NEXT_ROW;
        case 4 -> Decision.SEEK_TO_HINT;
        case 5 -> Decision.SKIP;
        default -> Decision.INCLUDE;
      };
    }

    private int dice(Cell cell, int sides) {
      long hash = seed + seen;
      for (byte b : cell.copyOfKey().bytes()) {
        hash = hash * 31 + b;
      }
      return (int) Math.floorMod(hash ^ hash >>> 17, (long) sides);
    }

    @Override
    public Cell transform(Cell cell) {
      return dice(cell, 2) == 0
          ? cell
          : Cell.put(cell.row(), cell.family(), cell.qualifier(), cell.timestamp(), new byte[0]);
    }

    @Override
    public Optional<Cell> hint(Cell cell) {
      byte[] row = dice(cell, 3) == 0 ? Bytes.utf8("r06") : cell.row();
      return Optional.of(Cell.firstOnColumn(row, cell.family(), Bytes.utf8("q5")));
    }

    @Override
    public boolean needsWholeRow() {
      return wholeRow;
    }

    @Override
    public CellBuffer filterRowCells(CellBuffer row) {
      return row;
    }

    @Override
    public boolean filterRow() {
      return wholeRow && seen % 3 == 0;
    }

    @Override
    public boolean isFamilyEssential(byte[] family) {
      return family[0] == 'f' || family[0] == 'h';
    }
  }
}
