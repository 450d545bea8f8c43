package dev.cairn.engine.scan;

import java.util.Locale;

/** Whether a scan uses secondary indexes. The result is the same. */
public enum IndexHint {
  /** It does if few rows may match. */
  AUTO,
  /** It does not. */
  NEVER,
  /** It does if its condition has indexes, whatever the number of rows, up to a limit of memory. */
  ALWAYS;

  /** The name of the attribute of a scan. */
  public static final String ATTRIBUTE = "cairn.index";

  /**
   * Returns the hint of an attribute's value, in any case.
   *
   * @throws IllegalArgumentException if it is none
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
