package dev.cairn.keys.client;

import dev.cairn.keys.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The ranges of one bucket that are still to be scanned, in the order of the scan.
 *
 * @param bucket the number of the bucket
 * @param saltWidth how many bytes of a key are the bucket's number
 * @param reversed whether the scan begins at the greatest key
 */
record BucketRanges(int bucket, int saltWidth, List<KeyRange> ranges, boolean reversed) {
  /** Returns the ranges, which are given in ascending order, in that of the scan. */
  static BucketRanges of(int bucket, int saltWidth, List<KeyRange> ascending, boolean reversed) {
    List<KeyRange> ranges = new ArrayList<>(ascending);
    if (reversed) {
      Collections.reverse(ranges);
    }
    return new BucketRanges(bucket, saltWidth, List.copyOf(ranges), reversed);
  }

  /** Returns a key of this bucket. */
  byte[] salted(byte[] unsalted) {
    byte[] key = new byte[saltWidth + unsalted.length];
    for (int i = 0; i < saltWidth; i++) {
      key[i] = (byte) (bucket >>> (saltWidth - 1 - i) * Byte.SIZE);
    }
    System.arraycopy(unsalted, 0, key, saltWidth, unsalted.length);
    return key;
  }

  /** Returns what is left after a key, or from it on. */
  BucketRanges from(byte[] key, boolean inclusive) {
    if (reversed && key.length == 0 && !inclusive) {
      // The empty key is the last one of a reversed scan; as the end of a range, it would be none.
      return new BucketRanges(bucket, saltWidth, List.of(), true);
    }
    byte[] next = Arrays.copyOf(key, key.length + 1);
    List<KeyRange> left = new ArrayList<>();
    for (KeyRange range : ranges) {
      KeyRange rest =
          reversed
              ? new KeyRange(range.start(), least(range.stop(), inclusive ? next : key))
              : new KeyRange(greatest(range.start(), inclusive ? key : next), range.stop());
      if (rest.stop().length == 0 || Arrays.compareUnsigned(rest.start(), rest.stop()) < 0) {
        left.add(rest);
      }
    }
    return new BucketRanges(bucket, saltWidth, List.copyOf(left), reversed);
  }

  private static byte[] greatest(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, right) >= 0 ? left : right;
  }

  /** An empty end is that of the table. */
  private static byte[] least(byte[] stop, byte[] other) {
    return stop.length == 0 || Arrays.compareUnsigned(other, stop) < 0 ? other : stop;
  }
}
