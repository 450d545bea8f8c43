package dev.cairn.shell.value;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes values as Ruby's {@code inspect} does. */
final class Inspection {
  private Inspection() {}

  static String of(Value value) {
    if (value instanceof Text text) {
      return quoted(text);
    } else if (value instanceof Value.Bool bool) {
      return Boolean.toString(bool.value());
    } else if (value instanceof Value.Int number) {
      return Long.toString(number.value());
    } else if (value instanceof Value.Decimal number) {
      return Double.toString(number.value());
    } else if (value instanceof Value.Symbol symbol) {
      return ":" + symbol.name();
    } else if (value instanceof Value.Array array) {
      return array.items().stream().map(Inspection::of).collect(Collectors.joining(", ", "[", "]"));
    } else if (value instanceof Value.Hash hash) {
      return hash.entries().entrySet().stream()
          .map(Inspection::entry)
          .collect(Collectors.joining(", ", "{", "}"));
    } else if (value instanceof Value.Range range) {
      return range.first() + ".." + range.last();
    } else if (value instanceof Value.TableReference table) {
      return "Hbase::Table - " + table.name();
    }
    return "nil";
  }

  private static String entry(Map.Entry<Value, Value> entry) {
    return entry.getKey() instanceof Value.Symbol symbol
        ? symbol.name() + ": " + of(entry.getValue())
        : of(entry.getKey()) + "=>" + of(entry.getValue());
  }

  /** Writes letters as they are if all bytes are UTF-8, and else bytes above 127 in hexadecimal. */
  private static String quoted(Text text) {
    byte[] bytes = text.bytes();
    StringBuilder result = new StringBuilder("\"");
    String letters = decoded(bytes);
    letters.codePoints().forEach(letter -> append(result, letter));
    return result.append('"').toString();
  }

  private static String decoded(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      StringBuilder result = new StringBuilder();
      for (byte b : bytes) {
        // Bytes above 127 move to a private range, which append() writes in hexadecimal.
        result.append(b >= 0 ? (char) b : (char) (PRIVATE + (b & 0xff)));
      }
      return result.toString();
    }
  }

  private static final int PRIVATE = 0xE000;

  private static void append(StringBuilder result, int letter) {
    switch (letter) {
      case '"' -> result.append("\\\"");
      case '\\' -> result.append("\\\\");
      case '\n' -> result.append("\\n");
      case '\t' -> result.append("\\t");
      case '\r' -> result.append("\\r");
      case 0x1b -> result.append("\\e");
      default -> {
        if (letter >= PRIVATE && letter < PRIVATE + 256) {
          result.append(String.format("\\x%02X", letter - PRIVATE));
        } else if (letter < 0x20 || letter == 0x7f) {
          result.append(String.format("\\x%02X", letter));
        } else {
          result.appendCodePoint(letter);
        }
      }
    }
  }
}
