package dev.cairn.engine.constraint;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits and unquotes the text of rules. A string in single or double quotes may contain any
 * characters; the quote itself is written twice.
 */
final class RuleText {
  private RuleText() {}

  /**
   * Splits a text at each separator that is not in quotes.
   *
   * @throws IllegalArgumentException if a quote is not closed
   */
  static List<String> split(String text, char separator) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int at = indexOf(text, "" + separator, 0); at >= 0; ) {
      parts.add(text.substring(from, at));
      from = at + 1;
      at = indexOf(text, "" + separator, from);
    }
    parts.add(text.substring(from));
    return parts;
  }

  /**
   * Returns the index of the first {@code wanted} from {@code from} on that is not in quotes; -1 if
   * there is none.
   */
  static int indexOf(String text, String wanted, int from) {
    char quote = 0;
    int found = -1;
    for (int i = from; i < text.length() && found < 0; i++) {
      char c = text.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (text.startsWith(wanted, i)) {
        found = i;
      } else if (c == '\'' || c == '"') {
        quote = c;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a quote (" + quote + ") is not closed");
    }
    return found;
  }

  /** Tells whether a text begins with a quote. */
  static boolean isQuoted(String text) {
    return !text.isEmpty() && (text.charAt(0) == '\'' || text.charAt(0) == '"');
  }

  /**
   * Returns the text between quotes.
   *
   * @throws IllegalArgumentException if the text is not one quoted string
   */
  static String quoted(String text) {
    int last = text.length() - 1;
    if (!isQuoted(text) || last == 0 || text.charAt(last) != text.charAt(0)) {
      throw new IllegalArgumentException("a text in quotes is expected, not <" + text + ">");
    }
    String quote = text.substring(0, 1);
    String inside = text.substring(1, last);
    if (inside.replace(quote + quote, "").contains(quote)) {
      throw new IllegalArgumentException("one text in quotes is expected, not <" + text + ">");
    }
    return inside.replace(quote + quote, quote);
  }
}
