package dev.cairn.engine.hfile.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.HFiles;
import dev.cairn.engine.hfile.MapStorage;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damage leads to the right cells or to an error that says so, and to nothing else. */
class HFileDamageTest {
  private final MapStorage storage = new MapStorage();
  private final List<Cell> cells = HFiles.randomCells(new Random(7), 40, true);
  private final List<String> expected = HFiles.describe(cells);

  static Stream<HFileOptions> shapes() {
    return Stream.of(
        HFiles.plain(),
        HFiles.options(Compression.NONE, DataBlockEncoding.PREFIX, BloomType.ROWCOL, true),
        HFiles.options(Compression.ZSTD, DataBlockEncoding.DIFF, BloomType.ROW, true),
        HFiles.options(Compression.LZ4, DataBlockEncoding.FAST_DIFF, BloomType.ROW, true),
        HFiles.options(Compression.GZ, DataBlockEncoding.ROW_INDEX_V1, BloomType.NONE, true));
  }

  /** Any byte: a bit, another bit, all of them. */
  @ParameterizedTest
  @MethodSource("shapes")
  void everyFlippedByteIsFound(HFileOptions options) throws IOException {
    byte[] file = write(options);
    for (int at = 0; at < file.length; at++) {
      boolean plain = options.encoding() == DataBlockEncoding.NONE;
      if (!plain && at % 3 != 0) {
        // What is common to all shapes is tested with the plain one.
        continue;
      }
      for (int mask : plain && !isPadding(at, file.length) ? masks(at) : oneMask(at)) {
        file[at] ^= (byte) mask;
        assertFound("byte " + at + " ^ " + mask);
        file[at] ^= (byte) mask;
      }
    }
    assertThat(readEverything()).isEqualTo(expected);
  }

  /** As disks and file systems do it: parts of the file are zeros, or are those of another one. */
  @Test
  void zeroedAndMixedUpSectorsAreFound() throws IOException {
    byte[] file = write(HFiles.plain());
    byte[] whole = file.clone();
    int sector = 64;
    for (int at = 0; at + sector <= file.length; at += sector) {
      Arrays.fill(file, at, at + sector, (byte) 0);
      if (!Arrays.equals(file, whole)) {
        assertFound("zeros at " + at);
      }
      int other = (at * 7 + 1000) % (file.length - sector);
      System.arraycopy(whole, other, file, at, sector);
      if (!Arrays.equals(file, whole)) {
        assertFound("bytes of " + other + " at " + at);
      }
      System.arraycopy(whole, at, file, at, sector);
    }
  }

  /** Without checksums wrong values can come out, but nothing may break. */
  @ParameterizedTest
  @MethodSource("shapes")
  void withoutChecksumsDecodersStayWithinBounds(HFileOptions options) throws IOException {
    HFiles.write(
        storage,
        "file",
        options.withSettings(options.settings().withChecksum(ChecksumType.NULL, 1 << 14)),
        cells);
    byte[] file = storage.files.get("file");
    Random random = new Random(3);
    for (int i = 0; i < 800; i++) {
      int at = random.nextInt(file.length - HFileFormat.TRAILER_SIZE);
      byte before = file[at];
      file[at] = (byte) random.nextInt();
      try (HFileReader reader = HFiles.open(storage, "file")) {
        HFiles.readAll(reader);
        for (Cell cell : cells) {
          reader.mayContainColumn(cell);
        }
      } catch (CorruptFileException | UnsupportedFileException e) {
        assertThat(e).hasMessageContaining("file");
      }
      file[at] = before;
    }
  }

  @Test
  void aTruncatedFileIsRefused() throws IOException {
    HFiles.write(storage, "file", HFiles.plain(), cells);
    byte[] file = storage.files.get("file");
    for (int length = 0; length < file.length; length += 1 + length % 13) {
      storage.files.put("file", Arrays.copyOf(file, length));
      assertThatThrownBy(() -> HFiles.open(storage, "file").close())
          .isInstanceOf(CorruptFileException.class)
          .hasMessageContaining("Store file file is damaged at byte");
    }
  }

  @Test
  void aFileInAnotherOrderIsRefused() throws IOException {
    HFiles.write(storage, "file", HFiles.plain(), cells);
    assertThatThrownBy(
            () ->
                HFileReader.open(
                    storage, "file", new BlockCache(0, Runnable::run), CellComparator.META))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageContaining("KeyValue$MetaComparator")
        .hasMessageContaining("KeyValue$KVComparator");
  }

  @Test
  void theErrorNamesFileOffsetExpectedAndFound() throws IOException {
    HFiles.write(storage, "file", HFiles.plain(), cells);
    storage.files.get("file")[0] = 'X';
    try (HFileReader reader = HFiles.open(storage, "file")) {
      assertThatThrownBy(() -> HFiles.readAll(reader))
          .isInstanceOf(CorruptFileException.class)
          .hasMessage(
              "Store file file is damaged at byte 0: expected block type DATABLK*,"
                  + " found XATABLK*");
    }
  }

  private byte[] write(HFileOptions options) throws IOException {
    try (HFileWriter writer = new HFileWriter(storage, "file", options, Clock.SYSTEM)) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
      writer.appendMetaBlock("meta", Bytes.utf8("content"));
      writer.setMaxSequence(17);
      writer.finish();
    }
    return storage.files.get("file");
  }

  private static boolean isPadding(int at, int length) {
    return at > length - HFileFormat.TRAILER_SIZE + 120 && at < length - 16;
  }

  private static int[] masks(int at) {
    return new int[] {1 << at % 8, 1 << (at + 3) % 8, 0xFF};
  }

  private static int[] oneMask(int at) {
    return new int[] {at % 9 == 8 ? 0xFF : 1 << at % 9};
  }

  /** Reads all there is in every way, and wants an error that says which file and where. */
  private void assertFound(String what) throws IOException {
    try {
      readEverything();
    } catch (CorruptFileException e) {
      assertThat(e.path()).isEqualTo("file");
      assertThat(e.offset())
          .as(what + ": " + e.getMessage())
          .isBetween(0L, (long) storage.files.get("file").length);
      assertThat(e).hasMessageContaining("Store file file is damaged at byte " + e.offset());
      return;
    }
    throw new AssertionError(what + " was not found");
  }

  private List<String> readEverything() throws IOException {
    try (HFileReader reader = HFiles.open(storage, "file")) {
      List<String> found = HFiles.readAll(reader);
      reader.midRow();
      reader.metaBlock("meta").orElseThrow();
      try (CellCursor cursor = reader.cursor(false)) {
        for (Cell cell : cells) {
          cursor.seek(cell);
          reader.mayContainColumn(cell);
          reader.mayContainRow(cell.bytes(), cell.rowOffset(), cell.rowLength());
          reader.mayContainDeleteFamily(cell.bytes(), cell.rowOffset(), cell.rowLength());
        }
      }
      return found;
    }
  }
}
