package dev.cairn.server.master.healing;

import dev.cairn.server.json.JsonText;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * One entry of the report. As JSON: {@code
 * {"time":1,"master":"…","kind":"LOST_ROW","subject":"…","found":"…","done":"…"}}.
 *
 * @param timeMillis when it was found, milliseconds since 1970
 * @param master the master that found it
 */
public record ReportEntry(long timeMillis, String master, Finding finding) {
  /** Returns the entry as one JSON object. */
  public String json() {
    return JsonText.of(
        json -> {
          writeTo(json);
        });
  }

  /** Returns entries as one JSON array. */
  public static String json(List<ReportEntry> entries) {
    return JsonText.of(
        json -> {
          json.beginArray();
          for (ReportEntry entry : entries) {
            entry.writeTo(json);
          }
          json.endArray();
        });
  }

  /** Returns entries as text for people, the oldest first. */
  public static String text(List<ReportEntry> entries) {
    if (entries.isEmpty()) {
      return "The masters found nothing wrong with hbase:meta and the directories of regions.\n";
    }
    StringBuilder text = new StringBuilder();
    for (ReportEntry entry : entries) {
      Finding finding = entry.finding();
      text.append(Instant.ofEpochMilli(entry.timeMillis()))
          .append("  ")
          .append(finding.kind())
          .append("  ")
          .append(finding.subject())
          .append("\n  found  ")
          .append(finding.found())
          .append("\n  done   ")
          .append(finding.done())
          .append("\n  by     ")
          .append(entry.master())
          .append('\n');
    }
    return text.toString();
  }

  private void writeTo(JsonWriter json) throws IOException {
    json.beginObject();
    json.name("time").value(timeMillis);
    json.name("master").value(master);
    json.name("kind").value(finding.kind().name());
    json.name("subject").value(finding.subject());
    json.name("found").value(finding.found());
    json.name("done").value(finding.done());
    json.endObject();
  }

  /**
   * Parses the result of {@link #json()}.
   *
   * @throws IllegalArgumentException if it is not that
   */
  public static ReportEntry parse(String json) {
    try {
      JsonObject object = JsonParser.parseString(json).getAsJsonObject();
      return new ReportEntry(
          object.get("time").getAsLong(),
          object.get("master").getAsString(),
          new Finding(
              Finding.Kind.valueOf(object.get("kind").getAsString()),
              object.get("subject").getAsString(),
              object.get("found").getAsString(),
              object.get("done").getAsString()));
    } catch (JsonParseException | IllegalStateException | NullPointerException e) {
      throw new IllegalArgumentException("No entry of the report: " + json, e);
    }
  }
}
