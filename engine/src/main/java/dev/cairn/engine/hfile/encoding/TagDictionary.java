package dev.cairn.engine.hfile.encoding;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The tags of one block that later ones refer to by number, as HBase compresses them ({@code
 * COMPRESS_TAGS}, its default for encoded blocks). There are 32,767 numbers; after that the number
 * of the tag that was used the longest ago is given anew. One thread.
 */
final class TagDictionary {
  private static final int CAPACITY = Short.MAX_VALUE;

  /** In the order of their last use. */
  private final Map<Integer, byte[]> tags = new LinkedHashMap<>(16, 0.75f, true);

  /** Adds a tag under the next number. */
  void add(byte[] tag) {
    int number = tags.size();
    if (number == CAPACITY) {
      number = tags.keySet().iterator().next();
      tags.remove(number);
    }
    tags.put(number, tag);
  }

  /**
   * Returns the tag with {@code number}.
   *
   * @throws IOException if there is none
   */
  byte[] get(int number) throws IOException {
    byte[] tag = tags.get(number);
    if (tag == null) {
      throw new IOException("tag " + number + " of " + tags.size());
    }
    return tag;
  }
}
