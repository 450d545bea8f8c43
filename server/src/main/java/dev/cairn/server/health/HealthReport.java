package dev.cairn.server.health;

import dev.cairn.server.json.JsonText;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParseException;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * The health of a server at one moment. As text: one line with the overall status, then one line
 * for each check. As JSON: {@code
 * {"status":"ok","checks":[{"name":"disk","status":"ok","message":"…"}]}}.
 *
 * @param checks the result of each check
 */
public record HealthReport(List<Entry> checks) {
  /**
   * The result of one check.
   *
   * @param name the check's name
   * @param result its result
   */
  public record Entry(String name, HealthResult result) {}

  /** Copies the list of entries. */
  public HealthReport {
    checks = List.copyOf(checks);
  }

  /** Returns the worst status of all checks; ok if there are no checks. */
  public HealthStatus status() {
    return checks.stream()
        .map(entry -> entry.result().status())
        .reduce(HealthStatus.OK, HealthStatus::worse);
  }

  /** Returns the messages of all checks that warn or fail, in one line; empty if all are ok. */
  public String problems() {
    return checks.stream()
        .map(Entry::result)
        .filter(result -> result.status() != HealthStatus.OK)
        .map(result -> inOneLine(result.message()))
        .collect(Collectors.joining(" "));
  }

  /** Returns the report as text. Each line ends with a line feed. */
  public String text() {
    int width = checks.stream().mapToInt(entry -> entry.name().length()).max().orElse(0);
    StringBuilder text = new StringBuilder(status().word()).append('\n');
    for (Entry entry : checks) {
      HealthResult result = entry.result();
      text.append(entry.name())
          .append(" ".repeat(width - entry.name().length() + 2))
          .append(String.format(Locale.ROOT, "%-4s  ", result.status().word()))
          .append(inOneLine(result.message()))
          .append('\n');
    }
    return text.toString();
  }

  private static String inOneLine(String message) {
    return message.replace('\n', ' ');
  }

  /** Returns the report as one JSON object. */
  public String json() {
    return JsonText.of(
        json -> {
          writeTo(json);
        });
  }

  /** Writes the report as one JSON value. */
  public void writeTo(JsonWriter json) throws IOException {
    json.beginObject().name("status").value(status().word()).name("checks").beginArray();
    for (Entry entry : checks) {
      json.beginObject().name("name").value(entry.name());
      json.name("status").value(entry.result().status().word());
      json.name("message").value(entry.result().message()).endObject();
    }
    json.endArray().endObject();
  }

  /**
   * Parses a report that {@link #json} wrote.
   *
   * @throws IOException if the text is not such a report
   */
  public static HealthReport parse(String json) throws IOException {
    try {
      JsonArray checks =
          JsonParser.parseReader(new StringReader(json)).getAsJsonObject().getAsJsonArray("checks");
      List<Entry> entries = new ArrayList<>();
      for (JsonElement check : checks) {
        JsonObject object = check.getAsJsonObject();
        HealthStatus status =
            HealthStatus.valueOf(object.get("status").getAsString().toUpperCase(Locale.ROOT));
        entries.add(
            new Entry(
                object.get("name").getAsString(),
                new HealthResult(status, object.get("message").getAsString())));
      }
      return new HealthReport(entries);
    } catch (JsonParseException
        | IllegalStateException
        | IllegalArgumentException
        | NullPointerException e) {
      throw new IOException("This is not a health report of a Cairn server: " + json, e);
    }
  }
}
