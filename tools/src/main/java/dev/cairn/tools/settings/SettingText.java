package dev.cairn.tools.settings;

import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * Prints settings for people.
 *
 * @param out receives the text
 */
public record SettingText(PrintWriter out) {
  private static final String NONE = "(empty)";

  /** Prints all details of a setting. */
  public void one(ShownSetting setting) {
    if (setting instanceof ShownSetting.InForce known) {
      out.println(known.name() + " = " + shown(known.value()));
      line("default", shown(known.key().defaultText()));
      line("source", known.source());
      line("values", known.key().range());
      if (!known.key().oldNames().isEmpty()) {
        line("old names", String.join(", ", known.key().oldNames()));
      }
      line("meaning", known.key().sentence());
    } else if (setting instanceof ShownSetting.Other other) {
      out.println(other.name() + other.value().map(value -> " = " + shown(value)).orElse(""));
      line("verdict", other.verdict());
      line("meaning", other.meaning());
    }
    setting.problem().ifPresent(problem -> line("PROBLEM", problem));
  }

  /** Prints a line for each key that the server reads. */
  public void table(List<ShownSetting.InForce> settings) {
    int names = settings.stream().mapToInt(one -> one.name().length()).max().orElse(0);
    for (ShownSetting.InForce setting : settings) {
      out.printf(
          "%-" + names + "s  %s%s%n",
          setting.name(),
          shown(setting.value()),
          setting.file().map(file -> "  [" + file + "]").orElse(""));
    }
  }

  /** Prints a line for each other setting of the site. */
  public void others(List<ShownSetting.Other> settings) {
    if (settings.isEmpty()) {
      return;
    }
    out.println();
    out.println("Set, but not read by the server:");
    for (ShownSetting.Other setting : settings) {
      out.println(
          "  " + setting.name() + " = " + shown(setting.value().orElse("")) + "  " + why(setting));
    }
  }

  /** Prints the reason why a server does not start with these settings. */
  public void refusal(Optional<String> reason) {
    reason.ifPresent(
        text -> {
          out.println();
          out.println("A server does not start with these settings: " + text);
        });
  }

  private static String why(ShownSetting.Other setting) {
    return "[" + setting.verdict() + "] " + setting.problem().orElse(setting.meaning());
  }

  private static String shown(String value) {
    return value.isEmpty() ? NONE : value;
  }

  private void line(String name, String value) {
    out.printf("  %-10s %s%n", name, value);
  }
}
