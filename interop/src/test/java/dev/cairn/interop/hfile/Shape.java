package dev.cairn.interop.hfile;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.codec.Compression;
import dev.cairn.engine.hfile.encoding.DataBlockEncoding;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.schema.FamilySchema.BloomType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * What a file is made like.
 *
 * @param tags whether cells have tags
 * @param sequences whether cells have MVCC numbers
 * @param blockSize the size of data blocks, bytes
 * @param compressTags whether Apache's writer compresses tags in encoded blocks
 * @param chunks the sizes of full parts of indexes and of Bloom filters
 */
record Shape(
    Compression compression,
    DataBlockEncoding encoding,
    BloomType bloom,
    boolean tags,
    boolean sequences,
    int blockSize,
    ChunkSizes chunks,
    Checksum checksum,
    boolean compressTags) {
  static final int PREFIX_LENGTH = 3;

  private static final List<List<?>> CHOICES =
      List.of(
          List.of(Compression.values()),
          List.of(DataBlockEncoding.values()),
          List.of(BloomType.values()),
          List.of(false, true),
          List.of(false, true),
          List.of(1, 400, 65536),
          List.of(ChunkSizes.values()),
          List.of(Checksum.values()),
          List.of(false, true));

  /** How large the parts of indexes and of Bloom filters are. */
  enum ChunkSizes {
    SMALL(200, 64),
    USUAL(128 * 1024, 128 * 1024);

    final int index;
    final int bloom;

    ChunkSizes(int index, int bloom) {
      this.index = index;
      this.bloom = bloom;
    }
  }

  /** How blocks are protected. */
  enum Checksum {
    NONE(ChecksumType.NULL, 16384),
    CRC32(ChecksumType.CRC32, 16384),
    CRC32C(ChecksumType.CRC32C, 16384),
    MANY(ChecksumType.CRC32C, 100);

    final ChecksumType type;
    final int bytes;

    Checksum(ChecksumType type, int bytes) {
      this.type = type;
      this.bytes = bytes;
    }
  }

  HFileOptions options() {
    return new HFileOptions(
        blockSize,
        compression,
        encoding,
        bloom,
        bloom == BloomType.ROWPREFIX_FIXED_LENGTH ? PREFIX_LENGTH : 0,
        CellComparator.USER,
        tags,
        HFileSettings.DEFAULTS
            .withChecksum(checksum.type, checksum.bytes)
            .withChunkSizes(chunks.index, chunks.bloom)
            .withZstdFraming(HFileSettings.ZstdFraming.BLOCKS));
  }

  /** Returns a row for people. */
  static String text(byte[] row) {
    return Bytes.toStringBinary(row);
  }

  /** Returns every combination of the first six choices; of the others each time one by chance. */
  static List<Shape> all(Random random) {
    List<List<Integer>> all = List.of(List.of());
    for (int i = 0; i < CHOICES.size(); i++) {
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> start : all) {
        int size = CHOICES.get(i).size();
        for (int choice = 0; choice < size; choice++) {
          List<Integer> more = new ArrayList<>(start);
          more.add(i < 6 ? choice : random.nextInt(size));
          longer.add(more);
          if (i >= 6) {
            break;
          }
        }
      }
      all = longer;
    }
    return all.stream().map(Shape::of).toList();
  }

  /** Returns few shapes, among which there is every pair of two choices. */
  static List<Shape> pairs(Random random) {
    Set<List<Integer>> open = new HashSet<>(pairsOf(null));
    List<Shape> shapes = new ArrayList<>();
    while (!open.isEmpty()) {
      List<Integer> best = null;
      long most = 0;
      for (int tries = 0; tries < 60 || most == 0; tries++) {
        List<Integer> candidate =
            CHOICES.stream().map(choice -> random.nextInt(choice.size())).toList();
        long found = pairsOf(candidate).stream().filter(open::contains).count();
        if (found > most) {
          most = found;
          best = candidate;
        }
      }
      open.removeAll(pairsOf(best));
      shapes.add(of(best));
    }
    return shapes;
  }

  /** Returns the pairs of choices in {@code shape}, all there are if it is null. */
  private static List<List<Integer>> pairsOf(List<Integer> shape) {
    List<List<Integer>> pairs = new ArrayList<>();
    for (int a = 0; a < CHOICES.size(); a++) {
      for (int b = a + 1; b < CHOICES.size(); b++) {
        for (int i = 0; i < CHOICES.get(a).size(); i++) {
          for (int j = 0; j < CHOICES.get(b).size(); j++) {
            if (shape == null || shape.get(a) == i && shape.get(b) == j) {
              pairs.add(Arrays.asList(a, i, b, j));
            }
          }
        }
      }
    }
    return pairs;
  }

  private static Shape of(List<Integer> choices) {
    return new Shape(
        (Compression) CHOICES.get(0).get(choices.get(0)),
        (DataBlockEncoding) CHOICES.get(1).get(choices.get(1)),
        (BloomType) CHOICES.get(2).get(choices.get(2)),
        (boolean) CHOICES.get(3).get(choices.get(3)),
        (boolean) CHOICES.get(4).get(choices.get(4)),
        (int) CHOICES.get(5).get(choices.get(5)),
        (ChunkSizes) CHOICES.get(6).get(choices.get(6)),
        (Checksum) CHOICES.get(7).get(choices.get(7)),
        (boolean) CHOICES.get(8).get(choices.get(8)));
  }
}
