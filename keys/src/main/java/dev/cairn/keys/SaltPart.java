package dev.cairn.keys;

import java.util.List;

/**
 * The number of a bucket, computed from other parts, so that keys that come in order are spread
 * over the buckets. One byte, or two for more than 256 buckets.
 *
 * @param buckets how many there are, from 1 to 65,536
 * @param bucketing how the bucket is computed
 * @param of the names of later parts, whose bytes without terminators are hashed one after the
 *     other; if empty, all bytes of the key that follow are hashed
 */
public record SaltPart(int buckets, Bucketing bucketing, List<String> of) implements KeyPart {
  private static final int MOST_BUCKETS = 1 << 16;
  private static final int MOST_IN_ONE_BYTE = 1 << 8;

  /** Checks the number of buckets. */
  public SaltPart {
    of = List.copyOf(of);
    int most = bucketing instanceof Bucketing.Phoenix ? MOST_IN_ONE_BYTE : MOST_BUCKETS;
    if (buckets < 1 || buckets > most) {
      throw new IllegalArgumentException("a salt has from 1 to " + most + " buckets");
    }
    if (bucketing instanceof Bucketing.Modulo && of.size() != 1) {
      throw new IllegalArgumentException(
          "a salt by modulo is of one part: salt(" + buckets + ", modulo) of time");
    }
    if (bucketing instanceof Bucketing.Phoenix && !of.isEmpty()) {
      throw new IllegalArgumentException("phoenix_salt is of all parts; leave out \"of\"");
    }
  }

  /** Returns the width in bytes. */
  public int width() {
    return buckets <= MOST_IN_ONE_BYTE ? 1 : 2;
  }

  @Override
  public String toString() {
    if (bucketing instanceof Bucketing.Phoenix) {
      return "phoenix_salt(" + buckets + ")";
    }
    String by = bucketing.equals(Bucketing.STANDARD) ? "" : ", " + bucketing;
    return "salt(" + buckets + by + ")" + FormatText.of(of);
  }
}
