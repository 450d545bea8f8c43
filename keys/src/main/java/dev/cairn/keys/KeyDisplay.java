package dev.cairn.keys;

import dev.cairn.keys.type.KeyMismatchException;
import java.util.Optional;

/**
 * Shows the row keys of a table by the format that it declares, and as bytes without one. A key
 * that the format has not written is shown as bytes. Immutable and safe for use by several threads.
 *
 * <p>The format may be malformed, because HBase stores any text as {@link
 * KeyFormat#TABLE_ATTRIBUTE}: then all keys are shown as bytes, and {@link #problem} has the
 * reason.
 */
public final class KeyDisplay {
  /** Shows all keys as bytes. */
  public static final KeyDisplay BYTES = new KeyDisplay(null, null);

  private final KeyFormat format;
  private final String problem;

  private KeyDisplay(KeyFormat format, String problem) {
    this.format = format;
    this.problem = problem;
  }

  /**
   * Returns the display of a table's keys.
   *
   * @param attribute the table's {@link KeyFormat#TABLE_ATTRIBUTE}, if it has one
   */
  public static KeyDisplay of(Optional<String> attribute) {
    if (attribute.isEmpty()) {
      return BYTES;
    }
    try {
      return new KeyDisplay(KeyFormat.parse(attribute.get()), null);
    } catch (IllegalArgumentException e) {
      return new KeyDisplay(
          null,
          KeyFormat.TABLE_ATTRIBUTE
              + " is malformed, so row keys are shown as bytes: "
              + e.getMessage());
    }
  }

  /**
   * Returns a display as bytes.
   *
   * @param reason a sentence without a full stop that says why the table's format is not known
   */
  public static KeyDisplay unknown(String reason) {
    return new KeyDisplay(null, reason);
  }

  /** Returns the format, if the table declares one that is not malformed. */
  public Optional<KeyFormat> format() {
    return Optional.ofNullable(format);
  }

  /** Returns a sentence that says why the declared format is not used, if it is not. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /**
   * Returns the values of a key by the names of its parts, unless another format has written it.
   */
  public Optional<KeyValues> values(byte[] key) {
    if (format == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(format.decode(key));
    } catch (KeyMismatchException e) {
      return Optional.empty();
    }
  }

  /** Returns names and values of a key as text, unless another format has written it. */
  public Optional<String> parts(byte[] key) {
    return values(key).map(KeyValues::toString);
  }

  /**
   * Returns names and values of the first parts of keys with this prefix, with an ellipsis at the
   * end: of those parts that the prefix has to their end. Empty if it has none, or if no key of the
   * format has this prefix.
   */
  public Optional<String> partsOfPrefix(byte[] prefix) {
    return format == null
        ? Optional.empty()
        : Optional.of(KeyText.printPrefix(format, prefix)).filter(text -> !text.isEmpty());
  }

  /** Returns the parts of a border between keys, which is a key or the beginning of one. */
  public Optional<String> partsOfBorder(byte[] border) {
    return parts(border).or(() -> partsOfPrefix(border));
  }

  /** Returns a key as bytes, and its parts in braces after them. */
  public String text(byte[] key) {
    return text(key, parts(key));
  }

  /** Returns a prefix as bytes, and its parts in braces after them. */
  public String textOfPrefix(byte[] prefix) {
    return text(prefix, partsOfPrefix(prefix));
  }

  /** Returns a border as bytes, and its parts in braces after them. */
  public String textOfBorder(byte[] border) {
    return text(border, partsOfBorder(border));
  }

  private static String text(byte[] bytes, Optional<String> parts) {
    String text = KeyText.escaped(bytes);
    return parts.map(shown -> text + " {" + shown + "}").orElse(text);
  }
}
