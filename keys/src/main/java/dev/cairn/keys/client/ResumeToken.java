package dev.cairn.keys.client;

import dev.cairn.keys.KeyRange;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * Where a scan was when it stopped, as text:
 *
 * <pre>
 * o:CHECKSUM:BUCKET=KEY               ordered: the last row's bucket and its key without salt
 * u:CHECKSUM:BUCKET=KEY:BUCKET=KEY…   unordered: the last key of each bucket that has begun
 * </pre>
 *
 * The checksum is of the scan's ranges and its direction, so that the token of another scan is
 * refused. Owned by one scanner.
 */
final class ResumeToken {
  private static final String ORDERED = "o";
  private static final String UNORDERED = "u";
  private static final String SEPARATOR = ":";
  private static final HexFormat HEX = HexFormat.of();

  private final String begin;
  private final boolean ordered;

  /** The last keys, without salts, by bucket. The ordered form needs the last one alone. */
  private final Map<Integer, byte[]> lastKeys = new TreeMap<>();

  private int lastBucket = -1;

  private ResumeToken(String begin, boolean ordered) {
    this.begin = begin;
    this.ordered = ordered;
  }

  /** Reads a token, or begins a new one. */
  static ResumeToken read(
      Optional<String> text, boolean ordered, List<BucketRanges> buckets, boolean reversed) {
    String begin =
        (ordered ? ORDERED : UNORDERED) + SEPARATOR + checksum(buckets, reversed) + SEPARATOR;
    ResumeToken token = new ResumeToken(begin, ordered);
    if (text.isPresent()) {
      if (!text.get().startsWith(begin)) {
        throw new IllegalArgumentException(
            "the token is of another scan: it begins with "
                + begin
                + " for this pattern, order and direction");
      }
      token.readKeys(text.get().substring(begin.length()));
    }
    return token;
  }

  private void readKeys(String keys) {
    try {
      for (String key : keys.isEmpty() ? new String[0] : keys.split(SEPARATOR)) {
        String[] bucketAndKey = key.split("=", -1);
        lastBucket = Integer.parseInt(bucketAndKey[0]);
        lastKeys.put(lastBucket, HEX.parseHex(bucketAndKey[1]));
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("not a token: " + begin + keys, e);
    }
  }

  private static String checksum(List<BucketRanges> buckets, boolean reversed) {
    CRC32 checksum = new CRC32();
    checksum.update(reversed ? 1 : 0);
    for (BucketRanges bucket : buckets) {
      for (KeyRange range : bucket.ranges()) {
        for (byte[] limit : List.of(range.start(), range.stop())) {
          checksum.update(limit.length);
          checksum.update(limit);
        }
      }
    }
    return Long.toHexString(checksum.getValue());
  }

  /** Returns what an earlier scan has left of a bucket. */
  BucketRanges rest(BucketRanges bucket) {
    if (!ordered) {
      byte[] last = lastKeys.get(bucket.bucket());
      return last == null ? bucket : bucket.from(bucket.salted(last), false);
    }
    if (lastBucket < 0) {
      return bucket;
    }
    // Equal keys come in the order of the buckets.
    byte[] last = lastKeys.get(lastBucket);
    return bucket.from(bucket.salted(last), bucket.bucket() > lastBucket);
  }

  /** Notes that a row was returned. */
  void returned(int bucket, byte[] keyWithoutSalt) {
    if (ordered) {
      lastKeys.clear();
    }
    lastKeys.put(bucket, keyWithoutSalt);
    lastBucket = bucket;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(begin);
    lastKeys.forEach(
        (bucket, key) ->
            text.append(text.length() == begin.length() ? "" : SEPARATOR)
                .append(bucket)
                .append('=')
                .append(HEX.formatHex(key)));
    return text.toString();
  }
}
