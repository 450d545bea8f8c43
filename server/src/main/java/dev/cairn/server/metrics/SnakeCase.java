package dev.cairn.server.metrics;

import java.util.Locale;

/** Turns names in HBase's style into names for Prometheus. */
final class SnakeCase {
  private SnakeCase() {}

  /**
   * Returns a name in lower case, its words divided by underscores: {@code l1CacheHitCount} becomes
   * {@code l1cache_hit_count}, as in HBase.
   */
  static String of(String name) {
    StringBuilder snake = new StringBuilder(name.length() + 16);
    for (int i = 0; i < name.length(); i++) {
      char here = name.charAt(i);
      if (!isLetterOrDigit(here)) {
        divide(snake);
        continue;
      }
      if (isUpper(here) && i > 0) {
        char before = name.charAt(i - 1);
        boolean startsWord = i + 1 < name.length() && isLower(name.charAt(i + 1));
        if (isLower(before) || isUpper(before) && startsWord) {
          divide(snake);
        }
      }
      snake.append(here);
    }
    return snake.toString().toLowerCase(Locale.ROOT);
  }

  private static void divide(StringBuilder snake) {
    if (snake.length() == 0 || snake.charAt(snake.length() - 1) != '_') {
      snake.append('_');
    }
  }

  private static boolean isLetterOrDigit(char c) {
    return isUpper(c) || isLower(c) || c >= '0' && c <= '9';
  }

  private static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }
}
