package dev.cairn.server.config;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * One key of {@code hbase-site.xml} with which a site asks for protection that this server does not
 * give.
 *
 * @param key the key; with {@code *} at its end, every key that begins so
 * @param values which values ask for protection, for people
 * @param reason what this server does not do, the end of a sentence that begins with "Cairn"
 * @param asks tells whether a value, without spaces around it, asks for protection
 * @param switches keys that default to true; the rule holds only while none of them is false
 */
public record SecurityRule(
    String key, String values, String reason, Predicate<String> asks, List<String> switches) {
  /** Checks that nothing is missing. */
  public SecurityRule {
    if (key.isBlank() || values.isBlank() || reason.isBlank()) {
      throw new IllegalArgumentException("A rule needs a key, values and a reason");
    }
    switches = List.copyOf(switches);
  }

  /**
   * Defines a rule for a switch. Any value but false asks for protection: a misspelt "true" must
   * not open a server.
   */
  static SecurityRule flag(String key, String reason) {
    return new SecurityRule(
        key,
        "anything but false",
        reason,
        value -> !value.toLowerCase(Locale.ROOT).equals("false"),
        List.of());
  }

  /** Defines a rule for a key that asks for protection unless it is {@code open}. */
  static SecurityRule unless(String open, String key, String reason) {
    return new SecurityRule(
        key, "anything but " + open, reason, value -> !value.equalsIgnoreCase(open), List.of());
  }

  /** Defines a rule for a key that asks for protection by being set. */
  static SecurityRule set(String key, String reason) {
    return new SecurityRule(key, "any", reason, value -> true, List.of());
  }

  /** Tells whether the rule is about the key {@code name}. */
  public boolean covers(String name) {
    return key.endsWith("*")
        ? name.startsWith(key.substring(0, key.length() - 1))
        : name.equals(key);
  }
}
