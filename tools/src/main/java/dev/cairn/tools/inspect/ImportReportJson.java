package dev.cairn.tools.inspect;

import dev.cairn.server.exchange.ImportReport;
import dev.cairn.server.exchange.ImportReport.Finding;
import dev.cairn.server.exchange.ImportReport.Log;
import dev.cairn.server.exchange.ImportReport.Snapshot;
import dev.cairn.server.exchange.ImportReport.Table;
import dev.cairn.server.exchange.ImportReport.UnfinishedProcedure;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Prints a report on a foreign data folder for programs: one JSON object with the names of {@link
 * ImportReport}'s parts. What is unknown is null.
 */
public final class ImportReportJson {
  private ImportReportJson() {}

  /** Prints the report, and ends the line. */
  public static void print(ImportReport report, PrintWriter out) throws IOException {
    JsonWriter json = new JsonWriter(out);
    json.setIndent("  ");
    json.setSerializeNulls(true);
    json.beginObject();
    json.name("opens").value(report.opens());
    json.name("carriesEverything").value(report.carriesEverything());
    text(json, "layoutVersion", report.layoutVersion());
    text(json, "clusterId", report.clusterId());
    texts(json, "namespaces", report.namespaces());
    json.name("tables").beginArray();
    for (Table table : report.tables()) {
      print(table, json);
    }
    json.endArray();
    json.name("logs").beginArray();
    for (Log log : report.logs()) {
      json.beginObject();
      json.name("path").value(log.path());
      json.name("kind").value(log.kind().name());
      json.name("bytes").value(log.bytes());
      json.name("compressed").value(log.compressed());
      json.name("encrypted").value(log.encrypted());
      json.endObject();
    }
    json.endArray();
    json.name("snapshots").beginArray();
    for (Snapshot snapshot : report.snapshots()) {
      json.beginObject();
      json.name("name").value(snapshot.name());
      text(json, "table", snapshot.table().map(Object::toString));
      json.endObject();
    }
    json.endArray();
    json.name("procedures").beginArray();
    for (UnfinishedProcedure procedure : report.procedures()) {
      json.beginObject();
      json.name("id").value(procedure.id());
      json.name("kind").value(procedure.kind());
      json.name("state").value(procedure.state());
      json.endObject();
    }
    json.endArray();
    json.name("findings").beginArray();
    for (Finding finding : report.findings()) {
      json.beginObject();
      json.name("severity").value(finding.severity().name());
      json.name("where").value(finding.where());
      json.name("what").value(finding.what());
      json.name("consequence").value(finding.consequence());
      json.endObject();
    }
    json.endArray();
    json.endObject();
    json.flush();
    out.println();
  }

  private static void print(Table table, JsonWriter json) throws IOException {
    json.beginObject();
    json.name("name").value(table.name().toString());
    text(json, "state", table.state().map(Enum::name));
    json.name("regions").value(table.regions());
    json.name("splitParents").value(table.splitParents());
    json.name("storeFiles").value(table.storeFiles());
    json.name("storeFileBytes").value(table.storeFileBytes());
    json.name("references").value(table.references());
    json.name("links").value(table.links());
    json.name("recoveredEdits").value(table.recoveredEdits());
    json.name("fileVersions").beginObject();
    for (Map.Entry<String, Integer> version : table.fileVersions().entrySet()) {
      json.name(version.getKey()).value(version.getValue());
    }
    json.endObject();
    texts(json, "compressions", table.compressions());
    texts(json, "encodings", table.encodings());
    json.endObject();
  }

  private static void text(JsonWriter json, String name, Optional<String> value)
      throws IOException {
    json.name(name);
    if (value.isPresent()) {
      json.value(value.get());
    } else {
      json.nullValue();
    }
  }

  private static void texts(JsonWriter json, String name, Collection<String> values)
      throws IOException {
    json.name(name).beginArray();
    for (String value : values) {
      json.value(value);
    }
    json.endArray();
  }
}
