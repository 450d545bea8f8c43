package dev.cairn.engine.hfile.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.hfile.HFiles;
import dev.cairn.engine.hfile.MapStorage;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the writer's contract and the metadata of its files. */
class HFileWriterTest {
  private final MapStorage storage = new MapStorage();

  @Test
  void cellsOutOfOrderAreRefused() throws IOException {
    try (HFileWriter writer = writer("file")) {
      writer.append(put("b", 5));
      writer.append(put("b", 5));
      assertThatThrownBy(() -> writer.append(put("b", 6)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("comes after");
      assertThatThrownBy(() -> writer.append(put("a", 1)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void orderIsCheckedAcrossBlocks() throws IOException {
    try (HFileWriter writer = writer("file")) {
      writer.append(Cell.put(Bytes.utf8("b"), Bytes.utf8("f"), Bytes.utf8("q"), 5, new byte[1000]));
      writer.append(put("c", 5));
      assertThatThrownBy(() -> writer.append(put("b", 9)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void anAbandonedFileIsDeleted() throws IOException {
    try (HFileWriter writer = writer("file")) {
      writer.append(put("a", 1));
    }
    assertThat(storage.files).isEmpty();
  }

  @Test
  void aFinishedFileIsSyncedAndStays() throws IOException {
    long length;
    try (HFileWriter writer = writer("file")) {
      writer.append(put("a", 1));
      length = writer.finish();
      assertThatThrownBy(() -> writer.append(put("b", 1)))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(storage.files.get("file")).hasSize((int) length);
    assertThat(storage.syncs).isEqualTo(1);
  }

  @Test
  void tagsNeedAFileMadeForThem() throws IOException {
    try (HFileWriter writer =
        new HFileWriter(storage, "file", HFiles.plain().withTags(false), Clock.SYSTEM)) {
      Cell tagged =
          Cell.of(Bytes.utf8("a"), Bytes.utf8("f"), Bytes.EMPTY, 1, 4, Bytes.EMPTY, new byte[3], 0);
      assertThatThrownBy(() -> writer.append(tagged))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("tags");
    }
  }

  @Test
  void theFileSaysWhatItHolds() throws IOException {
    Cell deleteFamily =
        Cell.of(
            Bytes.utf8("b"),
            Bytes.utf8("f"),
            Bytes.EMPTY,
            70,
            CellType.DELETE_FAMILY.code(),
            Bytes.EMPTY,
            Bytes.EMPTY,
            9);
    try (HFileWriter writer = writer("file")) {
      writer.setMaxSequence(42);
      writer.setMajorCompaction(true);
      writer.putFileInfo(Bytes.utf8("own"), Bytes.utf8("value"));
      assertThatThrownBy(() -> writer.putFileInfo(Bytes.utf8("hfile.LASTKEY"), Bytes.EMPTY))
          .isInstanceOf(IllegalArgumentException.class);
      writer.append(put("a", 50));
      writer.append(deleteFamily);
      writer.append(put("c", 60));
      writer.finish();
    }
    try (HFileReader reader = HFiles.open(storage, "file")) {
      HFileInfo info = reader.info();
      assertThat(info.entryCount()).isEqualTo(3);
      assertThat(info.firstKey().orElseThrow().row()).isEqualTo(Bytes.utf8("a"));
      assertThat(info.lastKey().orElseThrow().row()).isEqualTo(Bytes.utf8("c"));
      assertThat(info.maxSequence()).isEqualTo(42);
      assertThat(info.maxMvcc()).isEqualTo(9);
      assertThat(info.majorCompaction()).isTrue();
      assertThat(info.minTimestamp()).as("the marker covers all times before").isZero();
      assertThat(info.maxTimestamp()).isEqualTo(70);
      assertThat(info.earliestPut()).isEqualTo(50);
      assertThat(info.deleteFamilyCount()).isEqualTo(1);
      assertThat(info.fileInfo().get(Bytes.utf8("own"))).isEqualTo(Bytes.utf8("value"));
      assertThat(reader.length()).isEqualTo(storage.files.get("file").length);
      assertThat(reader.mayContainDeleteFamily(Bytes.utf8("b"), 0, 1)).isTrue();
      assertThat(reader.mayContainDeleteFamily(Bytes.utf8("a"), 0, 1)).isFalse();
      assertThat(reader.mayContainRow(Bytes.utf8("zz"), 0, 2)).isFalse();
    }
  }

  @Test
  void metaBlocksAreFoundByName() throws IOException {
    try (HFileWriter writer = writer("file")) {
      writer.appendMetaBlock("two", Bytes.utf8("second"));
      writer.appendMetaBlock("empty", Bytes.EMPTY);
      writer.appendMetaBlock("one", new byte[100_000]);
      assertThatThrownBy(() -> writer.appendMetaBlock("one", Bytes.EMPTY))
          .isInstanceOf(IllegalArgumentException.class);
      writer.append(put("a", 1));
      writer.finish();
    }
    try (HFileReader reader = HFiles.open(storage, "file")) {
      assertThat(reader.metaBlockNames()).containsExactly("empty", "one", "two");
      assertThat(reader.metaBlock("two")).contains(Bytes.utf8("second"));
      assertThat(reader.metaBlock("one")).contains(new byte[100_000]);
      assertThat(reader.metaBlock("empty")).contains(Bytes.EMPTY);
      assertThat(reader.metaBlock("three")).isEmpty();
    }
  }

  @Test
  void aLargeFileInfoIsRead() throws IOException {
    byte[] large = new byte[1 << 20];
    new Random(1).nextBytes(large);
    try (HFileWriter writer = writer("file")) {
      writer.putFileInfo(Bytes.utf8("own"), large);
      writer.append(put("a", 1));
      writer.finish();
    }
    try (HFileReader reader = HFiles.open(storage, "file")) {
      assertThat(reader.info().fileInfo().get(Bytes.utf8("own"))).isEqualTo(large);
      assertThat(HFiles.readAll(reader)).hasSize(1);
    }
  }

  @Test
  void readingThroughTheCacheReadsEachBlockOnce() throws IOException {
    List<Cell> cells = HFiles.randomCells(new Random(1), 300, false);
    HFiles.write(storage, "file", HFiles.plain(), cells);
    BlockCache cache = new BlockCache(1 << 20, Runnable::run);
    try (HFileReader reader = HFileReader.open(storage, "file", cache, CellComparator.USER)) {
      HFiles.readAll(reader);
      int reads = storage.reads;
      HFiles.readAll(reader);
      assertThat(storage.reads).isEqualTo(reads);
      assertThat(cache.statistics().hits()).isPositive();
      assertThat(cache.statistics().bytes()).isPositive();
    }
    assertThat(cache.statistics().blocks()).as("a closed file leaves nothing").isZero();
  }

  @Test
  void theCacheKeepsWithinItsCapacity() throws IOException {
    List<Cell> cells = HFiles.randomCells(new Random(1), 2000, false);
    HFiles.write(storage, "file", HFiles.plain(), cells);
    BlockCache cache = new BlockCache(20_000, Runnable::run);
    try (HFileReader reader = HFileReader.open(storage, "file", cache, CellComparator.USER)) {
      assertThat(HFiles.readAll(reader)).hasSize(cells.size());
      assertThat(cache.statistics().bytes()).isLessThanOrEqualTo(20_000);
      assertThat(cache.statistics().evictions()).isPositive();
    }
  }

  @Test
  void optionsFollowTheFamily() {
    FamilySchema family =
        FamilySchema.of(
            "f",
            Map.of(
                "COMPRESSION", "snappy",
                "DATA_BLOCK_ENCODING", "FAST_DIFF",
                "BLOOMFILTER", "ROWCOL",
                "BLOCKSIZE", "1024",
                "COMPRESSION_COMPACT_MAJOR", "ZSTD"));
    HFileOptions options = HFileOptions.of(family, CellComparator.USER);
    assertThat(options.compression()).isEqualTo(Compression.SNAPPY);
    assertThat(options.encoding()).isEqualTo(DataBlockEncoding.FAST_DIFF);
    assertThat(options.bloomType()).isEqualTo(FamilySchema.BloomType.ROWCOL);
    assertThat(options.blockSize()).isEqualTo(1024);
    assertThat(
            HFileOptions.ofCompaction(family, CellComparator.USER, HFileSettings.DEFAULTS, true)
                .compression())
        .isEqualTo(Compression.ZSTD);
    assertThat(
            HFileOptions.ofCompaction(family, CellComparator.USER, HFileSettings.DEFAULTS, false)
                .compression())
        .isEqualTo(Compression.SNAPPY);
  }

  @Test
  void whatCannotBeHadIsRefusedByName() {
    for (Map<String, String> attributes :
        List.of(
            Map.of("COMPRESSION", "LZMA"),
            Map.of("COMPRESSION_COMPACT_MAJOR", "BROTLI"),
            Map.of("DATA_BLOCK_ENCODING", "PREFIX_TREE"),
            Map.of("INDEX_BLOCK_ENCODING", "PREFIX_TREE"),
            Map.of("ENCRYPTION", "AES"))) {
      String value = attributes.values().iterator().next();
      assertThatThrownBy(
              () -> HFileOptions.of(FamilySchema.of("f", attributes), CellComparator.USER))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(value)
          .hasMessageContaining("in family f");
    }
  }

  @Test
  void aCompressionThatNeedsALibraryIsRefusedWithTheReason() {
    assertThatThrownBy(() -> Compression.of("lzma")).hasMessageContaining("native library");
  }

  private HFileWriter writer(String path) throws IOException {
    return new HFileWriter(storage, path, HFiles.plain(), Clock.SYSTEM);
  }

  private static Cell put(String row, long timestamp) {
    return Cell.put(
        Bytes.utf8(row), Bytes.utf8("f"), Bytes.utf8("q"), timestamp, Bytes.utf8("value"));
  }
}
