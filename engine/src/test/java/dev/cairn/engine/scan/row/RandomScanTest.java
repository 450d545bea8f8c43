package dev.cairn.engine.scan.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.ListCursor;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.cursor.SpoilingCursor;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.hostile.HostileBytes;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.DeleteRules;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ReferenceScan;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.TestFilter;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.scan.retention.CompactionCursor;
import dev.cairn.engine.scan.retention.CompactionCursor.Mode;
import dev.cairn.engine.scan.retention.ReadHorizon;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random cells under random schemas, spread over random sources, read by random requests and
 * rewritten by flushes and compactions, against {@link ReferenceScan}. A failure names its seed.
 */
@Tag("forms")
class RandomScanTest {
  private static final long NOW = 1_000_000;
  private static final long SECOND = 1000;
  private static final int ROUNDS = Effort.rounds(200, 30_000);

  @Test
  void scansAgreeWithTheReference() throws IOException {
    for (long seed = 1; seed <= ROUNDS; seed++) {
      World world = new World(seed);
      List<Cell> written = world.write(60);
      List<List<Cell>> sources = world.spread(written);
      for (int i = 0; i < 6; i++) {
        world.check(world.request(true, true), sources, written, "scan " + i);
      }
    }
  }

  @Test
  void flushesAndMinorCompactionsAreInvisible() throws IOException {
    for (long seed = 1; seed <= ROUNDS; seed++) {
      World world = new World(seed);
      List<Cell> written = world.write(60);
      List<List<Cell>> sources = world.spread(written);
      long oldest = world.random.nextInt((int) world.sequence + 1);
      int kept = world.random.nextInt(sources.size());
      List<List<Cell>> compacted = new ArrayList<>();
      compacted.add(sources.get(kept));
      List<Cell> merged = new ArrayList<>();
      for (int i = 0; i < sources.size(); i++) {
        if (i != kept) {
          merged.addAll(sources.get(i));
        }
      }
      Mode mode = world.random.nextBoolean() ? Mode.FLUSH : Mode.MINOR;
      compacted.add(world.compact(merged, mode, oldest, 0));
      // Whatever is written later acts on what was rewritten as on what was not.
      List<Cell> later = world.write(15);
      compacted.add(later);
      List<Cell> all = new ArrayList<>(written);
      all.addAll(later);
      for (int i = 0; i < 4; i++) {
        world.readPoint = oldest + world.random.nextInt((int) (world.sequence - oldest) + 1);
        world.check(world.request(false, true), compacted, all, mode + " at " + oldest);
      }
    }
  }

  @Test
  void aMajorCompactionIsInvisibleAtTheTimeItRuns() throws IOException {
    for (long seed = 1; seed <= ROUNDS; seed++) {
      World world = new World(seed);
      List<Cell> written = world.write(60);
      long oldest = world.random.nextInt((int) world.sequence + 1);
      long purgeAfter = world.random.nextBoolean() ? 0 : world.random.nextInt(6) * SECOND;
      List<List<Cell>> compacted = List.of(world.compact(written, Mode.MAJOR, oldest, purgeAfter));
      for (int i = 0; i < 4; i++) {
        world.readPoint = oldest + world.random.nextInt((int) (world.sequence - oldest) + 1);
        world.check(world.request(false, false), compacted, written, "major at " + oldest);
      }
    }
  }

  @Test
  void withNewVersionBehaviorAMajorCompactionIsInvisibleForEver() throws IOException {
    for (long seed = 1; seed <= ROUNDS; seed++) {
      World world = new World(seed, true);
      List<Cell> written = world.write(60);
      long oldest = world.random.nextInt((int) world.sequence + 1);
      List<Cell> compacted = world.compact(written, Mode.MAJOR, oldest, 0);
      List<Cell> later = world.write(30);
      List<Cell> all = new ArrayList<>(written);
      all.addAll(later);
      for (int i = 0; i < 4; i++) {
        world.readPoint = oldest + world.random.nextInt((int) (world.sequence - oldest) + 1);
        world.check(
            world.request(false, false), List.of(later, compacted), all, "major at " + oldest);
      }
    }
  }

  /** One seed's schemas, writes and requests. */
  private static final class World {
    private final long seed;
    private final Random random;
    private final List<FamilySchema> families = new ArrayList<>();
    private final BlockCache cache = new BlockCache(1 << 20, Runnable::run);

    /** The number of rows; with the next field, many short rows or few long ones. */
    private final int rows;

    private final int columns;

    /** Draws the rows and qualifiers. */
    private final HostileBytes keys;

    /** One in this many cells is a marker, one in twice as many has a time to live of its own. */
    private final int puts;

    /** True if most rows have all their cells in one source. */
    private final boolean rowsApart;

    private final RestlessClock clock = new RestlessClock();

    /** One scanner for all reads, as if nothing were left in it of those before. */
    private final RowScanner used = new RowScanner(CellComparator.USER, clock);

    private long sequence;
    private long readPoint = Long.MAX_VALUE;

    World(long seed) {
      this(seed, false);
    }

    World(long seed, boolean writeOrder) {
      this.seed = seed;
      this.random = new Random(seed);
      for (String name : random.nextBoolean() ? List.of("a") : List.of("a", "b", "cc")) {
        Map<String, String> attributes = new TreeMap<>();
        int versions = 1 + random.nextInt(3);
        attributes.put("VERSIONS", "" + versions);
        attributes.put("BLOCKSIZE", "" + (random.nextBoolean() ? 150 : 1000));
        if (random.nextInt(4) == 0) {
          attributes.put("TTL", "" + (2 + random.nextInt(8)));
          attributes.put("MIN_VERSIONS", "" + random.nextInt(versions + 1));
        }
        if (writeOrder || random.nextInt(4) == 0) {
          attributes.put("NEW_VERSION_BEHAVIOR", "true");
        }
        if (random.nextInt(3) == 0) {
          attributes.put("KEEP_DELETED_CELLS", random.nextBoolean() ? "TRUE" : "TTL");
        }
        families.add(FamilySchema.of(name, attributes));
      }
      this.rows = random.nextInt(3) == 0 ? 2 : 6;
      this.columns = random.nextBoolean() ? 4 : rows == 2 ? 60 : 15;
      this.keys = HostileBytes.draw(random, rows, columns);
      this.puts = random.nextBoolean() ? 4 : 25;
      this.rowsApart = random.nextBoolean();
    }

    List<Cell> write(int cells) {
      List<Cell> written = new ArrayList<>();
      while (written.size() < (rows == 2 ? 2 * cells : cells)) {
        sequence++;
        byte[] row = keys.row(random);
        Map<Cell, Cell> mutation = new TreeMap<>(CellComparator.USER);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          Cell cell = cell(row, written.size() + mutation.size());
          mutation.putIfAbsent(cell, cell);
        }
        written.addAll(mutation.keySet());
      }
      return written;
    }

    private Cell cell(byte[] row, int number) {
      int type = CellType.PUT.code();
      if (random.nextInt(puts) == 0) {
        type = new int[] {8, 10, 12, 14}[random.nextInt(4)];
      }
      boolean ofFamily = type == 10 || type == 14;
      int column = random.nextInt(columns);
      byte[] tags = Bytes.EMPTY;
      if (random.nextInt(puts * 2) == 0) {
        tags = Bytes.concat(new byte[] {0, 9, 8}, Bytes.ofLong(random.nextInt(10) * SECOND));
      }
      return Cell.of(
          row,
          families.get(random.nextInt(families.size())).name(),
          ofFamily ? Bytes.EMPTY : keys.qualifier(column),
          NOW - random.nextInt(10) * SECOND,
          type,
          CellType.isDelete(type) ? Bytes.EMPTY : Bytes.ofInt((int) sequence * 100 + number % 100),
          tags,
          sequence);
    }

    List<List<Cell>> spread(List<Cell> cells) {
      List<List<Cell>> sources = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        sources.add(new ArrayList<>());
      }
      for (Cell cell : cells) {
        int any = random.nextInt(sources.size());
        int ofRow = Math.floorMod(Arrays.hashCode(cell.row()), sources.size());
        sources.get(rowsApart && random.nextInt(10) > 0 ? ofRow : any).add(cell);
      }
      return sources;
    }

    List<Cell> compact(List<Cell> cells, Mode mode, long oldest, long purgeAfter)
        throws IOException {
      List<Cell> survivors = new ArrayList<>();
      for (FamilySchema family : families) {
        try (CompactionCursor cursor =
            new CompactionCursor(
                open(cells, family),
                family,
                mode,
                NOW,
                oldest,
                purgeAfter,
                Long.MIN_VALUE,
                DeleteRules.OF_FAMILIES)) {
          while (cursor.next()) {
            survivors.add(cursor.cell().copy());
          }
        }
      }
      assertThat(survivors.size()).isLessThanOrEqualTo(cells.size());
      return survivors;
    }

    /**
     * Makes a request.
     *
     * @param anyRange whether it may ask for the past, which a major compaction may have removed
     */
    ScanRequest request(boolean mayBeRaw, boolean anyRange) {
      boolean raw = mayBeRaw && random.nextInt(6) == 0;
      ScanRequest.Builder builder =
          ScanRequest.builder()
              .reversed(random.nextInt(3) == 0)
              .maxVersions(random.nextBoolean() ? 1 : 1 + random.nextInt(4))
              .loadFamiliesOnDemand(random.nextBoolean())
              .raw(raw);
      if (random.nextBoolean()) {
        builder.start(keys.bound(random), random.nextBoolean());
      }
      if (random.nextBoolean()) {
        builder.stop(keys.bound(random), random.nextBoolean());
      }
      if (random.nextInt(3) == 0) {
        builder.timeRange(range(anyRange));
      }
      if (random.nextInt(3) == 0) {
        builder.cellsPerFamily(random.nextInt(4) - 1, random.nextInt(2));
      }
      if (random.nextBoolean()) {
        for (FamilySchema family : families) {
          if (random.nextInt(3) > 0) {
            FamilySelection selection = FamilySelection.ALL;
            if (!raw && random.nextBoolean()) {
              selection =
                  FamilySelection.of(
                      IntStream.range(0, Math.min(columns, 5))
                          .filter(q -> random.nextInt(3) == 0)
                          .mapToObj(keys::qualifier)
                          .toArray(byte[][]::new));
            }
            if (random.nextInt(4) == 0) {
              selection = selection.within(range(anyRange));
            }
            builder.family(family.name(), selection);
          }
        }
      }
      if (random.nextInt(3) == 0) {
        builder.filter(new TestFilter(TestFilter.ODD_VALUES, random.nextBoolean()));
      }
      return builder.build();
    }

    private TimeRange range(boolean any) {
      long from = NOW - random.nextInt(10) * SECOND;
      return new TimeRange(
          from, any ? from + random.nextInt(10) * SECOND + random.nextInt(2) : Long.MAX_VALUE);
    }

    void check(ScanRequest request, List<List<Cell>> sources, List<Cell> written, String what)
        throws IOException {
      String where = "seed " + seed + ", " + what + ", families " + families;
      Predicate<Cell> filter = request.filter().isPresent() ? TestFilter.ODD_VALUES : cell -> true;
      long point = readPoint == Long.MAX_VALUE ? random.nextInt((int) sequence + 2) : readPoint;
      List<String> expected = new ArrayList<>();
      new ReferenceScan(families, request, NOW, filter)
          .rows(written, point)
          .forEach(row -> row.forEach(cell -> expected.add(text(cell))));
      assertThat(read(request, sources, point))
          .as(where + ", " + describe(request) + ", read point " + point)
          .isEqualTo(expected);
    }

    private List<String> read(ScanRequest request, List<List<Cell>> sources, long point)
        throws IOException {
      List<StoreSource> stores = stores(sources);
      Reading reading = new Reading();
      used.begin(request, stores, point, ReadMetrics.unused());
      try (RowScanner scanner = used) {
        boolean batches = !request.filter().map(ScanFilter::needsWholeRow).orElse(false);
        RowSizes rows = new RowSizes();
        for (int calls = 0; calls < 10_000; calls++) {
          boolean midRow = random.nextBoolean();
          ReadBudget limits =
              new ReadBudget(
                  batches && random.nextBoolean() ? 1 + random.nextInt(4) : -1,
                  random.nextBoolean() ? 1 + random.nextInt(200) : -1,
                  random.nextInt(3) == 0 ? clock.nanoTime() + random.nextInt(3) : Long.MAX_VALUE,
                  midRow);
          CellBuffer out = new CellBuffer();
          rows.clear();
          boolean more = random.nextInt(3) > 0 || scanner.peek();
          if (random.nextInt(8) == 0) {
            scanner.detach();
            assertThatIsClosed(stores);
            stores = stores(rewritten(sources, request, point));
            scanner.attach(stores);
          }
          ScanProgress progress =
              random.nextBoolean()
                  ? scanner.next(out, limits)
                  : scanner.nextRows(out, rows, 1 + random.nextInt(5), limits);
          int from = 0;
          for (int row = 0; row < rows.size(); row++) {
            int to = from + rows.cells(row);
            reading.accept(ScanProgress.ROW_DONE, CellBuffer.copyOf(out, from, to), limits);
            from = to;
          }
          if (progress != ScanProgress.ROW_DONE || rows.size() == 0) {
            reading.accept(progress, CellBuffer.copyOf(out, from, out.size()), limits);
          }
          assertThat(more || progress == ScanProgress.END).isTrue();
          if (progress == ScanProgress.END) {
            assertThat(scanner.peek()).isFalse();
            break;
          }
        }
      }
      used.forget();
      assertThatIsClosed(stores);
      return reading.seen;
    }

    private List<StoreSource> stores(List<List<Cell>> sources) throws IOException {
      List<StoreSource> stores = new ArrayList<>();
      for (FamilySchema family : families) {
        List<CellCursor> cursors = new ArrayList<>();
        for (List<Cell> source : sources) {
          cursors.add(open(source, family));
        }
        stores.add(new StoreSource(family, cursors));
      }
      return stores;
    }

    private static void assertThatIsClosed(List<StoreSource> stores) {
      for (StoreSource store : stores) {
        assertThat(store.cursors()).allMatch(cursor -> cursor.cell() == null);
      }
    }

    /** Returns the cells with one source fewer, as after a flush that serves this read. */
    private List<List<Cell>> rewritten(List<List<Cell>> sources, ScanRequest request, long point)
        throws IOException {
      List<List<Cell>> rewritten = new ArrayList<>(sources);
      Collections.shuffle(rewritten, random);
      List<Cell> merged = new ArrayList<>();
      for (int i = Math.min(rewritten.size(), 2); i > 0; i--) {
        merged.addAll(rewritten.remove(0));
      }
      ReadHorizon horizon = request.raw() ? ReadHorizon.BEGINNING : new ReadHorizon(point, NOW);
      List<Cell> left = new ArrayList<>();
      for (FamilySchema family : families) {
        List<Cell> own =
            merged.stream()
                .filter(cell -> Arrays.equals(cell.family(), family.name()))
                .sorted(CellComparator.USER)
                .toList();
        try (CompactionCursor cells =
            new CompactionCursor(
                new ListCursor(CellComparator.USER, own),
                family,
                CompactionCursor.Mode.FLUSH,
                horizon.nowMillis(),
                horizon.readPoint(),
                0,
                Long.MIN_VALUE,
                DeleteRules.OF_FAMILIES)) {
          while (cells.next()) {
            left.add(cells.cell().copy());
          }
        }
      }
      rewritten.add(left);
      return rewritten;
    }

    private CellCursor open(List<Cell> cells, FamilySchema family) throws IOException {
      CellCursor cursor = openAnywhere(cells, family);
      return random.nextBoolean() ? new SpoilingCursor(cursor) : cursor;
    }

    private CellCursor openAnywhere(List<Cell> cells, FamilySchema family) throws IOException {
      List<Cell> own =
          cells.stream()
              .filter(cell -> Arrays.equals(cell.family(), family.name()))
              .sorted(CellComparator.USER)
              .toList();
      return switch (random.nextInt(3)) {
        case 0 -> new ListCursor(CellComparator.USER, own);
        case 1 -> {
          MemStoreSegment segment = new MemStoreSegment(CellComparator.USER, 1 << 16);
          // In any order, so that some cells know others of their column and some do not.
          List<Cell> shuffled = new ArrayList<>(own);
          Collections.shuffle(shuffled, random);
          shuffled.forEach(cell -> segment.add(cell, cell.sequence()));
          yield segment.cursor(Long.MAX_VALUE);
        }
        default -> inFile(own, family);
      };
    }

    /**
     * Returns a cursor over a file of blocks of a few cells, which may have been read before: what
     * is in the cache is searched in other ways. It takes nothing but memory.
     */
    private CellCursor inFile(List<Cell> cells, FamilySchema family) throws IOException {
      MemoryStorage storage = new MemoryStorage(Clock.SYSTEM);
      HFileOptions options = HFileOptions.of(family, CellComparator.USER);
      try (HFileWriter writer = new HFileWriter(storage, "file", options, Clock.SYSTEM)) {
        for (Cell cell : cells) {
          writer.append(cell);
        }
        writer.finish();
      }
      HFileReader reader = HFileReader.open(storage, "file", cache, CellComparator.USER);
      for (int i = random.nextInt(3); i > 0; i--) {
        try (CellCursor before = reader.cursor(true)) {
          int read = 0;
          for (boolean on = before.seek(Cell.firstOnRow(Bytes.EMPTY)); on; on = before.next()) {
            read++;
          }
          assertThat(read).isEqualTo(cells.size());
        }
      }
      return reader.cursor(true);
    }
  }

  /** The rows that a scan has returned; checks that its calls fit together. */
  private static final class Reading {
    private final List<String> seen = new ArrayList<>();
    private String unfinished = "";
    private boolean partGiven;

    /** Takes what one call has returned, or one of its rows. */
    void accept(ScanProgress progress, CellBuffer out, ReadBudget limits) {
      String row = check(progress, out, limits);
      if (!unfinished.isEmpty() && !out.isEmpty()) {
        assertThat(row).isEqualTo(unfinished);
      }
      for (int i = 0; i < out.size(); i++) {
        seen.add(text(out.get(i)));
      }
      boolean goesOn = progress == ScanProgress.BATCH_FULL || progress == ScanProgress.LIMIT_IN_ROW;
      if (progress != ScanProgress.LIMIT_BETWEEN_ROWS) {
        partGiven = progress != ScanProgress.ROW_DONE;
      }
      if (!out.isEmpty()) {
        // Time may have run out while the rest of a full batch's row was looked for.
        unfinished = goesOn && limits.deadlineNanos() == Long.MAX_VALUE ? row : "";
      }
    }

    private String check(ScanProgress progress, CellBuffer out, ReadBudget limits) {
      if (limits.maxCells() > 0) {
        assertThat(out.size()).isLessThanOrEqualTo(limits.maxCells());
      }
      switch (progress) {
        case END -> assertThat(out.isEmpty() && !partGiven).isTrue();
        case LIMIT_BETWEEN_ROWS -> assertThat(out.isEmpty()).isTrue();
        case BATCH_FULL -> assertThat(out.size()).isEqualTo(limits.maxCells());
        case LIMIT_IN_ROW, TIME_IN_ROW -> assertThat(limits.midRow()).isTrue();
        case ROW_DONE -> assertThat(out.isEmpty() && !partGiven).isFalse();
      }
      if (out.isEmpty()) {
        return "";
      }
      for (int i = 1; i < out.size(); i++) {
        assertThat(out.get(i).sameRow(out.get(0))).isTrue();
      }
      return Bytes.toStringBinary(out.get(0).row());
    }
  }

  private static String describe(ScanRequest request) {
    StringBuilder text = new StringBuilder(request.toString());
    request
        .families()
        .forEach(
            (family, selection) ->
                text.append(' ')
                    .append(Bytes.utf8(family))
                    .append(selection.qualifiers().stream().map(Bytes::toStringBinary).toList()));
    return text.append(" from ")
        .append(Bytes.toStringBinary(request.startRow()))
        .append(" to ")
        .append(Bytes.toStringBinary(request.stopRow()))
        .toString();
  }

  private static String text(Cell cell) {
    String key = cell.toString();
    return key.substring(0, key.lastIndexOf("/vlen"))
        + "="
        + (cell.valueLength() == 4 ? Bytes.getInt(cell.value(), 0) : "");
  }

  /** Shows later by one whenever it is looked at. */
  private static final class RestlessClock implements Clock {
    private long nanos;

    @Override
    public long currentTimeMillis() {
      return NOW;
    }

    @Override
    public long nanoTime() {
      return nanos++;
    }
  }
}
