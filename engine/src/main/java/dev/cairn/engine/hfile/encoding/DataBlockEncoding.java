package dev.cairn.engine.hfile.encoding;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The encodings of a data block's cells, in HBase's formats. */
public enum DataBlockEncoding {
  /** One cell after another, as in memory. */
  NONE(0),
  /** Keys without the prefix that they share with the previous one. */
  PREFIX(2),
  /**
   * As PREFIX, with timestamps as differences, and lengths and types left out where they repeat.
   */
  DIFF(3),
  /** As DIFF, with values left out, too, where they repeat. */
  FAST_DIFF(4),
  /** As NONE, with a list of the places where rows begin. */
  ROW_INDEX_V1(7);

  private final int id;

  DataBlockEncoding(int id) {
    this.id = id;
  }

  /**
   * Returns the encoding that HBase calls {@code name}, in any case.
   *
   * @throws IllegalArgumentException if there is none of this name; the message lists all names
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

  /** Returns the number that begins a block in this encoding. */
  public int id() {
    return id;
  }

  /**
   * Returns a new encoder and decoder; empty for NONE.
   *
   * @param compressedTags whether the tags of what is decoded are compressed; ROW_INDEX_V1 leaves
   *     them as they are although the file says so
   */
  public Optional<BlockEncoding> newEncoding(boolean compressedTags) {
    return switch (this) {
      case NONE -> Optional.empty();
      case PREFIX -> Optional.of(new PrefixEncoding(compressedTags));
      case DIFF -> Optional.of(new DiffEncoding(compressedTags));
      case FAST_DIFF -> Optional.of(new FastDiffEncoding(compressedTags));
      case ROW_INDEX_V1 -> Optional.of(new RowIndexEncoding());
    };
  }
}
