package dev.cairn.engine.hfile.encoding;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.hfile.block.BlockMemory;
import dev.cairn.engine.hfile.block.DataBlock;
import dev.cairn.engine.hfile.format.ByteSink;
import dev.cairn.engine.hfile.format.HFileFormat;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The common part of the encodings that store each cell as its difference from the previous one.
 *
 * <pre>int length of the plain cells | per cell: key and value, as the encoding has it |
 *     packed tagsLength, tags, if the file has them | sequence number, if the file has them</pre>
 */
abstract sealed class DeltaEncoding implements BlockEncoding
    permits PrefixEncoding, DiffEncoding, FastDiffEncoding {
  /** The end of a key: timestamp and type. */
  static final int TIMESTAMP_AND_TYPE = 9;

  private final boolean compressedTags;

  /**
   * Creates an encoding.
   *
   * @param compressedTags whether tags are read through a {@link TagDictionary}; they are written
   *     as they are
   */
  DeltaEncoding(boolean compressedTags) {
    this.compressedTags = compressedTags;
  }

  /**
   * Appends key and value of {@code cell}; {@code previous} shows nothing for the first cell.
   *
   * @param common how many bytes at the beginning of both keys are equal, timestamp and type apart
   */
  abstract void encodeCell(Cell previous, boolean first, Cell cell, int common, ByteSink target);

  /** Reads one cell and writes it, without tags and sequence number, after the previous one. */
  abstract void decodeCell(Decoder decoder) throws IOException;

  /** Appends the part before all cells. */
  void encodeStart(Cell first, ByteSink target) {}

  /** Reads the part before all cells. */
  void decodeStart(Decoder decoder) throws IOException {}

  @Override
  public final void encode(
      byte[] plain, int from, int to, boolean tags, boolean sequences, ByteSink target) {
    target.putInt(to - from);
    Cell cell = new Cell();
    Cell previous = new Cell();
    int end;
    for (int at = from; at < to; at = end) {
      end = DataBlock.read(plain, at, tags, sequences, cell);
      int common = 0;
      if (at == from) {
        encodeStart(cell, target);
      } else {
        common = commonPrefix(previous, cell);
        checkFamily(previous, cell, common);
      }
      encodeCell(previous, at == from, cell, common, target);
      int tail = cell.valueOffset() + cell.valueLength();
      if (tags) {
        target.putPacked(cell.tagsLength());
        tail += 2;
      }
      target.put(plain, tail, end - tail);
      previous.set(cell);
    }
  }

  private static void checkFamily(Cell previous, Cell cell, int common) {
    boolean known = common >= 3 + cell.rowLength() + cell.familyLength();
    if (!known && !cell.sameFamily(previous)) {
      throw new IllegalStateException(
          "Cells of different families in one file: " + previous + ", " + cell);
    }
  }

  @Override
  public final DataBlock decode(
      byte[] encoded, int from, int to, boolean tags, boolean sequences, BlockMemory memory)
      throws IOException {
    int length = to - from < Integer.BYTES ? -1 : Bytes.getInt(encoded, from);
    if (length < 0 || length > maxPlainSize(to - from)) {
      throw new IOException("cells of " + length + " bytes");
    }
    Decoder decoder =
        new Decoder(
            encoded,
            from + Integer.BYTES,
            to,
            length,
            memory,
            compressedTags ? Optional.of(new TagDictionary()) : Optional.empty());
    decodeStart(decoder);
    while (decoder.hasMore()) {
      decodeCell(decoder);
      decoder.copyTail(tags, sequences);
    }
    return decoder.finish(tags, sequences);
  }

  private static int commonPrefix(Cell a, Cell b) {
    int length = Math.min(a.keyLength(), b.keyLength()) - TIMESTAMP_AND_TYPE;
    return commonPrefix(a, b, length);
  }

  /** Returns how many of the first {@code length} bytes of both keys are equal. */
  static int commonPrefix(Cell a, Cell b, int length) {
    int mismatch =
        Arrays.mismatch(
            a.bytes(),
            a.keyOffset(),
            a.keyOffset() + length,
            b.bytes(),
            b.keyOffset(),
            b.keyOffset() + length);
    return mismatch < 0 ? length : mismatch;
  }

  /**
   * Appends row, family and qualifier from byte {@code common} of the key; the family is left out
   * if the row is not common, because the reader knows it.
   */
  static void putColumn(Cell cell, int common, ByteSink target) {
    int start = target.reserve(cell.keyLength());
    target.setSize(writeColumn(cell, common, target.bytes(), start));
  }

  /** As {@link #putColumn}, at {@code offset}; returns the offset after the column. */
  static int writeColumn(Cell cell, int common, byte[] target, int offset) {
    int rowEnd = 2 + cell.rowLength();
    int at = offset;
    int rest = cell.keyOffset() + common;
    if (common < rowEnd) {
      System.arraycopy(cell.bytes(), rest, target, at, rowEnd - common);
      at += rowEnd - common;
      rest = cell.qualifierOffset();
    }
    int length = cell.keyOffset() + cell.keyLength() - TIMESTAMP_AND_TYPE - rest;
    System.arraycopy(cell.bytes(), rest, target, at, length);
    return at + length;
  }

  /** Returns the maximum decoded size of cells that take so many bytes encoded. */
  private static long maxPlainSize(int encodedSize) {
    return Math.min(
        HFileFormat.MAX_BLOCK_SIZE, Math.max(HFileFormat.HARMLESS_SIZE, 64L * encodedSize));
  }
}
