package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Prints log files as one JSON array, with an object per entry like those of Apache's {@code
 * WALPrettyPrinter -j}. That tool prints a header and sizes in plain text between the objects,
 * which is not JSON; they are left out.
 */
public final class WalJson {
  /**
   * The number of entries between two checks whether the output is still read; a check costs a
   * flush.
   */
  private static final int CHECK_INTERVAL = 1024;

  private final WalFilter filter;
  private final boolean values;
  private final boolean rowsOnly;
  private final PrintWriter out;
  private boolean begun;

  /**
   * Creates a printer.
   *
   * @param values whether values are printed
   * @param rowsOnly whether of each cell its row is printed and nothing else
   */
  public WalJson(WalFilter filter, boolean values, boolean rowsOnly, PrintWriter out) {
    this.filter = filter;
    this.values = values;
    this.rowsOnly = rowsOnly;
    this.out = out;
  }

  /** Begins the array. */
  public void begin() {
    out.print('[');
  }

  /** Ends the array, and the line. */
  public void end() {
    out.println(']');
  }

  /**
   * Prints all entries of a file.
   *
   * @return false if it stopped before the end, because the output is not read any more
   */
  public boolean print(WalReader reader) throws IOException {
    for (int i = 1; reader.next(); i++) {
      if (filter.takes(reader.entry(), reader.entryOffset())) {
        print(reader.entry());
      }
      if (i % CHECK_INTERVAL == 0 && out.checkError()) {
        return false;
      }
    }
    return true;
  }

  private void print(WalEntry entry) throws IOException {
    StringWriter text = new StringWriter();
    JsonWriter json = writer(text);
    json.beginObject();
    json.name("sequence").value(Long.toString(entry.sequence()));
    json.name("region").value(entry.region());
    for (Map.Entry<String, byte[]> one : entry.attributes().toMap().entrySet()) {
      json.name(one.getKey()).value(Bytes.toStringBinary(one.getValue()));
    }
    json.name("actions").beginArray();
    boolean any = false;
    Cell cell = new Cell();
    for (int i = 0; i < entry.cells().size(); i++) {
      entry.cells().get(i, cell, entry.sequence());
      if (filter.takes(cell)) {
        any = true;
        action(json, cell);
      }
    }
    json.endArray();
    json.name("table");
    table(json, TableName.valueOf(entry.table().toString()));
    json.endObject();
    if (any) {
      out.print(begun ? ",\n" : "");
      out.print(text);
      begun = true;
    }
  }

  /** Names in the order of Apache's objects. */
  private void action(JsonWriter json, Cell cell) throws IOException {
    json.beginObject();
    if (rowsOnly) {
      json.name("row").value(text(cell, cell.rowOffset(), cell.rowLength()));
      json.endObject();
      return;
    }
    json.name("qualifier").value(text(cell, cell.qualifierOffset(), cell.qualifierLength()));
    json.name("vlen").value(cell.valueLength());
    json.name("row").value(text(cell, cell.rowOffset(), cell.rowLength()));
    if (cell.tagsLength() > 0) {
      json.name("tag").beginArray();
      for (String tag : CellTexts.tags(cell)) {
        json.value(tag);
      }
      json.endArray();
    }
    json.name("type").value(CellTexts.type(cell));
    json.name("family").value(text(cell, cell.familyOffset(), cell.familyLength()));
    if (values) {
      json.name("value").value(text(cell, cell.valueOffset(), cell.valueLength()));
    }
    json.name("timestamp").value(Long.toString(cell.timestamp()));
    json.name("total_size_sum").value(Long.toString(WalSizes.heapSize(cell)));
    json.endObject();
  }

  /** All that HBase's class has getters for. */
  private static void table(JsonWriter json, TableName table) throws IOException {
    json.beginObject();
    bytes(json, "name", table.getName());
    json.name("nameAsString").value(table.getNameAsString());
    bytes(json, "namespace", table.getNamespace());
    json.name("namespaceAsString").value(table.getNamespaceAsString());
    bytes(json, "qualifier", table.getQualifier());
    json.name("qualifierAsString").value(table.getQualifierAsString());
    json.name("systemTable").value(table.isSystemTable());
    json.name("backupsTable").value(table.getNameAsString().startsWith("backup:"));
    json.name("hashCode").value(table.hashCode());
    json.endObject();
  }

  private static void bytes(JsonWriter json, String name, byte[] bytes) throws IOException {
    json.name(name).beginArray();
    for (byte b : bytes) {
      json.value(b);
    }
    json.endArray();
  }

  private static String text(Cell cell, int offset, int length) {
    return Bytes.toStringBinary(cell.bytes(), offset, length);
  }

  private static JsonWriter writer(Writer target) {
    JsonWriter json = new JsonWriter(target);
    json.setHtmlSafe(true);
    return json;
  }
}
