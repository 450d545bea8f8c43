package dev.cairn.keys;

import dev.cairn.keys.type.KeyMismatchException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Keys as text: names and values with blanks between them. */
final class KeyText {
  private static final String NULL = "null";

  /** Signs that {@code Bytes.toStringBinary} writes as they are, besides letters and digits. */
  private static final String PLAIN_SIGNS = " `~!@#$%^&*()-_=+[]{}|;:'\",.<>/?";

  private KeyText() {}

  static String print(KeyFormat format, byte[] key) {
    try {
      return print(format, format.decode(key));
    } catch (KeyMismatchException e) {
      return escaped(key);
    }
  }

  static String print(KeyFormat format, KeyValues values) {
    StringBuilder text = new StringBuilder();
    for (ValuePart part : format.valueParts()) {
      append(part, values.get(part.name()), text);
    }
    return text.toString();
  }

  /**
   * Returns the first values of keys that begin with these bytes, and an ellipsis after them; empty
   * if the bytes have no value to its end.
   */
  static String printPrefix(KeyFormat format, byte[] prefix) {
    List<Object> values = format.decodePrefix(prefix);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      append(format.valueParts().get(i), values.get(i), text);
    }
    return values.isEmpty() ? "" : text.append(" …").toString();
  }

  private static void append(ValuePart part, Object value, StringBuilder text) {
    text.append(text.length() == 0 ? "" : " ").append(part.name()).append('=');
    text.append(value == null ? NULL : part.type().print(value));
  }

  /** Returns bytes as {@code Bytes.toStringBinary} does. */
  static String escaped(byte[] key) {
    StringBuilder text = new StringBuilder();
    for (byte b : key) {
      char c = (char) (b & 0xFF);
      boolean letterOrDigit = c < 0x80 && Character.isLetterOrDigit(c);
      if (letterOrDigit || PLAIN_SIGNS.indexOf(c) >= 0) {
        text.append(c);
      } else {
        text.append(String.format("\\x%02X", b & 0xFF));
      }
    }
    return text.toString();
  }

  static Map<String, Object> parse(KeyFormat format, String text) {
    Map<String, Object> values = new LinkedHashMap<>();
    int position = 0;
    while (true) {
      while (position < text.length() && text.charAt(position) == ' ') {
        position++;
      }
      if (position == text.length()) {
        return values;
      }
      int equals = text.indexOf('=', position);
      if (equals < 0) {
        throw new IllegalArgumentException(
            "position " + position + ": write name=value, with blanks between the parts");
      }
      String name = text.substring(position, equals);
      int end = endOfValue(text, equals + 1);
      ValuePart part = format.valueParts().get(format.indexOf(name));
      if (values.put(name, value(part, text.substring(equals + 1, end), equals + 1)) != null) {
        throw new IllegalArgumentException("position " + position + ": " + name + " stands twice");
      }
      position = end;
    }
  }

  private static Object value(ValuePart part, String text, int position) {
    try {
      return text.equals(NULL) ? null : part.type().parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "position " + position + ", part " + part.name() + ": " + e.getMessage(), e);
    }
  }

  private static int endOfValue(String text, int from) {
    int end = from;
    boolean quoted = end < text.length() && text.charAt(end) == '"';
    if (!quoted) {
      int blank = text.indexOf(' ', from);
      return blank < 0 ? text.length() : blank;
    }
    end++;
    while (end < text.length() && text.charAt(end) != '"') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end + 1, text.length());
  }
}
