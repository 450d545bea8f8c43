package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.TWO_FAMILIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.InvalidMutationException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts that are applied in one piece do what they do one by one. */
class PutBatchTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();

  PutBatchTest() throws IOException {} // as making a region does

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void leavesTheSameCellsAsPutsOneByOne_alsoAfterAKill(int seed) throws IOException {
    harness.clock.stop();
    try (RegionHarness other = RegionHarness.ofTwoFamilies()) {
      other.clock.advance(harness.clock.currentTimeMillis() - other.clock.currentTimeMillis());
      other.clock.stop();
      Random random = new Random(seed);
      for (int round = 0; round < 20; round++) {
        int rows = 1 + random.nextInt(100);
        List<Mutation> one = new ArrayList<>();
        List<Mutation> two = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
          long cellSeed = random.nextLong();
          one.add(put(new Random(cellSeed)));
          two.add(put(new Random(cellSeed)));
        }
        RegionHarness.done(harness.write(batch(one)));
        RegionHarness.done(other.mutate(two));
        if (random.nextInt(3) == 0) {
          byte[] row = row(random);
          harness.mutate(List.of(Mutation.delete(row, new CellBuffer())));
          other.mutate(List.of(Mutation.delete(row, new CellBuffer())));
        }
      }
      List<String> expected = withTimestamps(other);
      assertThat(withTimestamps(harness)).isEqualTo(expected).isNotEmpty();
      harness.kill();
      assertThat(withTimestamps(harness)).isEqualTo(expected);
    }
  }

  @Test
  void aPutIsSeenThoughItsRowWasDeletedInTheSameMillisecond() throws IOException {
    harness.clock.stop();
    harness.put("r", "q", "old");
    harness.mutate(List.of(Mutation.delete(Bytes.utf8("r"), new CellBuffer())));
    RegionHarness.done(harness.write(batch(List.of(simple("r"), simple("s")))));
    assertThat(harness.dump()).hasSize(2);
  }

  @Test
  void whatIsNotToBeLoggedGoesWithTheProcess() throws IOException {
    PutBatch batch = batch(List.of(simple("r")));
    RegionHarness.done(
        harness.write(new PutBatch(batch.cells(), batch.ends(), Durability.SKIP_WAL)));
    assertThat(harness.dump()).hasSize(1);
    harness.kill();
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void ofABatchWithOnePutThatWouldBeRefusedNothingIsDone() throws IOException {
    refuses(cells -> add(cells, "s", Bytes.utf8("h"), 1, CellType.PUT, new byte[1]));
    refuses(cells -> add(cells, "s", F, -1, CellType.PUT, new byte[1]));
    refuses(cells -> add(cells, "s", F, 1, CellType.DELETE_COLUMN, Bytes.EMPTY));
    refuses(cells -> add(cells, "", F, 1, CellType.PUT, new byte[1]));
    refuses(
        cells ->
            cells.add(
                Bytes.utf8("s"), F, F, 1, CellType.PUT.code(), Bytes.EMPTY, new byte[] {0, 9, 1}));
    refuses(cells -> add(cells, "s", F, 1, CellType.PUT, new byte[RegionHarness.CELL_BYTES_MAX]));
  }

  @Test
  void aBatchWithARowOfAnotherRegionIsRefused() throws IOException {
    try (RegionHarness other = new RegionHarness(TWO_FAMILIES, Bytes.EMPTY, Bytes.utf8("s"))) {
      refuses(other, cells -> add(cells, "s", F, 1, CellType.PUT, new byte[1]));
    }
  }

  @Test
  void aReadOnlyTableRefusesAnyBatch() throws IOException {
    harness.makeReadOnly();
    refuses(cells -> add(cells, "s", F, 1, CellType.PUT, new byte[1]));
  }

  @Test
  void cellsOfTwoRowsMakeUpNoPut() throws IOException {
    CellBuffer cells = new CellBuffer();
    add(cells, "r", F, 1, CellType.PUT, new byte[1]);
    add(cells, "s", F, 1, CellType.PUT, new byte[1]);
    PutBatch batch = new PutBatch(cells, new int[] {2}, Durability.USE_DEFAULT);
    assertThatThrownBy(() -> harness.write(batch)).isInstanceOf(InvalidMutationException.class);
    assertThat(harness.dump()).isEmpty();
  }

  @Test
  void everyPutHasCells() {
    CellBuffer cells = new CellBuffer();
    add(cells, "r", F, 1, CellType.PUT, new byte[1]);
    for (int[] ends : new int[][] {{}, {0, 1}, {1, 1}, {2}}) {
      assertThatThrownBy(() -> new PutBatch(cells, ends, Durability.USE_DEFAULT))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private void refuses(Consumer<CellBuffer> bad) throws IOException {
    refuses(harness, bad);
  }

  private static void refuses(RegionHarness harness, Consumer<CellBuffer> bad) throws IOException {
    CellBuffer cells = new CellBuffer();
    add(cells, "r", F, Cell.LATEST_TIMESTAMP, CellType.PUT, new byte[1]);
    bad.accept(cells);
    PutBatch batch = new PutBatch(cells, new int[] {1, 2}, Durability.USE_DEFAULT);
    assertThatThrownBy(() -> harness.write(batch)).isInstanceOf(InvalidMutationException.class);
    assertThat(harness.dump()).isEmpty();
    assertThat(cells.get(0).timestamp()).isEqualTo(Cell.LATEST_TIMESTAMP);
  }

  private static void add(
      CellBuffer cells, String row, byte[] family, long timestamp, CellType type, byte[] value) {
    cells.add(Bytes.utf8(row), family, F, timestamp, type.code(), value, Bytes.EMPTY);
  }

  private static byte[] row(Random random) {
    return Bytes.utf8("row" + random.nextInt(60));
  }

  private static Mutation put(Random random) {
    byte[] row = row(random);
    CellBuffer cells = new CellBuffer();
    int columns = 1 + random.nextInt(3);
    for (int i = 0; i < columns; i++) {
      cells.add(
          row,
          random.nextBoolean() ? F : G,
          Bytes.utf8("q" + random.nextInt(3)),
          random.nextInt(4) == 0 ? 900_000 + random.nextInt(200_000) : Cell.LATEST_TIMESTAMP,
          CellType.PUT.code(),
          Bytes.utf8(Integer.toString(random.nextInt())),
          Bytes.EMPTY);
    }
    return Mutation.put(row, cells);
  }

  private static Mutation simple(String row) {
    CellBuffer cells = new CellBuffer();
    add(cells, row, F, Cell.LATEST_TIMESTAMP, CellType.PUT, Bytes.utf8("new"));
    return Mutation.put(Bytes.utf8(row), cells);
  }

  private static PutBatch batch(List<Mutation> puts) {
    CellBuffer cells = new CellBuffer();
    int[] ends = new int[puts.size()];
    for (int i = 0; i < ends.length; i++) {
      cells.addAll(puts.get(i).cells());
      ends[i] = cells.size();
    }
    return new PutBatch(cells, ends, Durability.USE_DEFAULT);
  }

  private static List<String> withTimestamps(RegionHarness harness) throws IOException {
    List<String> cells = new ArrayList<>();
    try (RegionRead scanner = harness.scan(ScanRequest.builder().build())) {
      CellBuffer row = new CellBuffer();
      while (scanner.next(row, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        for (int i = 0; i < row.size(); i++) {
          cells.add(row.get(i) + "=" + Bytes.utf8(row.get(i).value()));
        }
        row.clear();
      }
    }
    return cells;
  }
}
