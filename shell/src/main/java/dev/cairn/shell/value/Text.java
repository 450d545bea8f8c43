package dev.cairn.shell.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A string of the shell's language: any bytes; characters are UTF-8. Immutable. */
public final class Text implements Value {
  /** The empty string. */
  public static final Text EMPTY = new Text(new byte[0]);

  private final byte[] bytes;

  private Text(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the string of these characters. */
  public static Text of(String letters) {
    return new Text(letters.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the text of a copy of these bytes. */
  public static Text of(byte[] bytes) {
    return new Text(bytes.clone());
  }

  /** Returns a copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** Returns the characters; a byte that is not UTF-8 becomes the replacement character. */
  public String letters() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Returns this text with another one after it. */
  public Text plus(Text next) {
    byte[] joined = Arrays.copyOf(bytes, bytes.length + next.bytes.length);
    System.arraycopy(next.bytes, 0, joined, bytes.length, next.bytes.length);
    return new Text(joined);
  }

  @Override
  public Text text() {
    return this;
  }

  @Override
  public String kind() {
    return "a text";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Text text && Arrays.equals(bytes, text.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return inspected();
  }
}
