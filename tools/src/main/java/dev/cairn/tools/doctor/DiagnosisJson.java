package dev.cairn.tools.doctor;

import dev.cairn.server.json.JsonText;
import java.io.IOException;
import java.util.Locale;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Writes findings as one JSON object: {@code healthy}, and {@code findings} with {@code area},
 * {@code level} ({@code ok}, {@code advice}, {@code problem}), {@code what}, and, unless empty,
 * {@code where} and {@code remedy}.
 */
public final class DiagnosisJson {
  private DiagnosisJson() {}

  /** Returns the object. */
  public static String of(Diagnosis diagnosis) {
    return JsonText.indented(
        json -> {
          json.beginObject().name("healthy").value(!diagnosis.hasProblem());
          json.name("findings").beginArray();
          for (Finding finding : diagnosis.findings()) {
            json.beginObject();
            json.name("area").value(word(finding.area()));
            json.name("level").value(word(finding.level()));
            json.name("what").value(finding.what());
            optional("where", finding.where(), json);
            optional("remedy", finding.remedy(), json);
            json.endObject();
          }
          json.endArray().endObject();
        });
  }

  private static String word(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT);
  }

  private static void optional(String name, String text, JsonWriter json) throws IOException {
    if (!text.isEmpty()) {
      json.name(name).value(text);
    }
  }
}
