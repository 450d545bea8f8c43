package dev.cairn.server.config;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * A key of {@code hbase-site.xml} that requests protection which this server does not provide.
 *
 * @param key the key, or a prefix of keys followed by {@code *}
 * @param values the values that request protection, as text for users
 * @param reason the missing protection, as the rest of a sentence that begins with "Cairn"
 * @param asks tells whether a value, stripped of white space, requests protection
 * @param switches keys that default to true; the rule applies only while none of them is false
 */
public record SecurityRule(
    String key, String values, String reason, Predicate<String> asks, List<String> switches) {
  /** Checks that no part is empty. */
  public SecurityRule {
    if (key.isBlank() || values.isBlank() || reason.isBlank()) {
      throw new IllegalArgumentException("A rule needs a key, values and a reason");
    }
    switches = List.copyOf(switches);
  }

  /**
   * Defines a rule for a boolean key. Every value except false requests protection, so a misspelt
   * "true" does not leave a server open.
   */
  static SecurityRule flag(String key, String reason) {
    return new SecurityRule(
        key,
        "anything but false",
        reason,
        value -> !value.toLowerCase(Locale.ROOT).equals("false"),
        List.of());
  }

  /** Defines a rule for a key that requests protection unless its value is {@code open}. */
  static SecurityRule unless(String open, String key, String reason) {
    return new SecurityRule(
        key, "anything but " + open, reason, value -> !value.equalsIgnoreCase(open), List.of());
  }

  /** Defines a rule for a key that requests protection with any value. */
  static SecurityRule set(String key, String reason) {
    return new SecurityRule(key, "any", reason, value -> true, List.of());
  }

  /** Tells whether the rule applies to the key {@code name}. */
  public boolean covers(String name) {
    return key.endsWith("*")
        ? name.startsWith(key.substring(0, key.length() - 1))
        : name.equals(key);
  }
}
