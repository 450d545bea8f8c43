package dev.cairn.keys.type;

import java.time.DateTimeException;
import java.util.function.Function;

/** Reads values whose classes have parsers of their own. */
final class Parsing {
  private Parsing() {}

  /** Reads a date or a time, and refuses other text as the types do. */
  static <T> T time(KeyType type, String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (DateTimeException e) {
      throw KeyType.refused(type, text);
    }
  }
}
