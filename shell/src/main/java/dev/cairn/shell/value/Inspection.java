package dev.cairn.shell.value;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
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
      return range.first() + Value.sign(range.through()) + range.last();
    } else if (value instanceof Value.TextRange range) {
      return of(Text.of(range.first())) + Value.sign(range.through()) + of(Text.of(range.last()));
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

  /** Writes characters unchanged, and bytes that are not UTF-8 in hexadecimal. */
  private static String quoted(Text text) {
    StringBuilder result = new StringBuilder("\"");
    ByteBuffer bytes = ByteBuffer.wrap(text.bytes());
    CharBuffer letters = CharBuffer.allocate(bytes.remaining());
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    while (bytes.hasRemaining()) {
      CoderResult decoded = decoder.decode(bytes, letters, true);
      letters.flip().toString().codePoints().forEach(letter -> append(result, letter));
      letters.clear();
      for (int i = 0; i < (decoded.isError() ? decoded.length() : 0); i++) {
        result.append(String.format("\\x%02X", bytes.get() & 0xff));
      }
      decoder.reset();
    }
    return result.append('"').toString();
  }

  private static void append(StringBuilder result, int letter) {
    switch (letter) {
      case '"' -> result.append("\\\"");
      case '\\' -> result.append("\\\\");
      case 7 -> result.append("\\a");
      case '\b' -> result.append("\\b");
      case '\t' -> result.append("\\t");
      case '\n' -> result.append("\\n");
      case 11 -> result.append("\\v");
      case '\f' -> result.append("\\f");
      case '\r' -> result.append("\\r");
      case 0x1b -> result.append("\\e");
      default -> {
        if (letter < 0x20 || letter == 0x7f) {
          result.append(String.format("\\u%04X", letter));
        } else {
          result.appendCodePoint(letter);
        }
      }
    }
  }
}
