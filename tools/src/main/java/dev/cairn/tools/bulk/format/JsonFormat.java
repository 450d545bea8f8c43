package dev.cairn.tools.bulk.format;

import dev.cairn.keys.KeyDisplay;
import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyValues;
import dev.cairn.keys.ValuePart;
import dev.cairn.tools.bulk.format.RowFormat.RowReader;
import dev.cairn.tools.bulk.format.RowFormat.RowWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * JSON lines, one row each: {@code {"row": "r", "cells": [{"column": "f:q", "timestamp": 1,
 * "value": "v"}]}}. A marker has a {@code type} and no value. {@link JsonBytes} defines the form of
 * bytes. Files may have the parts of row keys, too, for other programs: {@code "key": {"host":
 * "web1", "seq": 7}}. Readers ignore them.
 */
public final class JsonFormat implements RowFormat {
  private static final String ROW = "row";
  private static final String KEY = "key";
  private static final String CELLS = "cells";
  private static final String COLUMN = "column";
  private static final String TIMESTAMP = "timestamp";
  private static final String TYPE = "type";
  private static final String VALUE = "value";

  private final boolean compressed;
  private final long defaultTimestamp;
  private final KeyDisplay keys;

  /**
   * Creates the format.
   *
   * @param compressed whether files are written with gzip; readers accept both
   * @param defaultTimestamp the timestamp of cells that are read without one, in milliseconds
   */
  public JsonFormat(boolean compressed, long defaultTimestamp) {
    this(compressed, defaultTimestamp, KeyDisplay.BYTES);
  }

  private JsonFormat(boolean compressed, long defaultTimestamp, KeyDisplay keys) {
    this.compressed = compressed;
    this.defaultTimestamp = defaultTimestamp;
    this.keys = keys;
  }

  /** Returns the same format whose writers add the parts of row keys. */
  public JsonFormat with(KeyDisplay display) {
    return new JsonFormat(compressed, defaultTimestamp, display);
  }

  @Override
  public String extension() {
    return compressed ? ".json" + TextFile.GZIP : ".json";
  }

  @Override
  public String description() {
    return (compressed ? "JSON lines, gzip" : "JSON lines")
        + keys.format().map(format -> ", keys by " + format).orElse("");
  }

  @Override
  public RowWriter create(FileSystem files, Path path) throws IOException {
    return new LineWriter(TextFile.create(files, path, compressed), keys);
  }

  @Override
  public RowReader open(FileSystem files, Path path) throws IOException {
    return new LineReader(TextFile.Lines.open(files, path), defaultTimestamp);
  }

  private static final class LineWriter implements RowWriter {
    private final Writer out;
    private final KeyDisplay keys;

    LineWriter(OutputStream out, KeyDisplay keys) {
      this.keys = keys;
      this.out = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    }

    @Override
    public void write(Result row) throws IOException {
      JsonWriter json = new JsonWriter(out);
      json.setHtmlSafe(false);
      json.beginObject().name(ROW);
      JsonBytes.write(json, row.getRow(), 0, row.getRow().length);
      Optional<KeyValues> values = keys.values(row.getRow());
      if (values.isPresent()) {
        json.name(KEY);
        write(json, values.get(), keys.format().orElseThrow());
      }
      json.name(CELLS).beginArray();
      for (Cell cell : row.rawCells()) {
        write(json, cell);
      }
      json.endArray().endObject();
      out.write('\n');
    }

    /** Writes the parts of a key: numbers, booleans, strings, and all else as the format prints. */
    private static void write(JsonWriter json, KeyValues values, KeyFormat format)
        throws IOException {
      json.beginObject();
      for (ValuePart part : format.valueParts()) {
        Object value = values.get(part.name());
        json.name(part.name());
        if (value == null) {
          json.nullValue();
        } else if (value instanceof String text) {
          json.value(text);
        } else if (value instanceof Boolean flag) {
          json.value(flag);
        } else if (value instanceof Number number && Double.isFinite(number.doubleValue())) {
          json.value(number);
        } else {
          json.value(part.type().print(value));
        }
      }
      json.endObject();
    }

    private static void write(JsonWriter json, Cell cell) throws IOException {
      int family = cell.getFamilyLength();
      byte[] column = new byte[family + 1 + cell.getQualifierLength()];
      System.arraycopy(cell.getFamilyArray(), cell.getFamilyOffset(), column, 0, family);
      column[family] = ':';
      System.arraycopy(
          cell.getQualifierArray(),
          cell.getQualifierOffset(),
          column,
          family + 1,
          cell.getQualifierLength());
      json.beginObject().name(COLUMN);
      JsonBytes.write(json, column, 0, column.length);
      json.name(TIMESTAMP).value(cell.getTimestamp());
      if (cell.getType() == Cell.Type.Put) {
        json.name(VALUE);
        JsonBytes.write(json, cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
      } else {
        json.name(TYPE).value(cell.getType().name());
      }
      json.endObject();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }

  private static final class LineReader implements RowReader {
    private final TextFile.Lines lines;
    private final long defaultTimestamp;

    LineReader(TextFile.Lines lines, long defaultTimestamp) {
      this.lines = lines;
      this.defaultTimestamp = defaultTimestamp;
    }

    @Override
    public boolean next(Consumer<Mutation> mutations) throws IOException {
      Optional<byte[]> line = lines.next();
      if (line.isEmpty()) {
        return false;
      }
      String text = new String(line.get(), StandardCharsets.UTF_8);
      if (text.isBlank()) {
        return true;
      }
      List<Cell> cells;
      try {
        cells = cells(JsonParser.parseString(text));
        CellMutations.of(cells, mutations);
      } catch (JsonParseException
          | IllegalArgumentException
          | IllegalStateException
          | UnsupportedOperationException e) {
        throw lines.malformed("not a row in JSON: " + e.getMessage());
      }
      return true;
    }

    private List<Cell> cells(JsonElement line) {
      JsonObject object = object(line);
      byte[] row = JsonBytes.read(field(object, ROW));
      JsonElement array = field(object, CELLS);
      if (!array.isJsonArray()) {
        throw new IllegalArgumentException("\"cells\" is not an array");
      }
      List<Cell> cells = new ArrayList<>();
      for (JsonElement cell : array.getAsJsonArray()) {
        cells.add(cell(row, object(cell)));
      }
      return cells;
    }

    private Cell cell(byte[] row, JsonObject cell) {
      byte[] column = JsonBytes.read(field(cell, COLUMN));
      int colon = 0;
      while (colon < column.length && column[colon] != ':') {
        colon++;
      }
      if (colon == column.length) {
        throw new IllegalArgumentException("\"column\" is not FAMILY:QUALIFIER");
      }
      Cell.Type type =
          cell.has(TYPE) ? Cell.Type.valueOf(cell.get(TYPE).getAsString()) : Cell.Type.Put;
      if (cell.has(VALUE) != (type == Cell.Type.Put)) {
        throw new IllegalArgumentException("a cell needs a \"value\", and a marker has none");
      }
      return CellBuilderFactory.create(CellBuilderType.SHALLOW_COPY)
          .setRow(row)
          .setFamily(Arrays.copyOf(column, colon))
          .setQualifier(Arrays.copyOfRange(column, colon + 1, column.length))
          .setTimestamp(cell.has(TIMESTAMP) ? cell.get(TIMESTAMP).getAsLong() : defaultTimestamp)
          .setType(type)
          .setValue(cell.has(VALUE) ? JsonBytes.read(cell.get(VALUE)) : new byte[0])
          .build();
    }

    private static JsonObject object(JsonElement element) {
      if (!element.isJsonObject()) {
        throw new IllegalArgumentException("expected an object instead of " + element);
      }
      return element.getAsJsonObject();
    }

    private static JsonElement field(JsonObject object, String name) {
      if (!object.has(name)) {
        throw new IllegalArgumentException("\"" + name + "\" is missing");
      }
      return object.get(name);
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
