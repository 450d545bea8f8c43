package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gets share the objects that they read with, one after another, and nothing else. */
class RowReadingTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("BLOCKSIZE", "512", "VERSIONS", "3")),
          FamilySchema.of("g", Map.of("BLOOMFILTER", "ROWCOL")));
  private static final ReadBudget UNLIMITED = ReadBudget.rowAtOnce(-1, Long.MAX_VALUE);
  private static final int ROWS = 40;
  private static final int COLUMNS = 6;

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void aGetFindsWhatAScanOfItsRowFinds() throws IOException {
    Random random = new Random(seed);
    for (int step = 0; step < 600; step++) {
      write(random, step);
      if (step % 50 == 49) {
        harness.region().flush();
      }
      if (step % 250 == 249) {
        harness.region().compact(random.nextBoolean());
      }
      ScanRequest request = request(random);
      CellBuffer scanned = new CellBuffer();
      try (RegionRead scanner = harness.scan(request)) {
        scanner.next(scanned, ReadBudget.WHOLE_ROWS);
      }
      String what = "seed " + seed + ", step " + step + ", " + request;
      CellBuffer got = new CellBuffer();
      harness.get(request, got);
      assertThat(texts(got)).as(what).isEqualTo(texts(scanned));
      got.clear();
      assertThat(harness.getAtOnce(request, got, UNLIMITED)).as(what).isTrue();
      assertThat(texts(got)).as(what).isEqualTo(texts(scanned));
    }
  }

  @Test
  void getsBesideWritesFlushesAndCompactionsSeeWholeRows() throws Exception {
    for (int i = 0; i < ROWS; i++) {
      writeRow(i, 0);
    }
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        Random random = new Random(seed + reader);
        readers.add(threads.submit(() -> readWhole(random, done)));
      }
      Random random = new Random(seed);
      for (int step = 1; step <= 1_500; step++) {
        writeRow(random.nextInt(ROWS), step);
        if (step % 100 == 0) {
          harness.region().flush();
        }
        if (step % 500 == 0) {
          harness.region().compact(true);
        }
      }
      done.set(true);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get(60, TimeUnit.SECONDS)).as("reads").isPositive();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void filesThatWereReplacedAreClosedThoughGetsReadThem() throws IOException {
    for (int file = 0; file < 3; file++) {
      writeRow(1, file);
      harness.region().flush();
    }
    CellBuffer got = new CellBuffer();
    harness.get(row(1).build(), got);
    harness.region().compact(true);
    assertThat(harness.openFiles()).as("one of each family").isEqualTo(2);
    got.clear();
    harness.get(row(1).build(), got);
    assertThat(got.size()).isEqualTo(2 * COLUMNS);
  }

  private int readWhole(Random random, AtomicBoolean done) throws IOException {
    CellBuffer got = new CellBuffer();
    Cell cell = new Cell();
    int reads = 0;
    while (!done.get()) {
      got.clear();
      int row = random.nextInt(ROWS);
      ScanRequest request = row(row).build();
      if (random.nextBoolean() || !harness.getAtOnce(request, got, UNLIMITED)) {
        harness.get(request, got);
      }
      assertThat(got.size()).as("seed " + seed).isEqualTo(2 * COLUMNS);
      byte[] version = got.get(0, cell, 0).value();
      for (int i = 0; i < got.size(); i++) {
        got.get(i, cell, 0);
        assertThat(cell.row()).as("seed " + seed).isEqualTo(key(row));
        assertThat(cell.value()).as("seed " + seed).isEqualTo(version);
      }
      reads++;
    }
    return reads;
  }

  private void writeRow(int row, int version) throws IOException {
    CellBuffer cells = new CellBuffer();
    for (byte[] family : List.of(F, G)) {
      for (int column = 0; column < COLUMNS; column++) {
        cells.add(
            Cell.put(
                key(row),
                family,
                Bytes.utf8("q" + column),
                Cell.LATEST_TIMESTAMP,
                Bytes.utf8("v" + version)));
      }
    }
    harness.mutate(List.of(Mutation.put(key(row), cells)));
  }

  private void write(Random random, int value) throws IOException {
    byte[] family = random.nextBoolean() ? F : G;
    String qualifier = random.nextInt(10) == 0 ? "" : "q" + random.nextInt(COLUMNS);
    String row = Bytes.utf8(key(random.nextInt(ROWS)));
    harness.mutate(
        List.of(
            RegionHarness.putOf(row, family, qualifier, 1000 + random.nextInt(2000), "v" + value)));
  }

  private static ScanRequest request(Random random) {
    ScanRequest.Builder builder = row(random.nextInt(ROWS)).maxVersions(1 + random.nextInt(3));
    if (random.nextInt(3) > 0) {
      builder.family(F, selection(random));
    }
    if (random.nextInt(3) > 0) {
      builder.family(G, selection(random));
    }
    return builder.build();
  }

  private static FamilySelection selection(Random random) {
    return random.nextBoolean()
        ? FamilySelection.ALL
        : FamilySelection.of(
            Bytes.utf8("q" + random.nextInt(COLUMNS)), Bytes.utf8("q" + random.nextInt(COLUMNS)));
  }

  private static ScanRequest.Builder row(int row) {
    return ScanRequest.row(key(row));
  }

  private static byte[] key(int row) {
    return Bytes.utf8("row%03d".formatted(row));
  }

  private static List<String> texts(CellBuffer cells) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      texts.add(cells.get(i) + "=" + Bytes.utf8(cells.get(i).value()));
    }
    return texts;
  }
}
