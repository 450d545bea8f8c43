package dev.cairn.server.rpc.wire;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import io.netty.buffer.ByteBuf;

/**
 * The formats of the cells that follow a message. Both codecs write each cell as a 4-byte length
 * and that many bytes in KeyValue layout; {@link #KEY_VALUE} leaves the tags out.
 *
 * <p>Format: HBase's {@code KeyValueCodec} and {@code KeyValueCodecWithTags}.
 */
public enum CellBlockCodec {
  /** No cells beside messages: the connection header named no codec. */
  NONE(""),
  /** Cells without their tags. */
  KEY_VALUE("org.apache.hadoop.hbase.codec.KeyValueCodec"),
  /** Cells with their tags. */
  KEY_VALUE_WITH_TAGS("org.apache.hadoop.hbase.codec.KeyValueCodecWithTags");

  private static final CellBlockCodec[] VALUES = values();

  private final String className;

  CellBlockCodec(String className) {
    this.className = className;
  }

  public String className() {
    return className;
  }

  /**
   * Returns the codec that a connection header names.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static CellBlockCodec named(String className) {
    for (CellBlockCodec codec : VALUES) {
      if (codec.className.equals(className)) {
        return codec;
      }
    }
    throw new IllegalArgumentException(
        "The cell codec "
            + className
            + " is not supported; use "
            + KEY_VALUE.className
            + " or "
            + KEY_VALUE_WITH_TAGS.className);
  }

  /**
   * Reads the {@code length} bytes that follow in {@code in} as cells.
   *
   * @throws IllegalArgumentException if they are not whole, well-formed cells
   */
  public CellBuffer read(ByteBuf in, int length) {
    byte[] block = new byte[length];
    in.readBytes(block);
    CellBuffer cells = CellBuffer.ofBlock(block);
    // A codec without tags: bytes that look like tags are not part of the cell.
    return hasBytesToLeaveOut(cells) ? withoutTags(cells) : cells;
  }

  /** Returns the number of bytes that {@link #write} writes. */
  public long length(CellBuffer cells) {
    long length = cells.blockSize();
    if (this == KEY_VALUE && cells.mayHaveTags()) {
      for (int i = 0; i < cells.size(); i++) {
        length -= cells.length(i) - plainLength(cells.bytes(i), cells.offset(i));
      }
    }
    return length;
  }

  /** Appends all cells to {@code out}, which has room for them. */
  public void write(CellBuffer cells, ByteBuf out) {
    CellBuffer written = hasBytesToLeaveOut(cells) ? withoutTags(cells) : cells;
    for (int piece = 0; piece < written.pieces(); piece++) {
      out.writeBytes(written.piece(piece), 0, written.pieceSize(piece));
    }
  }

  /** Tells whether {@link #write} would write something else than the buffer's own bytes. */
  boolean hasBytesToLeaveOut(CellBuffer cells) {
    return this == KEY_VALUE && cells.mayHaveTags() && length(cells) < cells.blockSize();
  }

  private static CellBuffer withoutTags(CellBuffer cells) {
    CellBuffer plain = new CellBuffer(cells.byteSize(), cells.size());
    for (int i = 0; i < cells.size(); i++) {
      byte[] bytes = cells.bytes(i);
      int offset = cells.offset(i);
      plain.add(bytes, offset, plainLength(bytes, offset));
    }
    return plain;
  }

  private static int plainLength(byte[] bytes, int offset) {
    return Cell.LENGTHS_SIZE + Bytes.getInt(bytes, offset) + Bytes.getInt(bytes, offset + 4);
  }
}
