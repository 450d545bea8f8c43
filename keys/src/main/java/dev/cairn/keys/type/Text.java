package dev.cairn.keys.type;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Strings as UTF-8 and as quoted text; bytes as hexadecimal text. */
public final class Text {
  private static final String HEX_PREFIX = "0x";

  private Text() {}

  /**
   * Returns a string as UTF-8.
   *
   * @throws IllegalArgumentException if half of a surrogate pair is missing, which UTF-8 cannot
   *     express
   */
  public static byte[] utf8(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          throw new IllegalArgumentException("half a surrogate pair at character " + i);
        }
        i++;
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Reads UTF-8, or fails as a mismatch at the input's position. */
  static String string(byte[] utf8, KeyInput in) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw in.mismatch("not UTF-8");
    }
  }

  /** Returns a string in double quotes, with escapes for quotes, backslashes and controls. */
  public static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (Character.isISOControl(c)) {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Reads a string that {@link #quote} wrote, or one without quotes as it is. */
  public static String unquote(String text) {
    if (!text.startsWith("\"")) {
      return text;
    }
    if (text.length() < 2 || !text.endsWith("\"")) {
      throw new IllegalArgumentException("the closing quote is missing: " + text);
    }
    StringBuilder plain = new StringBuilder();
    int end = text.length() - 1;
    for (int i = 1; i < end; i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        plain.append(c);
      } else if (text.charAt(i + 1) == 'u' && i + 6 <= end) {
        plain.append((char) Integer.parseInt(text.substring(i + 2, i + 6), 16));
        i += 5;
      } else if (text.charAt(i + 1) == '"' || text.charAt(i + 1) == '\\') {
        plain.append(text.charAt(++i));
      } else {
        throw new IllegalArgumentException("unknown escape at character " + i + ": " + text);
      }
    }
    return plain.toString();
  }

  /** Returns bytes as 0x and hexadecimal digits. */
  public static String hex(byte[] bytes) {
    return HEX_PREFIX + HexFormat.of().formatHex(bytes);
  }

  /** Reads bytes that {@link #hex} wrote, or the UTF-8 of any other text, quoted or not. */
  public static byte[] bytes(String text) {
    return text.startsWith(HEX_PREFIX)
        ? HexFormat.of().parseHex(text.substring(HEX_PREFIX.length()))
        : utf8(unquote(text));
  }
}
