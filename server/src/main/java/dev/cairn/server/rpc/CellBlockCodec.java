package dev.cairn.server.rpc;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellFormat;
import io.netty.buffer.ByteBuf;

/**
 * How cells lie beside a message. Both codecs write each cell as a 4-byte length and that many
 * bytes in KeyValue layout; {@link #KEY_VALUE} leaves the tags out.
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

  String className() {
    return className;
  }

  /**
   * Returns the codec that a connection header names.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  static CellBlockCodec named(String className) {
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
    CellBuffer cells = new CellBuffer(length, Math.max(8, length >> 7));
    int end = in.readerIndex() + length;
    while (in.readerIndex() < end) {
      int left = end - in.readerIndex();
      int cellLength = left < Integer.BYTES ? -1 : in.readInt();
      if (cellLength < 0 || cellLength > left - Integer.BYTES) {
        throw new IllegalArgumentException(
            "Cell " + cells.size() + " of the cell block does not fit the " + left + " bytes left");
      }
      int at = cells.extend(cellLength);
      in.readBytes(cells.bytes(), at, cellLength);
      CellFormat.check(cells.bytes(), at, cellLength);
      if (this == KEY_VALUE && plainLength(cells.bytes(), at) < cellLength) {
        // This codec knows no tags: what looks like some is not part of the cell.
        int plain = plainLength(cells.bytes(), at);
        cells.truncate(cells.size() - 1);
        cells.extend(plain);
      }
    }
    return cells;
  }

  /** Returns the number of bytes that {@link #write} writes. */
  public long length(CellBuffer cells) {
    long length = (long) Integer.BYTES * cells.size() + cells.byteSize();
    if (this == KEY_VALUE) {
      for (int i = 0; i < cells.size(); i++) {
        length -= cells.length(i) - plainLength(cells.bytes(), cells.offset(i));
      }
    }
    return length;
  }

  /** Appends all cells to {@code out}, which has room for them. */
  public void write(CellBuffer cells, ByteBuf out) {
    byte[] bytes = cells.bytes();
    for (int i = 0; i < cells.size(); i++) {
      int offset = cells.offset(i);
      int length = this == KEY_VALUE ? plainLength(bytes, offset) : cells.length(i);
      out.writeInt(length);
      out.writeBytes(bytes, offset, length);
    }
  }

  private static int plainLength(byte[] bytes, int offset) {
    return Cell.LENGTHS_SIZE + Bytes.getInt(bytes, offset) + Bytes.getInt(bytes, offset + 4);
  }
}
