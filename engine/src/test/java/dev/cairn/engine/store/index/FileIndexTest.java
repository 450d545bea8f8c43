package dev.cairn.engine.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.hfile.writer.MetaBlockSource;
import dev.cairn.engine.index.IndexEntry;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.index.ValueBounds;
import dev.cairn.engine.scan.condition.ValueRanges;
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
import java.util.function.Predicate;
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
    return write(cells, columns, memoryBytes, name -> true);
  }

  private HFileReader write(
      List<Cell> cells, IndexedColumns columns, long memoryBytes, Predicate<String> named)
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
      file.addMetaBlocks(sink -> index.write(only(named, sink)));
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

  /** Returns a sink without the named blocks that a predicate does not like. */
  private static MetaBlockSource.Sink only(Predicate<String> named, MetaBlockSource.Sink sink) {
    return new MetaBlockSource.Sink() {
      @Override
      public void named(String name, byte[] content) throws IOException {
        if (named.test(name)) {
          sink.named(name, content);
        }
      }

      @Override
      public MetaBlockSource.Place unnamed(byte[] content) throws IOException {
        return sink.unnamed(content);
      }
    };
  }

  private static Optional<FileIndex> open(HFileReader file, byte[] qualifier) throws IOException {
    return FileIndex.open(file, qualifier, ReadMetrics.unused());
  }

  private List<Cell> cells(int rows) {
    TreeSet<Cell> cells = new TreeSet<>(CellComparator.USER::compare);
    int longest = random.nextBoolean() ? 4 : 300; // with long rows there are many chunks
    for (int i = 0; i < rows; i++) {
      byte[] row = new byte[1 + random.nextInt(longest)];
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
      assertThat(open(file, OTHER)).isEmpty();
      for (byte[] column : List.of(A, B)) {
        FileIndex index = open(file, column).orElseThrow();
        for (int i = 0; i < 15; i++) {
          check(cells, column, index);
        }
      }
    }
  }

  private void check(List<Cell> cells, byte[] column, FileIndex index) throws IOException {
    ValueRanges wanted = ranges();
    List<ValueBounds> bounds =
        wanted.ranges().stream()
            .map(range -> ValueBounds.of(range.low(), true, range.high(), false))
            .toList();
    List<ValueBounds> asked =
        index.inBloomFilter(index.withinBounds(bounds), ReadMetrics.unused(), () -> true);
    assertThat(bounds).containsAll(asked);
    TreeSet<byte[]> found = new TreeSet<>(Arrays::compareUnsigned);
    ReadMetrics figures = ReadMetrics.unused();
    AtomicInteger chunks = new AtomicInteger();
    assertThat(
            index.search(
                asked,
                figures,
                new FileIndex.Rows() {
                  @Override
                  public boolean found(byte[] row) {
                    found.add(row);
                    return true;
                  }

                  @Override
                  public boolean mayRead() {
                    chunks.incrementAndGet();
                    return true;
                  }
                }))
        .isTrue();
    assertThat(figures.cachedBlocks() + figures.diskBlocks()).isEqualTo(chunks.get());
    assertThat(chunks.get()).isLessThanOrEqualTo(index.chunkCount());
    TreeSet<byte[]> must = new TreeSet<>(Arrays::compareUnsigned);
    TreeSet<byte[]> allowed = new TreeSet<>(Arrays::compareUnsigned);
    for (Cell cell : cells) {
      if (Arrays.equals(cell.qualifier(), column) && cell.typeCode() == CellType.PUT.code()) {
        if (wanted.contains(cell.value())) {
          must.add(cell.row());
        }
        if (wanted.contains(cell.value()) || cell.valueLength() >= IndexEntry.VALUE_BYTES_MAX) {
          allowed.add(cell.row());
        }
      }
    }
    assertThat(found).as("seed %d", seed).containsAll(must);
    assertThat(allowed).as("seed %d", seed).containsAll(found);
  }

  /** Draws a range, or a set of many values and ranges. */
  private ValueRanges ranges() {
    List<ValueRanges> sets = new ArrayList<>();
    for (int i = random.nextBoolean() ? 0 : random.nextInt(30); i >= 0; i--) {
      sets.add(
          switch (random.nextInt(6)) {
            case 0 -> ValueRanges.between(value(), random.nextBoolean(), value(), true);
            case 1 -> i > 0 ? ValueRanges.of(value()) : ValueRanges.greaterThan(value());
            default -> ValueRanges.of(value());
          });
    }
    return ValueRanges.union(sets);
  }

  @Test
  void anIndexKnowsWhichValuesItDoesNotHave() throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      cells.add(
          Cell.put(
              Bytes.utf8("row%05d".formatted(i)),
              F,
              A,
              1,
              Bytes.utf8("value%05d".formatted(i * 2))));
    }
    try (HFileReader file = write(cells, IndexedColumns.of(List.of(A, B)), 1 << 20)) {
      FileIndex index = open(file, A).orElseThrow();
      assertThat(index.withinBounds(point("value"))).isEmpty();
      assertThat(index.withinBounds(point("value09999"))).isEmpty();
      assertThat(index.withinBounds(point("value00000"))).hasSize(1);
      assertThat(index.withinBounds(point("value09998"))).hasSize(1);
      ReadMetrics figures = ReadMetrics.unused();
      int wrong = 0;
      for (int i = 0; i < 5_000; i++) {
        String there = "value%05d".formatted(i * 2);
        assertThat(index.inBloomFilter(point(there), figures, () -> true)).hasSize(1);
        String between = "value%05d".formatted(i * 2 + 1);
        wrong += index.inBloomFilter(point(between), figures, () -> true).size();
      }
      assertThat(wrong).isLessThan(150); // 1 % are expected
      assertThat(figures.diskBlocks()).isEqualTo(1); // the filter has one chunk
      FileIndex none = open(file, B).orElseThrow();
      assertThat(none.withinBounds(point(""))).isEmpty();
    }
  }

  private static List<ValueBounds> point(String value) {
    byte[] bytes = Bytes.utf8(value);
    return List.of(ValueBounds.of(bytes, true, Optional.of(bytes), true));
  }

  @Test
  void anIndexOfAnEarlierVersionIsRead() throws IOException {
    List<Cell> cells = cells(2_000);
    try (HFileReader file =
        write(
            cells,
            IndexedColumns.of(List.of(A, B)),
            1 << 20,
            name -> !name.startsWith("CAIRN_INDEX_VALUES"))) {
      for (int i = 0; i < 15; i++) {
        check(cells, A, open(file, A).orElseThrow());
      }
    }
  }

  @Test
  void aSecondSearchReadsNothing() throws IOException {
    List<Cell> cells = cells(2_000);
    try (HFileReader file = write(cells, IndexedColumns.of(List.of(A)), 1 << 20)) {
      FileIndex index = open(file, A).orElseThrow();
      for (boolean cached : new boolean[] {false, true}) {
        ReadMetrics figures = ReadMetrics.unused();
        List<ValueBounds> all = List.of(ValueBounds.of(Bytes.EMPTY, true, Optional.empty(), false));
        assertThat(index.search(all, figures, row -> true)).isTrue();
        assertThat(figures.diskBlocks()).isEqualTo(cached ? 0 : index.chunkCount());
        assertThat(figures.cachedBlocks()).isEqualTo(cached ? index.chunkCount() : 0);
      }
    }
  }

  @Test
  void aSearchEndsWhenItsReceiverHasEnough() throws IOException {
    List<Cell> cells = cells(2_000);
    try (HFileReader file = write(cells, IndexedColumns.of(List.of(A)), 1 << 20)) {
      FileIndex index = open(file, A).orElseThrow();
      List<byte[]> rows = new ArrayList<>();
      boolean ended =
          index.search(
              List.of(ValueBounds.of(Bytes.EMPTY, true, Optional.empty(), false)),
              ReadMetrics.unused(),
              row -> rows.add(row) && rows.size() < 5);
      assertThat(ended).isFalse();
      assertThat(rows).hasSize(5);
      assertThat(index.entries()).isGreaterThan(1_000);
    }
  }
}
