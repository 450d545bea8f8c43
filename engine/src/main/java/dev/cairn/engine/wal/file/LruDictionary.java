package dev.cairn.engine.wal.file;

import java.util.Arrays;

/**
 * Numbered byte strings, up to a maximum; a new one replaces the least recently used one and takes
 * its number. Writer and reader of a compressed log file each keep one per kind of name; both add
 * and use the same strings in the same order, so both assign the same numbers.
 *
 * <p>The rules are those of HBase's {@code LRUDictionary}: an empty string is never added, and
 * numbers are given in ascending order from 0 until all are in use. One thread.
 */
final class LruDictionary {
  /** The result of {@link #find} for a string that was not there. */
  static final int ABSENT = -1;

  private static final int CAPACITY_MIN = 16;

  private final int capacity;
  private byte[][] strings = new byte[CAPACITY_MIN][];
  // The list from the most recently used string to the least recently used one.
  private int[] newer = new int[CAPACITY_MIN];
  private int[] older = new int[CAPACITY_MIN];
  private int newest = ABSENT;
  private int oldest = ABSENT;
  private int size;
  // Chains of strings with the same hash.
  private int[] buckets = filled(2 * CAPACITY_MIN);
  private int[] nextInBucket = new int[CAPACITY_MIN];

  /**
   * Creates an empty dictionary.
   *
   * @param capacity how many strings it holds at most; at most 32767, which two bytes can tell from
   *     the mark of a new string
   */
  LruDictionary(int capacity) {
    this.capacity = capacity;
  }

  /** Returns the number of a string and marks it as used; adds it if it is not there. */
  int find(byte[] bytes, int offset, int length) {
    int i = buckets[bucket(bytes, offset, length)];
    while (i != ABSENT) {
      if (Arrays.equals(strings[i], 0, strings[i].length, bytes, offset, offset + length)) {
        use(i);
        return i;
      }
      i = nextInBucket[i];
    }
    add(bytes, offset, length);
    return ABSENT;
  }

  /** Adds a string that is not there yet. */
  void add(byte[] bytes, int offset, int length) {
    if (length == 0) {
      return;
    }
    int i;
    if (size < capacity) {
      i = size++;
      if (i == strings.length) {
        enlarge();
      }
    } else {
      i = oldest;
      unlink(i);
      removeFromBucket(i);
    }
    strings[i] = Arrays.copyOfRange(bytes, offset, offset + length);
    linkAsNewest(i);
    addToBucket(i);
  }

  /**
   * Returns the string with a number and marks it as used. The caller must not change it.
   *
   * @throws WalDamage if there is none
   */
  byte[] get(int number) throws WalDamage {
    if (number < 0 || number >= size) {
      throw WalDamage.wrong(
          "expected the number of one of " + size + " names that came before, found " + number);
    }
    use(number);
    return strings[number];
  }

  private void use(int i) {
    if (i != newest) {
      unlink(i);
      linkAsNewest(i);
    }
  }

  private void unlink(int i) {
    if (i == newest) {
      newest = older[i];
    } else {
      older[newer[i]] = older[i];
    }
    if (i == oldest) {
      oldest = newer[i];
    } else {
      newer[older[i]] = newer[i];
    }
  }

  private void linkAsNewest(int i) {
    newer[i] = ABSENT;
    older[i] = newest;
    if (newest == ABSENT) {
      oldest = i;
    } else {
      newer[newest] = i;
    }
    newest = i;
  }

  private int bucket(byte[] bytes, int offset, int length) {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    hash ^= hash >>> 16;
    return hash & buckets.length - 1;
  }

  private void addToBucket(int i) {
    int bucket = bucket(strings[i], 0, strings[i].length);
    nextInBucket[i] = buckets[bucket];
    buckets[bucket] = i;
  }

  private void removeFromBucket(int i) {
    int bucket = bucket(strings[i], 0, strings[i].length);
    if (buckets[bucket] == i) {
      buckets[bucket] = nextInBucket[i];
      return;
    }
    int before = buckets[bucket];
    while (nextInBucket[before] != i) {
      before = nextInBucket[before];
    }
    nextInBucket[before] = nextInBucket[i];
  }

  private void enlarge() {
    int room = Math.min(2 * strings.length, capacity);
    int known = strings.length;
    strings = Arrays.copyOf(strings, room);
    newer = Arrays.copyOf(newer, room);
    older = Arrays.copyOf(older, room);
    nextInBucket = new int[room];
    buckets = filled(Integer.highestOneBit(room) * 2);
    for (int i = 0; i < known; i++) {
      addToBucket(i);
    }
  }

  private static int[] filled(int length) {
    int[] buckets = new int[length];
    Arrays.fill(buckets, ABSENT);
    return buckets;
  }
}
