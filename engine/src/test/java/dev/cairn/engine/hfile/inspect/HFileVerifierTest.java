package dev.cairn.engine.hfile.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.HFiles;
import dev.cairn.engine.hfile.MapStorage;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.BlockType;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import dev.cairn.engine.storage.Finding;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A whole file has no findings; whatever is wrong with one is found, with its place. */
class HFileVerifierTest {
  private final MapStorage storage = new MapStorage();

  @Test
  void filesOfEveryShapeAreWell() throws IOException {
    long seed = 42;
    Random random = new Random(seed);
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      for (BloomType bloom : BloomType.values()) {
        boolean tags = random.nextBoolean();
        Compression compression = random.nextBoolean() ? Compression.NONE : Compression.GZ;
        String name = encoding + "-" + bloom + "-" + tags + "-" + compression;
        HFiles.write(
            storage,
            name,
            HFiles.options(compression, encoding, bloom, tags),
            HFiles.randomCells(random, random.nextInt(200), tags));
        assertThat(HFileVerifier.verify(storage, name)).as(name + ", seed " + seed).isEmpty();
      }
    }
  }

  /** HFileDamageTest flips every bit; here it matters that nothing but findings comes of it. */
  @Test
  void aFlippedByteIsFound() throws IOException {
    byte[] file = write(HFiles.plain());
    for (int at = 0; at < file.length; at += 11) {
      file[at] ^= 0x11;
      try {
        List<Finding> findings = HFileVerifier.verify(storage, "file");
        assertThat(findings).as("byte " + at).isNotEmpty();
        assertThat(findings).extracting(Finding::path).containsOnly("file");
      } catch (UnsupportedFileException e) {
        assertThat(e).hasMessageContaining("file");
      }
      file[at] ^= 0x11;
    }
    assertThat(HFileVerifier.verify(storage, "file")).isEmpty();
  }

  @Test
  void damageInOnePlaceDoesNotHideThatInAnother() throws IOException {
    byte[] file = write(HFiles.plain());
    int second = indexOf(file, BlockType.DATA, 200);
    int third = indexOf(file, BlockType.DATA, 1000);
    file[second + 40] ^= 1;
    file[third + 40] ^= 1;

    assertThat(HFileVerifier.verify(storage, "file"))
        .extracting(Finding::offset)
        .containsExactly((long) second, (long) third);
  }

  /** Without checksums nothing but the content tells. */
  @Test
  void cellsOutOfOrderAreFound() throws IOException {
    byte[] file = write(unprotected());
    int block = indexOf(file, BlockType.DATA, 1000);
    int row = block + HFileFormat.HEADER_SIZE + Cell.LENGTHS_SIZE + 2;
    assertThat(Bytes.toStringBinary(file, row, 3)).isEqualTo("row");
    file[row] = 'z';

    assertThat(HFileVerifier.verify(storage, "file"))
        .anySatisfy(
            finding -> {
              assertThat(finding.offset()).isEqualTo(block);
              assertThat(finding.what()).contains("zow").contains("lies behind it");
            });
  }

  @Test
  void aBloomFilterThatDeniesACellIsFound() throws IOException {
    byte[] file = write(unprotected());
    int chunk = indexOf(file, BlockType.BLOOM_CHUNK, 0);
    file[chunk + HFileFormat.HEADER_SIZE] = 0;
    file[chunk + HFileFormat.HEADER_SIZE + 1] = 0;

    assertThat(HFileVerifier.verify(storage, "file"))
        .extracting(Finding::what)
        .anyMatch(what -> what.startsWith("the Bloom filter says that there is no row"));
  }

  @Test
  void anIndexThatLeadsPastABlockIsFound() throws IOException {
    byte[] file = write(unprotected());
    int leaf = indexOf(file, BlockType.LEAF_INDEX, 0);
    int entries = leaf + HFileFormat.HEADER_SIZE;
    int count = Bytes.getInt(file, entries);
    assertThat(count).isGreaterThan(1);
    int first = entries + 4 + 4 * (count + 1);
    int second = first + Bytes.getInt(file, entries + 8);
    System.arraycopy(file, second, file, first, 12); // both entries lead to the second block

    assertThat(HFileVerifier.verify(storage, "file"))
        .extracting(Finding::what)
        .anyMatch(what -> what.contains("no entry of the index leads to this data block"))
        .anyMatch(what -> what.contains("not in the order of the file"));
  }

  @Test
  void aMissingFileIsNoFinding() {
    assertThatThrownBy(() -> HFileVerifier.verify(storage, "none"))
        .isInstanceOf(NoSuchFileException.class);
  }

  private static HFileOptions unprotected() {
    HFileOptions plain = HFiles.plain();
    return plain.withSettings(plain.settings().withChecksum(ChecksumType.NULL, 16384));
  }

  private byte[] write(HFileOptions options) throws IOException {
    HFiles.write(storage, "file", options, HFiles.randomCells(new Random(7), 60, true));
    return storage.files.get("file");
  }

  private static int indexOf(byte[] file, BlockType type, int from) {
    for (int at = from; at < file.length - BlockType.MAGIC_SIZE; at++) {
      if (BlockType.read(file, at) == type) {
        return at;
      }
    }
    throw new AssertionError("No block " + type + " from " + from);
  }
}
