package dev.cairn.server.config;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What becomes of one setting that has no {@link ConfigKey}, or of all settings with one prefix.
 *
 * @param name the setting; with {@code *} at its end, every setting that begins so
 * @param group the heading under which the documentation lists it
 * @param verdict what becomes of it
 * @param reason why, one sentence or two
 * @param harmless which values a warning or a refusal does not concern
 */
public record SettingRule(
    String name, String group, Verdict verdict, String reason, Harmless harmless) {
  private static final String WILDCARD = "*";

  /**
   * Values that ask for nothing that Cairn does not do anyway.
   *
   * @param values the values, without spaces around them
   * @param list whether a setting may have any number of them, separated by commas
   */
  public record Harmless(List<String> values, boolean list) {
    /** No value but the empty one is harmless. */
    static final Harmless NONE = new Harmless(List.of(), false);

    /** Copies the values. */
    public Harmless {
      values = List.copyOf(values);
    }

    /** Returns the values of {@code text} that are not harmless; empty if there are none. */
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

    /** Reads a number as Java writes it, perhaps with the letter of its type. */
    private static Optional<BigDecimal> number(String text) {
      try {
        return Optional.of(new BigDecimal(text.toLowerCase(Locale.ROOT).replaceAll("[fdl]$", "")));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
  }

  /** Tells whether the rule is about all settings with a prefix. */
  public boolean isWildcard() {
    return name.endsWith(WILDCARD);
  }

  /** Returns the name, or the prefix that all its settings have. */
  String prefix() {
    return isWildcard() ? name.substring(0, name.length() - WILDCARD.length()) : name;
  }

  /**
   * Returns what to tell about {@code setting} if it is {@code value}: that it has no effect, and
   * why. Empty if there is nothing to tell.
   */
  public Optional<String> warning(String setting, String value) {
    return verdict == Verdict.WARNED
        ? harmless.harmful(value).map(harmful -> sentence(setting, harmful, " has no effect. "))
        : Optional.empty();
  }

  /** Returns why {@code setting} is refused if it is {@code value}; empty if it is not. */
  Optional<String> refusal(String setting, String value) {
    return verdict == Verdict.REFUSED
        ? harmless
            .harmful(value)
            .map(
                harmful ->
                    sentence(setting, harmful, " is not supported. ")
                        + " Remove it, or serve this folder with Apache HBase")
        : Optional.empty();
  }

  private String sentence(String setting, String value, String what) {
    return setting + " = " + value + what + reason;
  }
}
