package dev.cairn.server.digest;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Asks for digests instead of rows, as an attribute of a scan. The value is a list like {@code
 * rows=1000,hash,sum}.
 *
 * @param rows how many rows a digest covers at most; at least 1
 * @param hashes whether the rows are hashed
 * @param sums whether the values of each row's first cell are added up; they must have 8 bytes
 */
public record DigestOptions(int rows, boolean hashes, boolean sums) {
  /** The name of the attribute. */
  public static final String ATTRIBUTE = "_cairn.digest_";

  /** The family of the answer's cells; no table can have one of this name. */
  public static final String FAMILY = "cairn:digest";

  private static final String ROWS = "rows=";
  private static final String HASH = "hash";
  private static final String SUM = "sum";

  /** Returns the attribute's value. */
  public byte[] toBytes() {
    String text = ROWS + rows + (hashes ? "," + HASH : "") + (sums ? "," + SUM : "");
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads the attribute's value.
   *
   * @throws DoNotRetryIOException if it is malformed
   */
  public static DigestOptions parse(byte[] value) throws DoNotRetryIOException {
    String text = new String(value, StandardCharsets.UTF_8);
    int rows = 0;
    boolean hashes = false;
    boolean sums = false;
    for (String part : text.split(",", -1)) {
      if (part.startsWith(ROWS)) {
        rows = number(part.substring(ROWS.length()));
      } else if (part.equals(HASH)) {
        hashes = true;
      } else if (part.equals(SUM)) {
        sums = true;
      } else {
        throw malformed(text);
      }
    }
    if (rows < 1) {
      throw malformed(text);
    }
    return new DigestOptions(rows, hashes, sums);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static DoNotRetryIOException malformed(String text) {
    return new DoNotRetryIOException(
        "The attribute "
            + ATTRIBUTE
            + " must be like rows=1000,hash,sum with a number of at least 1, not "
            + text);
  }
}
