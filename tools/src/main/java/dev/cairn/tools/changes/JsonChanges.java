package dev.cairn.tools.changes;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.changes.Change;
import dev.cairn.tools.bulk.format.JsonBytes;
import java.io.IOException;
import java.io.Writer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.BulkLoadDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.StoreDescriptor;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * JSON lines, one change each:
 *
 * <pre>
 * {"table":"t","region":"…","sequence":7,"time":1700000000000,
 *  "cells":[{"row":"r","column":"f:q","timestamp":1,"type":"Put","value":"v"}]}
 * {"table":"t","region":"…","sequence":8,"time":1700000000001,
 *  "event":"bulk-load","files":["f/…"]}
 * {"token":"…"}
 * </pre>
 *
 * Bytes have the form that {@link JsonBytes} defines.
 */
public final class JsonChanges implements ChangeWriter {
  private final Writer out;

  /** Creates a writer. */
  public JsonChanges(Writer out) {
    this.out = out;
  }

  @Override
  public void write(Change change) throws IOException {
    JsonWriter json = begin();
    json.beginObject();
    json.name("table").value(change.table().toString());
    json.name("region").value(change.region());
    json.name("sequence").value(change.sequence());
    json.name("time").value(change.writeTimeMillis());
    switch (change.kind()) {
      case CELLS -> cells(json, change.cells());
      case BULK_LOAD -> bulkLoad(json, change.cells().get(0));
    }
    json.endObject();
    out.write('\n');
  }

  @Override
  public void token(String token) throws IOException {
    begin().beginObject().name("token").value(token).endObject();
    out.write('\n');
  }

  private JsonWriter begin() {
    JsonWriter json = new JsonWriter(out);
    json.setHtmlSafe(false);
    return json;
  }

  private static void cells(JsonWriter json, CellBuffer cells) throws IOException {
    json.name("cells").beginArray();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      json.beginObject().name("row");
      JsonBytes.write(json, cell.bytes(), cell.rowOffset(), cell.rowLength());
      byte[] column = new byte[cell.familyLength() + 1 + cell.qualifierLength()];
      System.arraycopy(cell.bytes(), cell.familyOffset(), column, 0, cell.familyLength());
      column[cell.familyLength()] = ':';
      System.arraycopy(
          cell.bytes(),
          cell.qualifierOffset(),
          column,
          cell.familyLength() + 1,
          cell.qualifierLength());
      json.name("column");
      JsonBytes.write(json, column, 0, column.length);
      json.name("timestamp").value(cell.timestamp());
      json.name("type").value(CellText.type(CellType.of(cell.typeCode())));
      if (!cell.isDelete()) {
        json.name("value");
        JsonBytes.write(json, cell.bytes(), cell.valueOffset(), cell.valueLength());
      }
      json.endObject();
    }
    json.endArray();
  }

  private static void bulkLoad(JsonWriter json, Cell marker) throws IOException {
    BulkLoadDescriptor load = BulkLoadDescriptor.parseFrom(marker.value());
    json.name("event").value("bulk-load").name("files").beginArray();
    for (StoreDescriptor store : load.getStoresList()) {
      for (String file : store.getStoreFileList()) {
        json.value(store.getFamilyName().toStringUtf8() + "/" + file);
      }
    }
    json.endArray();
  }
}
