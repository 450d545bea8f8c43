package dev.cairn.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.stream.Collectors;

/** Renders keys as a Markdown table, for the documentation. */
public final class ConfigTable {
  private ConfigTable() {}

  /** Returns the table of {@code keys}, ordered by name. */
  public static String markdown(Collection<ConfigKey<?>> keys) {
    StringBuilder table = new StringBuilder();
    table.append("| Key | Default | Values | Meaning |\n| --- | --- | --- | --- |\n");
    keys.stream()
        .sorted(Comparator.comparing((ConfigKey<?> key) -> key.name()))
        .forEach(
            key ->
                table
                    .append("| `")
                    .append(key.name())
                    .append("` | ")
                    .append(key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`")
                    .append(" | ")
                    .append(escape(key.range()))
                    .append(" | ")
                    .append(escape(key.sentence()))
                    .append(oldNames(key))
                    .append(key.changesAtRunTime() ? " *Changes at run time.*" : "")
                    .append(" |\n"));
    return table.toString();
  }

  private static String oldNames(ConfigKey<?> key) {
    return key.oldNames().isEmpty()
        ? ""
        : key.oldNames().stream()
            .map(name -> "`" + name + "`")
            .collect(Collectors.joining(", ", " Formerly ", "."));
  }

  private static String escape(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
