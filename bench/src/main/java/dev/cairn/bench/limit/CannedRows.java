package dev.cairn.bench.limit;

import dev.cairn.engine.cell.CellType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The rows of every table: as many rows as the shape says. One page of them is built, and returned
 * again and again. Within the page, row keys ascend; a get is answered with its first row.
 *
 * <p>The bytes are a cell block of HBase's {@code KeyValueCodec}: each cell a 4-byte length and
 * that many bytes in KeyValue layout. They never change, so any thread may read them.
 */
final class CannedRows {
  /** The maximum bytes that HBase's client asks for by default. */
  private static final int PAGE_BYTES = 2 << 20;

  private static final int LENGTHS = 4 + 4; // of key and value
  private static final String ROW_FORMAT = "user%019d"; // as long as YCSB's longest
  private static final long TIMESTAMP = 1_700_000_000_000L;

  private final Shape shape;
  private final ByteBuf page;
  private final int rowBytes;
  private final int pageRows;

  /**
   * The shape of the rows.
   *
   * @param family of all columns
   * @param fields columns of a row, named {@code field0}, {@code field1} and so on; at least one
   * @param valueBytes of each column
   * @param rows number of rows that a scan of the whole table returns; may be 0
   */
  record Shape(String family, int fields, int valueBytes, long rows) {
    Shape {
      if (family.isEmpty() || family.length() > Byte.MAX_VALUE) {
        throw new IllegalArgumentException("No name for a family: '" + family + "'");
      }
      if (fields < 1 || valueBytes < 0 || rows < 0 || (long) fields * valueBytes > 64 << 20) {
        throw new IllegalArgumentException(
            "Rows of %d fields of %d bytes, %d times, are not to be had"
                .formatted(fields, valueBytes, rows));
      }
    }
  }

  CannedRows(Shape shape) {
    this.shape = shape;
    ByteBuf first = Unpooled.buffer();
    Random random = new Random(1);
    writeRow(first, 0, random);
    this.rowBytes = first.readableBytes();
    this.pageRows = (PAGE_BYTES + rowBytes - 1) / rowBytes;
    ByteBuf rows = Unpooled.directBuffer(pageRows * rowBytes);
    for (int i = 0; i < pageRows; i++) {
      writeRow(rows, i, random);
    }
    this.page = rows.asReadOnly();
  }

  /** Returns the number of cells of a row. */
  int cellsOfRow() {
    return shape.fields();
  }

  /** Returns how many rows a scan of the whole table returns. */
  long rows() {
    return shape.rows();
  }

  /** Returns how many rows there are in a page: the most that one response holds. */
  int pageRows() {
    return pageRows;
  }

  /** Returns how many bytes of cell block a row takes. */
  int rowBytes() {
    return rowBytes;
  }

  /** Returns a view of the page's first {@code rows} rows, retained for the caller. */
  ByteBuf slice(int rows) {
    return page.retainedSlice(0, rows * rowBytes);
  }

  /** Appends the page's first {@code rows} rows. */
  void copy(ByteBuf out, int rows) {
    out.writeBytes(page, 0, rows * rowBytes);
  }

  private void writeRow(ByteBuf out, int number, Random random) {
    byte[] row = ROW_FORMAT.formatted(number).getBytes(StandardCharsets.UTF_8);
    byte[] family = shape.family().getBytes(StandardCharsets.UTF_8);
    byte[] value = new byte[shape.valueBytes()];
    // Sorted, since clients search a row's cells by bisection.
    for (String field :
        IntStream.range(0, shape.fields()).mapToObj(i -> "field" + i).sorted().toList()) {
      random.nextBytes(value);
      byte[] qualifier = field.getBytes(StandardCharsets.UTF_8);
      writeCell(
          out,
          Unpooled.wrappedBuffer(row),
          Unpooled.wrappedBuffer(family),
          Unpooled.wrappedBuffer(qualifier),
          Unpooled.wrappedBuffer(value));
    }
  }

  /** Appends a put's cell; the parts are not moved. */
  static void writeCell(
      ByteBuf out, ByteBuf row, ByteBuf family, ByteBuf qualifier, ByteBuf value) {
    int keyLength =
        2 + row.readableBytes() + 1 + family.readableBytes() + qualifier.readableBytes() + 8 + 1;
    out.writeInt(LENGTHS + keyLength + value.readableBytes());
    out.writeInt(keyLength);
    out.writeInt(value.readableBytes());
    out.writeShort(row.readableBytes());
    out.writeBytes(row, row.readerIndex(), row.readableBytes());
    out.writeByte(family.readableBytes());
    out.writeBytes(family, family.readerIndex(), family.readableBytes());
    out.writeBytes(qualifier, qualifier.readerIndex(), qualifier.readableBytes());
    out.writeLong(TIMESTAMP);
    out.writeByte(CellType.PUT.code());
    out.writeBytes(value, value.readerIndex(), value.readableBytes());
  }
}
