package dev.cairn.tools.bulk.format;

import dev.cairn.tools.bulk.format.RowFormat.RowReader;
import dev.cairn.tools.bulk.format.RowFormat.RowWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Lines of fields with one byte between them. Bytes are written as they are: rows and values with
 * that byte or with the end of a line do not fit, and are refused.
 */
public final class TsvFormat implements RowFormat {
  private final TsvColumns columns;
  private final byte separator;
  private final boolean compressed;
  private final boolean skipsEmpty;
  private final long defaultTimestamp;

  /**
   * Creates the format.
   *
   * @param separator between two fields
   * @param compressed whether files are written with gzip; readers accept both
   * @param skipsEmpty whether a reader skips empty fields; otherwise they are cells with empty
   *     values
   * @param defaultTimestamp the timestamp of lines that are read without one, in milliseconds
   */
  public TsvFormat(
      TsvColumns columns,
      byte separator,
      boolean compressed,
      boolean skipsEmpty,
      long defaultTimestamp) {
    this.columns = columns;
    this.separator = separator;
    this.compressed = compressed;
    this.skipsEmpty = skipsEmpty;
    this.defaultTimestamp = defaultTimestamp;
  }

  @Override
  public String extension() {
    return compressed ? ".tsv" + TextFile.GZIP : ".tsv";
  }

  @Override
  public String description() {
    StringBuilder text = new StringBuilder("TSV");
    for (TsvColumns.Field field : columns.fields()) {
      text.append(' ').append(name(field));
    }
    text.append(", separator ").append(separator);
    text.append(compressed ? ", gzip" : "").append(skipsEmpty ? ", no empty fields" : "");
    return text.toString();
  }

  private static String name(TsvColumns.Field field) {
    return field instanceof TsvColumns.Field.Value value
        ? Bytes.toStringBinary(value.family()) + ":" + Bytes.toStringBinary(value.qualifier())
        : field.getClass().getSimpleName();
  }

  @Override
  public RowWriter create(FileSystem files, Path path) throws IOException {
    return new LineWriter(TextFile.create(files, path, compressed));
  }

  @Override
  public RowReader open(FileSystem files, Path path) throws IOException {
    return new LineReader(TextFile.Lines.open(files, path));
  }

  private final class LineWriter implements RowWriter {
    private final OutputStream out;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LineWriter(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(Result row) throws IOException {
      line.reset();
      boolean later = false;
      for (TsvColumns.Field field : columns.fields()) {
        if (later) {
          line.write(separator);
        }
        later = true;
        if (field instanceof TsvColumns.Field.Row) {
          append(row, "its key", row.getRow(), 0, row.getRow().length);
        } else if (field instanceof TsvColumns.Field.Timestamp) {
          line.writeBytes(Long.toString(newest(row)).getBytes(StandardCharsets.US_ASCII));
        } else if (field instanceof TsvColumns.Field.Value value) {
          Cell cell = row.getColumnLatestCell(value.family(), value.qualifier());
          if (cell != null) {
            append(
                row,
                name(field),
                cell.getValueArray(),
                cell.getValueOffset(),
                cell.getValueLength());
          }
        }
      }
      line.write('\n');
      line.writeTo(out);
    }

    private void append(Result row, String what, byte[] bytes, int offset, int length)
        throws IOException {
      for (int i = offset; i < offset + length; i++) {
        if (bytes[i] == separator || bytes[i] == '\n') {
          throw new MalformedRowsException(
              "row "
                  + Bytes.toStringBinary(row.getRow())
                  + " does not fit into TSV: "
                  + what
                  + (bytes[i] == '\n' ? " has the end of a line" : " has the separator")
                  + "; use --separator, or --format json");
        }
      }
      line.write(bytes, offset, length);
    }

    private static long newest(Result row) {
      return Arrays.stream(row.rawCells()).mapToLong(Cell::getTimestamp).max().orElse(0);
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private final class LineReader implements RowReader {
    private final TextFile.Lines lines;

    LineReader(TextFile.Lines lines) {
      this.lines = lines;
    }

    @Override
    public boolean next(Consumer<Mutation> mutations) throws IOException {
      Optional<byte[]> line = lines.next();
      if (line.isEmpty()) {
        return false;
      }
      List<byte[]> fields = split(line.get());
      if (fields.size() != columns.fields().size()) {
        throw lines.malformed(
            fields.size() + " fields instead of the " + columns.fields().size() + " of --columns");
      }
      Put put = new Put(row(fields), timestamp(fields));
      for (int i = 0; i < fields.size(); i++) {
        if (columns.fields().get(i) instanceof TsvColumns.Field.Value value
            && !(skipsEmpty && fields.get(i).length == 0)) {
          put.addColumn(value.family(), value.qualifier(), fields.get(i));
        }
      }
      if (!put.isEmpty()) {
        mutations.accept(put);
      }
      return true;
    }

    private List<byte[]> split(byte[] line) {
      List<byte[]> fields = new ArrayList<>();
      int start = 0;
      for (int i = 0; i < line.length; i++) {
        if (line[i] == separator) {
          fields.add(Arrays.copyOfRange(line, start, i));
          start = i + 1;
        }
      }
      fields.add(Arrays.copyOfRange(line, start, line.length));
      return fields;
    }

    private byte[] row(List<byte[]> fields) throws IOException {
      byte[] row = field(TsvColumns.Field.Row.class, fields).orElseThrow();
      if (row.length == 0) {
        throw lines.malformed("the row key is empty");
      }
      return row;
    }

    private long timestamp(List<byte[]> fields) throws IOException {
      Optional<byte[]> field = field(TsvColumns.Field.Timestamp.class, fields);
      if (field.isEmpty()) {
        return defaultTimestamp;
      }
      String text = new String(field.get(), StandardCharsets.UTF_8);
      try {
        long timestamp = Long.parseLong(text);
        if (timestamp >= 0) {
          return timestamp;
        }
      } catch (NumberFormatException e) {
        // as if negative
      }
      throw lines.malformed("the timestamp is " + text + ", not a number of milliseconds");
    }

    private Optional<byte[]> field(Class<?> kind, List<byte[]> fields) {
      for (int i = 0; i < fields.size(); i++) {
        if (kind.isInstance(columns.fields().get(i))) {
          return Optional.of(fields.get(i));
        }
      }
      return Optional.empty();
    }

    @Override
    public long position() throws IOException {
      return lines.position();
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
