package dev.cairn.engine.store.index;

import dev.cairn.engine.hfile.block.CachedBlock.MetaContent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A chunk of an index, with the places of some of its entries, so that a search for a value need
 * not pass all entries before it. Immutable; any number of threads.
 */
final class IndexChunk implements MetaContent {
  /** The entries from one place to the next. */
  private static final int ENTRIES_APART = 32;

  private static final int ARRAY_BYTES = 24;

  private final byte[] bytes;
  private final int[] places;

  /** By place: the value of the entry before it. */
  private final byte[][] before;

  private final long weight;

  /**
   * Creates a chunk.
   *
   * @throws IndexOutOfBoundsException if an entry is damaged
   */
  IndexChunk(byte[] bytes) {
    this.bytes = bytes;
    List<Integer> entries = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    EntryDecoder in = new EntryDecoder(bytes);
    long valueBytes = 0;
    for (int i = 0; in.hasNext(); i++) {
      if (i % ENTRIES_APART == 0) {
        boolean isKnown = !values.isEmpty() && values.get(values.size() - 1) == in.value();
        valueBytes += isKnown ? 0 : in.value().length + ARRAY_BYTES;
        entries.add(in.position());
        values.add(in.value());
      }
      in.next();
    }
    this.places = entries.stream().mapToInt(Integer::intValue).toArray();
    this.before = values.toArray(byte[][]::new);
    this.weight = OVERHEAD + bytes.length + valueBytes + 12L * places.length;
  }

  /** Returns a decoder that stands before the first entry with a value from {@code low} on. */
  EntryDecoder from(byte[] low) {
    int first = 0;
    int end = places.length;
    while (first < end) {
      int middle = (first + end) >>> 1;
      if (Arrays.compareUnsigned(before[middle], low) < 0) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first == 0
        ? new EntryDecoder(bytes)
        : new EntryDecoder(bytes, places[first - 1], before[first - 1]);
  }

  @Override
  public long weight() {
    return weight;
  }
}
