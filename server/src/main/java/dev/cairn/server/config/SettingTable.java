package dev.cairn.server.config;

import dev.cairn.server.config.SettingRule.Harmless;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Verdicts on settings, read from a resource. The comment at the top of {@code site-settings.txt}
 * describes the format. Immutable.
 */
public final class SettingTable {
  private static final String LIST = "each of ";

  private final Map<String, SettingRule> rules;

  private SettingTable(Map<String, SettingRule> rules) {
    this.rules = Collections.unmodifiableMap(rules);
  }

  /** Returns the verdicts on the keys of {@code hbase-site.xml} that have no {@link ConfigKey}. */
  public static SettingTable ofSite() {
    return Site.TABLE;
  }

  /**
   * Reads the resource {@code name} in the package of {@code owner}.
   *
   * @throws IllegalStateException naming the line that is malformed
   */
  public static SettingTable read(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      Parser parser = new Parser(name);
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        parser.take(line);
      }
      return new SettingTable(parser.rules);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot read the resource " + name + " of the installation; install Cairn again", e);
    }
  }

  /** Returns all rules in the order of the resource. */
  public Collection<SettingRule> rules() {
    return rules.values();
  }

  /** Tells whether the setting has a rule of its own, not only one for its prefix. */
  public boolean names(String setting) {
    return rules.containsKey(setting);
  }

  /** Returns the rule for a setting: its own rule, or the rule with the longest matching prefix. */
  public Optional<SettingRule> find(String setting) {
    SettingRule own = rules.get(setting);
    if (own != null) {
      return Optional.of(own);
    }
    SettingRule longest = null;
    for (SettingRule rule : rules.values()) {
      if (rule.isWildcard()
          && setting.startsWith(rule.prefix())
          && (longest == null || rule.prefix().length() > longest.prefix().length())) {
        longest = rule;
      }
    }
    return Optional.ofNullable(longest);
  }

  /**
   * Returns the rules as Markdown, with one heading for each group and one line for each reason
   * with its settings.
   */
  public String markdown() {
    Map<String, List<SettingRule>> groups =
        rules.values().stream()
            .collect(
                Collectors.groupingBy(SettingRule::group, LinkedHashMap::new, Collectors.toList()));
    StringBuilder page = new StringBuilder();
    groups.forEach(
        (group, members) -> {
          page.append("\n### ").append(group).append("\n| Verdict | Why | Settings |\n");
          page.append("| --- | --- | --- |\n");
          Map<String, List<SettingRule>> lines =
              members.stream()
                  .collect(
                      Collectors.groupingBy(
                          rule -> "| " + rule.verdict().label() + " | " + rule.reason() + " | ",
                          LinkedHashMap::new,
                          Collectors.toList()));
          lines.forEach(
              (head, list) ->
                  page.append(head)
                      .append(
                          list.stream()
                              .map(SettingTable::markdown)
                              .collect(Collectors.joining(", ")))
                      .append(" |\n"));
        });
    return page.toString();
  }

  private static String markdown(SettingRule rule) {
    String name = "`" + rule.name() + "`";
    Harmless harmless = rule.harmless();
    if (harmless.values().isEmpty()) {
      return name;
    }
    String values =
        harmless.values().stream()
            .map(value -> "`" + value + "`")
            .collect(Collectors.joining(harmless.list() ? ", " : " or "));
    return name + " (unless " + (harmless.list() ? "all of it is among " : "") + values + ")";
  }

  /** Loads the table on first use. Most servers never need it. */
  private static final class Site {
    static final SettingTable TABLE = read(SettingTable.class, "site-settings.txt");
  }

  /** Parses the resource line by line. */
  private static final class Parser {
    private final String resource;
    private final Map<String, SettingRule> rules = new LinkedHashMap<>();
    private int line;
    private String group = "";
    private Optional<Verdict> verdict = Optional.empty();
    private String reason = "";

    Parser(String resource) {
      this.resource = resource;
    }

    void take(String text) {
      line++;
      if (text.isBlank() || text.startsWith("#")) {
        return;
      }
      if (text.startsWith("[") && text.endsWith("]")) {
        group = text.substring(1, text.length() - 1);
        verdict = Optional.empty();
      } else if (text.startsWith(" ")) {
        rule(text.strip());
      } else {
        int colon = text.indexOf(": ");
        verdict = colon < 0 ? Optional.empty() : Verdict.of(text.substring(0, colon));
        if (verdict.isEmpty()) {
          throw malformed("expected a verdict, a colon and a reason");
        }
        reason = text.substring(colon + 2).strip();
      }
    }

    private void rule(String text) {
      String[] parts = text.split(" = ", 2);
      Verdict known =
          verdict.orElseThrow(
              () -> malformed("expected a verdict above this setting, in the same group"));
      SettingRule rule = new SettingRule(parts[0], group, known, reason, harmless(parts));
      if (rules.put(rule.name(), rule) != null) {
        throw malformed(rule.name() + " has a verdict already");
      }
    }

    private static Harmless harmless(String[] parts) {
      if (parts.length == 1) {
        return Harmless.NONE;
      }
      boolean list = parts[1].startsWith(LIST);
      String[] values = list ? parts[1].substring(LIST.length()).split(",") : parts[1].split("\\|");
      return new Harmless(new ArrayList<>(Arrays.stream(values).map(String::strip).toList()), list);
    }

    private IllegalStateException malformed(String what) {
      return new IllegalStateException(resource + ", line " + line + ": " + what);
    }
  }
}
