package dev.cairn.engine.hfile;

import java.util.Arrays;
import java.util.Locale;

/** How the cells of a data block lie in the file, in HBase's formats. */
public enum DataBlockEncoding {
  /** One behind another, as they are in memory. */
  NONE(0);

  private final int id;

  DataBlockEncoding(int id) {
    this.id = id;
  }

  /**
   * Returns the encoding that HBase calls {@code name}, in any case.
   *
   * @throws IllegalArgumentException if there is no such thing here, saying what there is
   */
  public static DataBlockEncoding of(String name) {
    String upper = name.trim().toUpperCase(Locale.ROOT);
    for (DataBlockEncoding encoding : values()) {
      if (encoding.name().equals(upper)) {
        return encoding;
      }
    }
    throw new IllegalArgumentException(
        "Data block encoding <"
            + name
            + "> is not supported; there are "
            + Arrays.toString(values()));
  }

  /** Returns the encoding with the id that a block begins with, or null if it is not supported. */
  static DataBlockEncoding ofId(int id) {
    for (DataBlockEncoding encoding : values()) {
      if (encoding.id == id) {
        return encoding;
      }
    }
    return null;
  }

  /** Returns the number that begins a block in this encoding. */
  int id() {
    return id;
  }
}
