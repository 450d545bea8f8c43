package dev.cairn.tools.settings;

import dev.cairn.server.json.JsonText;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hbase.thirdparty.com.google.gson.stream.JsonWriter;

/**
 * Writes settings as JSON. Each has {@code key} and {@code value}; keys that the server reads have
 * {@code default}, {@code source}, {@code values}, {@code oldNames} and {@code meaning}, all others
 * {@code verdict} and {@code meaning}. {@code problem} is there if a start warns of the setting or
 * fails because of it.
 */
public final class SettingJson {
  private SettingJson() {}

  /** Returns an object for one setting. */
  public static String one(ShownSetting setting) {
    return JsonText.indented(json -> write(setting, json));
  }

  /**
   * Returns an object with the lists {@code settings} and {@code others}.
   *
   * @param refusal why a server does not start with the settings, for {@code refusal}
   */
  public static String all(
      List<ShownSetting.InForce> settings,
      List<ShownSetting.Other> others,
      Optional<String> refusal) {
    return JsonText.indented(
        json -> {
          json.beginObject();
          list("settings", settings, json);
          list("others", others, json);
          if (refusal.isPresent()) {
            json.name("refusal").value(refusal.get());
          }
          json.endObject();
        });
  }

  private static void list(String name, List<? extends ShownSetting> settings, JsonWriter json)
      throws IOException {
    json.name(name).beginArray();
    for (ShownSetting setting : settings) {
      write(setting, json);
    }
    json.endArray();
  }

  private static void write(ShownSetting setting, JsonWriter json) throws IOException {
    json.beginObject().name("key").value(setting.name());
    if (setting instanceof ShownSetting.InForce known) {
      json.name("value").value(known.value());
      json.name("default").value(known.key().defaultText());
      json.name("source").value(known.source());
      json.name("values").value(known.key().range());
      json.name("oldNames").beginArray();
      for (String old : known.key().oldNames()) {
        json.value(old);
      }
      json.endArray();
      json.name("meaning").value(known.key().sentence());
    } else if (setting instanceof ShownSetting.Other other) {
      if (other.value().isPresent()) {
        json.name("value").value(other.value().get());
      }
      json.name("verdict").value(other.verdict());
      json.name("meaning").value(other.meaning());
    }
    if (setting.problem().isPresent()) {
      json.name("problem").value(setting.problem().get());
    }
    json.endObject();
  }
}
