package dev.cairn.torture.model;

import dev.cairn.engine.cell.Bytes;
import java.nio.charset.StandardCharsets;

/**
 * Bytes as strings, one character per byte: strings compare as the bytes do, can be keys of maps,
 * and are read more easily in a failure.
 */
public final class Text {
  private Text() {}

  /** Returns {@code bytes} as text. */
  public static String of(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Returns the bytes of {@code text}. */
  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns {@code text} for people, as HBase shows bytes; long ones are cut. */
  public static String show(String text) {
    String shown = Bytes.toStringBinary(bytes(text.substring(0, Math.min(24, text.length()))));
    return text.length() > 24 ? shown + "...(" + text.length() + ")" : shown;
  }
}
