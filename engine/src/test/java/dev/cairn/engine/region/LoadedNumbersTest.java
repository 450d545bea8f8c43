package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.store.LoadableFile.UnloadableFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The sequence numbers of bulk-loaded files never cover a logged write that is in no file, whatever
 * numbers the maker of the file gave it.
 */
class LoadedNumbersTest {
  private static final int RUNS = 40;
  private static final List<byte[]> FAMILIES = List.of(F, G);

  /** A region, and what must be in it. */
  private static final class Run {
    private final Random random;
    private final RegionHarness harness;
    private final TreeSet<String> expected = new TreeSet<>();
    private int rows;
    private int loads;
    private int duringLoad;

    Run(long seed, RegionHarness harness) throws IOException {
      this.random = new Random(seed);
      this.harness = harness;
      harness.closeCleanly();
      harness.failWith(
          (operation, path) -> {
            if (duringLoad > 0 && path.endsWith("/commit")) {
              int count = duringLoad;
              duringLoad = 0;
              try {
                puts(count);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
            return false;
          });
      harness.open();
    }

    /** Puts rows, each of them with a number of its own. */
    void puts(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        String row = "put%04d".formatted(++rows);
        byte[] family = FAMILIES.get(random.nextInt(FAMILIES.size()));
        harness.put(row, family, "q", 1, "v");
        expected.add(row + "/" + Bytes.utf8(family) + ":q=v");
      }
    }

    void load(BulkLoadRequest.Sequence sequence, boolean keeps, boolean numbered)
        throws IOException {
      List<BulkLoadRequest.File> files = new ArrayList<>();
      loads++;
      for (byte[] family : FAMILIES) {
        if (files.isEmpty() || random.nextBoolean()) {
          String path = "staging/token/" + Bytes.utf8(family) + "/" + loads;
          String row = "load%04d".formatted(loads);
          long number = numbered ? harness.region().readPoint() + random.nextInt(12) : 0;
          write(path, family, row, number, keeps);
          files.add(new BulkLoadRequest.File(family, path));
          expected.add(row + "/" + Bytes.utf8(family) + ":q=v");
        }
      }
      duringLoad = random.nextInt(3);
      String id = "%02x".formatted(loads);
      harness
          .region()
          .bulkLoad(new BulkLoadRequest(id, files, sequence, BulkLoadRequest.Check.ALL));
    }

    private void write(String path, byte[] family, String row, long number, boolean keeps)
        throws IOException {
      Cell cell =
          Cell.of(
              Bytes.utf8(row),
              family,
              Bytes.utf8("q"),
              1,
              CellType.PUT.code(),
              Bytes.utf8("v"),
              Bytes.EMPTY,
              number);
      LoadedNumbersTest.write(harness, path, family, cell, keeps);
    }
  }

  /**
   * Writes a file with one cell.
   *
   * @param keeps whether the file asks to keep the sequence numbers of its cells
   */
  static void write(RegionHarness harness, String path, byte[] family, Cell cell, boolean keeps)
      throws IOException {
    HFileOptions options =
        HFileOptions.of(FamilySchema.of(Bytes.utf8(family)), CellComparator.USER);
    try (HFileWriter writer = new HFileWriter(harness.memory(), path, options, harness.clock)) {
      writer.append(cell);
      if (cell.sequence() > 0) {
        writer.setMaxSequence(cell.sequence());
      }
      if (keeps) {
        writer.putFileInfo(Bytes.utf8("SKIP_RESET_SEQ_ID"), new byte[] {1});
      }
      writer.finish();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NEW, false, false",
    "NEW, false, true",
    "NEW, true, false",
    "NEW, true, true",
    "STORED, false, false",
    "STORED, false, true",
    "STORED, true, true"
  })
  void everyAcknowledgedWriteIsThereAfterACrash(
      BulkLoadRequest.Sequence sequence, boolean keeps, boolean numbered) throws IOException {
    for (long seed = 1; seed <= RUNS; seed++) {
      try (RegionHarness harness = RegionHarness.ofTwoFamilies()) {
        Run run = new Run(seed, harness);
        for (int crash = 0; crash < 2; crash++) {
          run.puts(run.random.nextInt(4));
          run.load(sequence, keeps, numbered);
          if (run.random.nextInt(4) == 0) {
            harness.region().compact(run.random.nextBoolean());
          }
          assertThat(harness.dump()).as("seed %s", seed).containsExactlyElementsOf(run.expected);
          run.puts(run.random.nextInt(4));
          if (run.random.nextInt(4) == 0) {
            harness.region().flush();
            run.puts(run.random.nextInt(4));
          }
          assertReported(harness, seed);
          if (run.random.nextBoolean()) {
            harness.kill();
          } else {
            harness.powerCut(run.random);
          }
          assertThat(harness.dump()).as("seed %s", seed).containsExactlyElementsOf(run.expected);
        }
      }
    }
  }

  @Test
  void aFileThatWouldLeaveNoNumbersForWritesIsRefused() throws IOException {
    try (RegionHarness harness = RegionHarness.ofTwoFamilies()) {
      Run run = new Run(1, harness);
      run.write("staging/token/f/1", F, "a", Long.MAX_VALUE, false);
      List<BulkLoadRequest.File> files = List.of(new BulkLoadRequest.File(F, "staging/token/f/1"));
      BulkLoadRequest kept =
          new BulkLoadRequest(
              "01", files, BulkLoadRequest.Sequence.STORED, BulkLoadRequest.Check.ALL);
      assertThatThrownBy(() -> harness.region().bulkLoad(kept))
          .isInstanceOf(UnloadableFileException.class)
          .hasMessageContaining("it keeps the sequence number " + Long.MAX_VALUE);
      assertThat(harness.memory().exists("staging/token/f/1")).isTrue();
      run.puts(1);
      harness
          .region()
          .bulkLoad(
              new BulkLoadRequest(
                  "02", files, BulkLoadRequest.Sequence.NEW, BulkLoadRequest.Check.ALL));
      run.puts(1);
      harness.kill();
      assertThat(harness.dump()).hasSize(3);
    }
  }

  /** Nothing that the region may still log counts as flushed: splits skip what does. */
  private static void assertReported(RegionHarness harness, long seed) {
    Region region = harness.region();
    assertThat(region.statistics().families())
        .as("seed %s", seed)
        .allSatisfy(
            family -> assertThat(family.flushedSequence()).isLessThanOrEqualTo(region.readPoint()));
  }
}
