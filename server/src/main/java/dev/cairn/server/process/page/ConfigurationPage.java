package dev.cairn.server.process.page;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SettingRule;
import dev.cairn.server.config.SettingTable;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.json.JsonText;
import dev.cairn.server.page.Endpoint;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Page;
import dev.cairn.server.page.PageException;
import dev.cairn.server.page.PageInfo;
import dev.cairn.server.page.PageInfo.MenuGroup;
import dev.cairn.server.page.PageRequest;
import dev.cairn.server.page.PageSource;
import dev.cairn.server.page.Secrets;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import dev.cairn.server.page.WebParts;
import dev.cairn.server.process.keys.ProcessSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The settings in force and where they come from, as a page and in Hadoop's form at /conf. */
public final class ConfigurationPage {
  private static final String FILE = "hbase-site.xml";
  private static final String DEFAULT = "default";

  private final Supplier<SiteConfig> config;

  /** Creates the page of the settings that {@code config} returns for each request. */
  public ConfigurationPage(Supplier<SiteConfig> config) {
    this.config = config;
  }

  /**
   * A setting.
   *
   * @param value its text, redacted if it is a secret
   * @param effect the effect of the setting in Cairn
   * @param meaning a sentence; empty if Cairn does not read it
   */
  private record Setting(String name, String value, String source, String effect, String meaning) {}

  public WebParts parts() {
    PageInfo info =
        PageInfo.of(
            "configuration",
            "Configuration",
            MenuGroup.PROCESS,
            "All settings with their values, sources and effects; secrets are redacted.");
    return new WebParts(
        List.of(PageSource.of(info, request -> Page.of("Configuration", table()))),
        List.of(
            new Endpoint(
                "/conf",
                "The settings in Hadoop's form: XML, or JSON with format=json; name=KEY selects one",
                this::hadoop)),
        List.of());
  }

  private Table<Setting> table() {
    return Table.of("settings", "Settings", settings())
        .column("name", "Key", Kind.NAME, setting -> Value.name(setting.name()))
        .column("value", "Value", Kind.NAME, setting -> Value.name(setting.value()))
        .text("source", "Source", Setting::source)
        .text("effect", "Effect", Setting::effect)
        .text("meaning", "Meaning", Setting::meaning)
        .build();
  }

  /** Returns the settings: those that are set first, then the defaults, each ordered by name. */
  private List<Setting> settings() {
    SiteConfig now = config.get();
    Map<String, String> set = now.texts();
    Set<String> known = new HashSet<>();
    List<Setting> all = new ArrayList<>();
    for (ConfigKey<?> key : ProcessSettings.keys()) {
      Optional<String> name = now.nameInUse(key);
      known.add(name.orElse(key.name()));
      all.add(
          setting(
              name.orElse(key.name()),
              name.map(set::get).orElse(key.defaultText()),
              name.isPresent() ? FILE : DEFAULT,
              key.changesAtRunTime() ? "in force; changes at run time" : "in force",
              key.sentence()));
    }
    SettingTable rules = SettingTable.ofSite();
    set.forEach(
        (name, value) -> {
          if (!known.contains(name)) {
            Optional<SettingRule> rule = rules.find(name);
            all.add(
                setting(
                    name,
                    value,
                    FILE,
                    rule.map(one -> one.verdict().label()).orElse("not read by Cairn"),
                    ""));
          }
        });
    all.sort(
        Comparator.comparing((Setting setting) -> setting.source().equals(DEFAULT))
            .thenComparing(Setting::name));
    return all;
  }

  private static Setting setting(
      String name, String value, String source, String effect, String meaning) {
    return new Setting(name, Secrets.shown(name, value), source, effect, meaning);
  }

  private Endpoint.Content hadoop(PageRequest request) throws PageException {
    List<Setting> wanted = settings();
    Optional<String> name = request.parameter("name").filter(one -> !one.isEmpty());
    if (name.isPresent()) {
      wanted = wanted.stream().filter(one -> one.name().equals(name.get())).toList();
      if (wanted.isEmpty()) {
        throw PageException.notFound("Property " + name.get() + " not found");
      }
    }
    return request.parameter("format").filter("json"::equals).isPresent()
        ? new Endpoint.Content("application/json", json(wanted, name.isPresent()))
        : new Endpoint.Content("text/xml", xml(wanted));
  }

  private static String xml(List<Setting> settings) {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    xml.append("<configuration>\n");
    for (Setting setting : settings) {
      xml.append("<property><name>")
          .append(escape(setting.name()))
          .append("</name><value>")
          .append(escape(setting.value()))
          .append("</value><final>false</final><source>")
          .append(setting.source())
          .append("</source></property>\n");
    }
    return xml.append("</configuration>\n").toString();
  }

  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                default -> escaped.appendCodePoint(c >= ' ' || c == '\n' || c == '\t' ? c : '?');
              }
            });
    return escaped.toString();
  }

  private static String json(List<Setting> settings, boolean single) {
    return JsonText.of(
        json -> {
          json.beginObject();
          json.name(single ? "property" : "properties");
          if (!single) {
            json.beginArray();
          }
          for (Setting setting : settings) {
            json.beginObject().name("key").value(setting.name());
            json.name("value").value(setting.value());
            json.name("isFinal").value(false);
            json.name("resource").value(setting.source()).endObject();
          }
          if (!single) {
            json.endArray();
          }
          json.endObject();
        });
  }
}
