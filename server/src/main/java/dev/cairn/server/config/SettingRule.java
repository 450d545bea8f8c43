package dev.cairn.server.config;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The verdict on one setting that has no {@link ConfigKey}, or on all settings with one prefix.
 *
 * @param name the setting, or a prefix of settings followed by {@code *}
 * @param group the heading under which the documentation lists it
 * @param verdict how the server treats the setting
 * @param reason the reason, one or two sentences
 * @param harmless the values that cause no warning and no refusal
 */
public record SettingRule(
    String name, String group, Verdict verdict, String reason, Harmless harmless) {
  private static final String WILDCARD = "*";

  /**
   * Values that request the behaviour that Cairn has anyway.
   *
   * @param values the values, stripped of white space
   * @param list whether a setting may list several of them, separated by commas
   */
  public record Harmless(List<String> values, boolean list) {
    /** Only an empty value is harmless. */
    static final Harmless NONE = new Harmless(List.of(), false);

    /** Copies the values. */
    public Harmless {
      values = List.copyOf(values);
    }

    /** Returns the harmful values in {@code text}; empty if there are none. */
    Optional<String> harmful(String text) {
      String value = text.strip();
      if (list) {
        List<String> others =
            Arrays.stream(value.split(","))
                .map(String::strip)
                .filter(part -> !part.isEmpty() && !contains(part))
                .toList();
        return others.isEmpty() ? Optional.empty() : Optional.of(String.join(",", others));
      }
      return value.isEmpty() || contains(value) ? Optional.empty() : Optional.of(value);
    }

    private boolean contains(String value) {
      return values.stream().anyMatch(known -> means(known, value));
    }

    private static boolean means(String known, String value) {
      Optional<BigDecimal> number = number(known);
      return known.equalsIgnoreCase(value)
          || number(value)
              .filter(given -> number.isPresent() && given.compareTo(number.get()) == 0)
              .isPresent();
    }

    /** Parses a number in Java's notation, with an optional type suffix. */
    private static Optional<BigDecimal> number(String text) {
      try {
        return Optional.of(new BigDecimal(text.toLowerCase(Locale.ROOT).replaceAll("[fdl]$", "")));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }

  /** Tells whether the rule applies to all settings with a prefix. */
  public boolean isWildcard() {
    return name.endsWith(WILDCARD);
  }

  /** Returns the name, or the common prefix of the settings. */
  String prefix() {
    return isWildcard() ? name.substring(0, name.length() - WILDCARD.length()) : name;
  }

  /**
   * Returns the warning that {@code setting} with {@code value} has no effect, and why; empty if
   * the value needs no warning.
   */
  public Optional<String> warning(String setting, String value) {
    return verdict == Verdict.WARNED
        ? harmless.harmful(value).map(harmful -> sentence(setting, harmful, " has no effect. "))
        : Optional.empty();
  }

  /** Returns why {@code setting} with {@code value} is refused; empty if it is not refused. */
  Optional<String> refusal(String setting, String value) {
    return verdict == Verdict.REFUSED
        ? harmless
            .harmful(value)
            .map(
                harmful ->
                    sentence(setting, harmful, " is not supported. ")
                        + " Remove the setting, or serve this folder with Apache HBase")
        : Optional.empty();
  }

  private String sentence(String setting, String value, String what) {
    return setting + " = " + value + what + reason;
  }
}
