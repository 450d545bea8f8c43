package dev.cairn.engine.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.index.IndexEntry;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.index.ValueBounds;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/**
 * The index in a store file against a brute force search of its cells. Set the system property
 * {@code cairn.seed} to run one seed again.
 */
class FileIndexTest {
  private static final byte[] F = Bytes.utf8("f");
  private static final byte[] A = Bytes.utf8("a");
  private static final byte[] B = {0, (byte) 0xFF, ','};
  private static final byte[] OTHER = Bytes.utf8("other");

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final Storage storage = new MemoryStorage(Clock.SYSTEM);
  private final BlockCache cache = new BlockCache(1 << 20, Runnable::run);
  private final AtomicInteger runs = new AtomicInteger();

  private HFileReader write(List<Cell> cells, IndexedColumns columns, long memoryBytes)
      throws IOException {
    storage.createDirectories("d");
    HFileOptions options =
        HFileOptions.of(
            FamilySchema.of("f", Map.of("COMPRESSION", random.nextBoolean() ? "GZ" : "NONE")),
            CellComparator.USER);
    try (HFileWriter file =
            new HFileWriter(storage, "d/file", options, Clock.SYSTEM, Optional.empty());
        IndexCollector index =
            new IndexCollector(
                columns,
                storage,
                cache,
                Clock.SYSTEM,
                () -> storage.createIn("d/run" + runs.getAndIncrement()),
                IndexPace.NONE,
                memoryBytes)) {
      file.addMetaBlocks(index);
      file.appendMetaBlock("CAIRN_NONCES", new byte[10]);
      for (Cell cell : cells) {
        index.add(cell);
        file.append(cell);
      }
      file.finish();
    }
    assertThat(storage.list("d")).hasSize(1); // no run is left
    return HFileReader.open(storage, "d/file", cache, CellComparator.USER);
  }

  private List<Cell> cells(int rows) {
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.USER::compare);
    for (int i = 0; i < rows; i++) {
      byte[] row = new byte[1 + random.nextInt(4)];
      random.nextBytes(row);
      for (byte[] qualifier : List.of(A, B, OTHER)) {
        for (int versions = random.nextInt(3); versions > 0; versions--) {
          CellType type = random.nextInt(6) == 0 ? CellType.DELETE : CellType.PUT;
          cells.add(
              Cell.of(
                  row,
                  F,
                  qualifier,
                  random.nextInt(100),
                  type.code(),
                  type == CellType.PUT ? value() : Bytes.EMPTY,
                  Bytes.EMPTY,
                  1));
        }
      }
    }
    return new ArrayList<>(cells);
  }

  private byte[] value() {
    byte[] value = new byte[random.nextInt(8) == 0 ? 1020 + random.nextInt(8) : random.nextInt(3)];
    for (int i = Math.max(0, value.length - 2); i < value.length; i++) {
      value[i] = (byte) (random.nextInt(4) * 85);
    }
    return value;
  }

  @RepeatedTest(20)
  void aSearchFindsTheRowsOfAllValuesInARange() throws IOException {
    List<Cell> cells = cells(random.nextInt(3) == 0 ? 5 : 2_000);
    IndexedColumns columns = IndexedColumns.of(List.of(A, B));
    long memory = random.nextBoolean() ? IndexCollector.MEMORY_BYTES : 40_000;
    try (HFileReader file = write(cells, columns, memory)) {
      assertThat(memory == 40_000 && cells.size() > 1_000).isEqualTo(runs.get() > 0);
      assertThat(FileIndex.exists(file, OTHER)).isFalse();
      assertThat(FileIndex.open(file, OTHER)).isEmpty();
      for (byte[] column : List.of(A, B)) {
        FileIndex index = FileIndex.open(file, column).orElseThrow();
        for (int i = 0; i < 50; i++) {
          check(cells, column, index);
        }
      }
    }
  }

  private void check(List<Cell> cells, byte[] column, FileIndex index) throws IOException {
    byte[] low = value();
    boolean includeLow = random.nextBoolean();
    Optional<byte[]> high = random.nextInt(3) == 0 ? Optional.empty() : Optional.of(value());
    boolean includeHigh = random.nextBoolean();
    TreeSet<byte[]> found = new TreeSet<>(Arrays::compareUnsigned);
    assertThat(
            index.search(
                ValueBounds.of(low, includeLow, high, includeHigh),
                row -> {
                  found.add(row);
                  return true;
                }))
        .isTrue();
    TreeSet<byte[]> wanted = new TreeSet<>(Arrays::compareUnsigned);
    TreeSet<byte[]> allowed = new TreeSet<>(Arrays::compareUnsigned);
    for (Cell cell : cells) {
      if (Arrays.equals(cell.qualifier(), column) && cell.typeCode() == CellType.PUT.code()) {
        int fromLow = Arrays.compareUnsigned(cell.value(), low);
        int toHigh = high.isEmpty() ? -1 : Arrays.compareUnsigned(cell.value(), high.get());
        boolean wants =
            (includeLow ? fromLow >= 0 : fromLow > 0) && (includeHigh ? toHigh <= 0 : toHigh < 0);
        if (wants) {
          wanted.add(cell.row());
        }
        if (wants || cell.valueLength() >= IndexEntry.VALUE_BYTES_MAX) {
          allowed.add(cell.row());
        }
      }
    }
    assertThat(found).as("seed %d", seed).containsAll(wanted);
    assertThat(allowed).as("seed %d", seed).containsAll(found);
  }

  @Test
  void aSearchEndsWhenItsReceiverHasEnough() throws IOException {
    List<Cell> cells = cells(2_000);
    try (HFileReader file = write(cells, IndexedColumns.of(List.of(A)), 1 << 20)) {
      FileIndex index = FileIndex.open(file, A).orElseThrow();
      List<byte[]> rows = new ArrayList<>();
      boolean ended =
          index.search(
              ValueBounds.of(Bytes.EMPTY, true, Optional.empty(), false),
              row -> rows.add(row) && rows.size() < 5);
      assertThat(ended).isFalse();
      assertThat(rows).hasSize(5);
      assertThat(index.entries()).isGreaterThan(1_000);
    }
  }
}
