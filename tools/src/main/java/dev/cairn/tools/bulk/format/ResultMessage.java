package dev.cairn.tools.bulk.format;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;

/**
 * Writes and reads HBase's message {@code Result} after its length, directly from and to cells: one
 * array for a row instead of several objects for each cell. One thread.
 *
 * <pre>
 *   Result: 1 cell*, 2 associated_cell_count, 3 exists, 4 stale, 5 partial
 *   Cell:   1 row, 2 family, 3 qualifier, 4 timestamp, 5 cell_type, 6 value, 7 tags
 * </pre>
 */
final class ResultMessage {
  private static final int VARINT = 0;
  private static final int FIXED_64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED_32 = 5;
  private static final int TYPE_BITS = 3;
  private static final int GROUP_BITS = 7;
  private static final int MORE = 1 << GROUP_BITS;
  private static final int VARINT_BYTES_MAX = 10;

  private static final int CELL = 1 << TYPE_BITS | BYTES;
  private static final int ASSOCIATED_COUNT = 2 << TYPE_BITS | VARINT;
  private static final int STALE = 4 << TYPE_BITS | VARINT;
  private static final int PARTIAL = 5 << TYPE_BITS | VARINT;
  private static final int ROW = 1 << TYPE_BITS | BYTES;
  private static final int FAMILY = 2 << TYPE_BITS | BYTES;
  private static final int QUALIFIER = 3 << TYPE_BITS | BYTES;
  private static final int TIMESTAMP = 4 << TYPE_BITS | VARINT;
  private static final int TYPE = 5 << TYPE_BITS | VARINT;
  private static final int VALUE = 6 << TYPE_BITS | BYTES;
  private static final int TAGS = 7 << TYPE_BITS | BYTES;

  private byte[] bytes = new byte[1024];
  private int size;

  /** Writes a result that has cells. */
  void write(Result result, OutputStream out) throws IOException {
    size = 0;
    for (Cell cell : result.rawCells()) {
      writeCell(cell, cell instanceof ExtendedCell extended ? extended.getTagsLength() : 0);
    }
    field(STALE, result.isStale() ? 1 : 0);
    field(PARTIAL, result.mayHaveMoreCellsInRow() ? 1 : 0);
    int length = size;
    reserve(VARINT_BYTES_MAX);
    varint(length);
    out.write(bytes, length, size - length);
    out.write(bytes, 0, length);
  }

  private void writeCell(Cell cell, int tags) {
    int typeCode = cell.getType().getCode() & 0xff;
    int length =
        fieldSize(cell.getRowLength())
            + fieldSize(cell.getFamilyLength())
            + fieldSize(cell.getQualifierLength())
            + 1
            + varintSize(cell.getTimestamp())
            + 1
            + varintSize(typeCode)
            + fieldSize(cell.getValueLength())
            + fieldSize(tags);
    reserve(length + 1 + VARINT_BYTES_MAX);
    bytes[size++] = CELL;
    varint(length);
    field(ROW, cell.getRowArray(), cell.getRowOffset(), cell.getRowLength());
    field(FAMILY, cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
    field(
        QUALIFIER, cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
    field(TIMESTAMP, cell.getTimestamp());
    field(TYPE, typeCode);
    field(VALUE, cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    if (cell instanceof ExtendedCell extended) {
      field(TAGS, extended.getTagsArray(), extended.getTagsOffset(), tags);
    } else {
      field(TAGS, bytes, 0, 0);
    }
  }

  private static int fieldSize(int length) {
    return 1 + varintSize(length) + length;
  }

  private static int varintSize(long value) {
    return Math.max(
        1, (Long.SIZE - Long.numberOfLeadingZeros(value) + GROUP_BITS - 1) / GROUP_BITS);
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }

  private void field(int tag, byte[] source, int offset, int length) {
    bytes[size++] = (byte) tag;
    varint(length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
  }

  private void field(int tag, long value) {
    reserve(1 + VARINT_BYTES_MAX);
    bytes[size++] = (byte) tag;
    varint(value);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & -MORE) != 0) {
      bytes[size++] = (byte) (rest | MORE);
      rest >>>= GROUP_BITS;
    }
    bytes[size++] = (byte) rest;
  }

  /**
   * Reads a message and returns its cells, in its order.
   *
   * @throws IOException if it is damaged, or has cells beside it
   */
  List<Cell> read(InputStream in) throws IOException {
    long length = 0;
    int shift = 0;
    for (int b = MORE; (b & MORE) != 0; shift += GROUP_BITS) {
      b = in.read();
      if (b < 0 || shift >= Integer.SIZE) {
        throw new EOFException("a row's length is damaged");
      }
      length |= (long) (b & MORE - 1) << shift;
    }
    if (length > Integer.MAX_VALUE) {
      throw new IOException("a row has " + length + " bytes");
    }
    size = (int) length;
    if (bytes.length < size) {
      bytes = new byte[size];
    }
    if (in.readNBytes(bytes, 0, size) < size) {
      throw new EOFException("a row should have " + size + " bytes");
    }
    List<Cell> cells = new ArrayList<>();
    Parser parser = new Parser(bytes, 0, size);
    while (parser.at < size) {
      int tag = (int) parser.varint();
      if (tag == CELL) {
        int end = parser.end();
        cells.add(readCell(new Parser(bytes, parser.at, end)));
        parser.at = end;
      } else if (tag == ASSOCIATED_COUNT) {
        throw new IOException("a row's cells are not in its message");
      } else {
        parser.skip(tag);
      }
    }
    return cells;
  }

  private static KeyValue readCell(Parser cell) throws IOException {
    byte[] bytes = cell.bytes;
    int row = 0;
    int rowLength = 0;
    int family = 0;
    int familyLength = 0;
    int qualifier = 0;
    int qualifierLength = 0;
    int value = 0;
    int valueLength = 0;
    int tags = 0;
    int tagsLength = 0;
    long timestamp = 0;
    int type = 0;
    while (cell.at < cell.limit) {
      int tag = (int) cell.varint();
      if (tag == TIMESTAMP) {
        timestamp = cell.varint();
        continue;
      }
      if (tag == TYPE) {
        type = (int) cell.varint();
        continue;
      }
      if ((tag & (1 << TYPE_BITS) - 1) != BYTES) {
        cell.skip(tag);
        continue;
      }
      int end = cell.end();
      int length = end - cell.at;
      switch (tag) {
        case ROW -> {
          row = cell.at;
          rowLength = length;
        }
        case FAMILY -> {
          family = cell.at;
          familyLength = length;
        }
        case QUALIFIER -> {
          qualifier = cell.at;
          qualifierLength = length;
        }
        case VALUE -> {
          value = cell.at;
          valueLength = length;
        }
        case TAGS -> {
          tags = cell.at;
          tagsLength = length;
        }
        default -> {}
      }
      cell.at = end;
    }
    try {
      return new KeyValue(
          bytes,
          row,
          rowLength,
          bytes,
          family,
          familyLength,
          bytes,
          qualifier,
          qualifierLength,
          timestamp,
          KeyValue.Type.codeToType((byte) type),
          bytes,
          value,
          valueLength,
          bytes,
          tags,
          tagsLength);
    } catch (RuntimeException e) {
      throw new IOException("a cell is damaged: " + e.getMessage(), e);
    }
  }

  /** Reads fields from a part of an array. */
  private static final class Parser {
    private final byte[] bytes;
    private final int limit;
    private int at;

    Parser(byte[] bytes, int from, int limit) {
      this.bytes = bytes;
      this.at = from;
      this.limit = limit;
    }

    long varint() throws IOException {
      long value = 0;
      for (int shift = 0; shift < Long.SIZE; shift += GROUP_BITS) {
        if (at >= limit) {
          throw new EOFException("a cell is cut off");
        }
        int b = bytes[at++];
        value |= (long) (b & MORE - 1) << shift;
        if (b >= 0) {
          return value;
        }
      }
      throw new IOException("a number has too many bytes");
    }

    /** Reads a length, and returns where its bytes end. */
    int end() throws IOException {
      long length = varint();
      if (length < 0 || length > limit - at) {
        throw new EOFException("a cell is cut off");
      }
      return at + (int) length;
    }

    void skip(int tag) throws IOException {
      switch (tag & (1 << TYPE_BITS) - 1) {
        case VARINT -> varint();
        case BYTES -> at = end();
        case FIXED_64 -> at += Long.BYTES;
        case FIXED_32 -> at += Integer.BYTES;
        default -> throw new IOException("field " + (tag >> TYPE_BITS) + " has an unknown type");
      }
    }
  }
}
