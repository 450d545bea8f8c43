package dev.cairn.engine.hfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.schema.FamilySchema.BloomType;
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

  @ParameterizedTest
  @MethodSource("shapes")
  void anyFlippedByteIsHarmlessOrFound(HFileOptions options) throws IOException {
    HFiles.write(storage, "file", options, cells);
    byte[] file = storage.files.get("file");
    int found = 0;
    for (int at = 0; at < file.length; at++) {
      if (at > file.length - HFileFormat.TRAILER_SIZE + 200 && at < file.length - 200) {
        // The trailer's padding.
        continue;
      }
      if (options.encoding() != DataBlockEncoding.NONE && at % 4 != 0) {
        // What is common to all shapes is tested with the plain one.
        continue;
      }
      byte mask = (byte) (at % 9 == 8 ? 0xFF : 1 << at % 9);
      file[at] ^= mask;
      found += isFound("byte " + at + " ^ " + mask) ? 1 : 0;
      file[at] ^= mask;
    }
    int read = file.length - HFileFormat.TRAILER_SIZE;
    assertThat(found)
        .isGreaterThanOrEqualTo(options.encoding() == DataBlockEncoding.NONE ? read : read / 4);
  }

  /** Without checksums wrong values can come out, but nothing may break. */
  @ParameterizedTest
  @MethodSource("shapes")
  void withoutChecksumsDecodersStayWithinBounds(HFileOptions options) throws IOException {
    HFiles.write(storage, "file", options.withChecksum(ChecksumType.NULL), cells);
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

  private boolean isFound(String what) throws IOException {
    try (HFileReader reader = HFiles.open(storage, "file")) {
      assertThat(HFiles.readAll(reader)).as(what).isEqualTo(expected);
      reader.midRow();
      for (Cell cell : cells) {
        assertThat(reader.mayContainColumn(cell)).as(what).isTrue();
        assertThat(reader.mayContainRow(cell.bytes(), cell.rowOffset(), cell.rowLength()))
            .as(what)
            .isTrue();
      }
      return false;
    } catch (CorruptFileException | UnsupportedFileException e) {
      return true;
    }
  }
}
