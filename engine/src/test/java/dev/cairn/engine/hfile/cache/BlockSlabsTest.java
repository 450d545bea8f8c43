package dev.cairn.engine.hfile.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.HFiles;
import dev.cairn.engine.hfile.MapStorage;
import dev.cairn.engine.hfile.block.BlockSlabs;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks that lie in slabs are read as others are, and slabs take no more than the cache may. */
class BlockSlabsTest {
  private static final int SLAB = 4096;
  private static final long CAPACITY = 64 * SLAB;
  private static final int ROWS = 3000;

  private final MapStorage storage = new MapStorage();
  private final BlockCache cache = new BlockCache(CAPACITY, 0.25, SLAB, Runnable::run);

  @ParameterizedTest
  @EnumSource(DataBlockEncoding.class)
  void moreThanTheCacheHoldsIsReadRightlyAndTakesLittleMore(DataBlockEncoding encoding)
      throws IOException {
    HFiles.write(
        storage,
        "file",
        HFiles.options(Compression.NONE, encoding, BloomType.ROW, true),
        cells(ROWS));
    Random random = new Random(7);
    try (HFileReader reader = open("file")) {
      long most = 0;
      for (int i = 0; i < 6_000; i++) {
        int row = (int) (ROWS * Math.pow(random.nextDouble(), 1 + i / 2_000));
        assertReads(reader, i % 2 == 0 ? row : ROWS - 1 - row);
        most = Math.max(most, cache.slabMemory());
      }
      assertThat(cache.statistics().evictions()).isPositive();
      assertThat(most).isBetween(CAPACITY / 4, CAPACITY + 2 * SLAB);
    }
    assertThat(cache.slabMemory()).as("the file is closed").isLessThanOrEqualTo(SLAB);
  }

  @Test
  void whoHoldsABlockSeesItUnchangedWhateverMoves() throws IOException {
    HFiles.write(storage, "file", HFiles.plain(), cells(ROWS));
    List<CellCursor> held = new ArrayList<>();
    try (HFileReader reader = open("file")) {
      for (int row = 0; row < ROWS; row += 100) {
        assertReads(reader, row);
        CellCursor cursor = reader.cursor(true);
        cursor.seek(cell(row));
        held.add(cursor);
      }
      for (int row = 0; row < ROWS; row++) {
        assertReads(reader, row);
        assertReads(reader, row);
      }
      for (int i = 0; i < held.size(); i++) {
        assertThat(HFiles.describe(held.get(i).cell())).isEqualTo(HFiles.describe(cell(i * 100)));
      }
    }
  }

  @Test
  void aBlockThatIsUsedAgainLiesInASlab() throws IOException {
    HFiles.write(storage, "file", HFiles.plain(), cells(100));
    try (HFileReader reader = open("file")) {
      assertReads(reader, 3);
      assertReads(reader, 3);
      int reads = storage.reads;
      assertReads(reader, 3);

      assertThat(storage.reads).isEqualTo(reads);
      assertThat(cache.slabMemory()).isEqualTo(SLAB);
    }
  }

  @Test
  void blocksThatAreLargeForASlabHaveArraysOfTheirOwn() throws IOException {
    Cell large =
        Cell.of(
            Bytes.utf8("row"),
            Bytes.utf8("f"),
            Bytes.EMPTY,
            1,
            CellType.PUT.code(),
            new byte[3000],
            Bytes.EMPTY,
            0);
    HFiles.write(storage, "file", HFiles.plain(), List.of(large));
    try (HFileReader reader = open("file")) {
      for (int i = 0; i < 3; i++) {
        assertThat(HFiles.readAll(reader)).containsExactly(HFiles.describe(large));
      }
    }
    assertThat(cache.slabMemory()).isZero();
  }

  @Test
  void aSmallCacheHasNone() throws IOException {
    BlockCache small = new BlockCache(CAPACITY - 1, 0.25, SLAB, Runnable::run);
    HFiles.write(storage, "file", HFiles.plain(), cells(100));
    try (HFileReader reader = HFileReader.open(storage, "file", small, CellComparator.USER)) {
      for (int i = 0; i < 3; i++) {
        assertReads(reader, 3);
      }
    }
    assertThat(small.slabMemory()).isZero();
  }

  @Test
  void threadsThatFillSlabsAtOnceGetPlacesOfTheirOwn() throws Exception {
    int threads = 4;
    int blocks = 500;
    int length = 300; // thirteen fill a slab, all but 196 bytes
    BlockSlabs slabs = new BlockSlabs(SLAB, CAPACITY);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<BlockSlabs.Slice> places = new ArrayList<>();
    try {
      Callable<List<BlockSlabs.Slice>> fill =
          () -> {
            List<BlockSlabs.Slice> own = new ArrayList<>();
            for (int i = 0; i < blocks; i++) {
              own.add(slabs.reserve(slab -> {}, length));
            }
            return own;
          };
      for (var filled : executor.invokeAll(Collections.nCopies(threads, fill))) {
        places.addAll(filled.get());
      }
    } finally {
      executor.shutdownNow();
    }

    assertThat(places).doesNotHaveDuplicates().allMatch(slice -> slice.offset() % length == 0);
    int full = (threads * blocks + 12) / 13;
    assertThat(slabs.bytes()).as("no slab is begun in vain").isEqualTo((long) full * SLAB);
    places.forEach(slabs::release);
    assertThat(slabs.bytes()).as("all is given back").isLessThanOrEqualTo(SLAB);
  }

  @Test
  void slabsFillTheRegionsOfG1() {
    assertThat(BlockCache.slabBytes(1L << 30)).isEqualTo((2 << 20) - 16);
    assertThat(BlockCache.slabBytes(4L << 30)).isEqualTo((2 << 20) - 16);
    assertThat(BlockCache.slabBytes(6L << 30)).isEqualTo((4 << 20) - 16);
    assertThat(BlockCache.slabBytes(31L << 30)).isEqualTo((16 << 20) - 16);
    assertThat(BlockCache.slabBytes(1L << 40)).isEqualTo((32 << 20) - 16);
  }

  private HFileReader open(String path) throws IOException {
    return HFileReader.open(storage, path, cache, CellComparator.USER);
  }

  private static void assertReads(HFileReader reader, int row) throws IOException {
    try (CellCursor cursor = reader.cursor(true)) {
      assertThat(cursor.seek(cell(row))).isTrue();
      assertThat(HFiles.describe(cursor.cell())).isEqualTo(HFiles.describe(cell(row)));
    }
  }

  private static List<Cell> cells(int rows) {
    List<Cell> cells = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      cells.add(cell(row));
    }
    return cells;
  }

  private static Cell cell(int row) {
    return Cell.of(
        Bytes.utf8("row%06d".formatted(row)),
        Bytes.utf8("f"),
        Bytes.utf8("q"),
        row,
        CellType.PUT.code(),
        Bytes.utf8("v".repeat(row % 50)),
        row % 7 == 0 ? new byte[] {1, 2, 3} : Bytes.EMPTY,
        row);
  }
}
