package dev.cairn.engine.scan;

import java.util.Locale;

/** Whether a scan uses secondary indexes. The result is the same. */
public enum IndexHint {
  /** Uses indexes if few rows may match. */
  AUTO,
  /** Uses no index. */
  NEVER,
  /** Uses indexes although many rows may match, up to limits on entries and memory. */
  ALWAYS;

  /** The name of the attribute of a scan. */
  public static final String ATTRIBUTE = "cairn.index";

  /**
   * Returns the hint that the attribute's value names, in upper or lower case.
   *
   * @throws IllegalArgumentException if the value names none
   */
  public static IndexHint parse(String value) {
    for (IndexHint hint : values()) {
      if (hint.name().equalsIgnoreCase(value)) {
        return hint;
      }
    }
    throw new IllegalArgumentException(
        "The attribute "
            + ATTRIBUTE
            + " must be auto, never or always, not "
            + value.toLowerCase(Locale.ROOT));
  }
}
