package dev.cairn.server.explain;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * The options of an explanation, which an attribute of the scan carries. So an explanation takes
 * the path of every scan: to the right server, with retries, leases and limits, from any client.
 *
 * <p>The attribute is a list like {@code rows=10,cells=1000}; missing options have their defaults.
 *
 * @param rows number of returned rows after which the scan ends in a region; 0 to explain no row,
 *     but only what the indexes do
 * @param cells maximum number of reported cells of each row; the others are counted
 */
public record ExplainOptions(int rows, int cells) {
  /** The name of the attribute. */
  public static final String ATTRIBUTE = "_cairn.explain_";

  /** The family of the answer's cells; no table can have one of this name. */
  public static final String FAMILY = "cairn:explain";

  /** The column of the first cell, with the sources of the read in the region. */
  public static final String BEGIN = "begin";

  /** The column of the cells with the explanations of rows. */
  public static final String ROW = "row";

  /** The column of the last cell, with the metrics of the read. */
  public static final String END = "end";

  /** The meaning of an empty attribute. */
  public static final ExplainOptions DEFAULT = new ExplainOptions(Integer.MAX_VALUE, 1000);

  /** Returns the attribute's value. */
  public byte[] toBytes() {
    return ("rows=" + rows + ",cells=" + cells).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Reads the attribute's value.
   *
   * @throws DoNotRetryIOException if it is malformed
   */
  public static ExplainOptions parse(byte[] value) throws DoNotRetryIOException {
    String text = new String(value, StandardCharsets.UTF_8);
    int rows = DEFAULT.rows;
    int cells = DEFAULT.cells;
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      if (part.startsWith("rows=")) {
        rows = number(part, text, 0);
      } else if (part.startsWith("cells=")) {
        cells = number(part, text, 1);
      } else {
        throw malformed(text);
      }
    }
    return new ExplainOptions(rows, cells);
  }

  private static int number(String part, String text, int least) throws DoNotRetryIOException {
    try {
      int number = Integer.parseInt(part.substring(part.indexOf('=') + 1));
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw malformed(text);
  }

  private static DoNotRetryIOException malformed(String text) {
    return new DoNotRetryIOException(
        "The attribute "
            + ATTRIBUTE
            + " must be like rows=10,cells=1000 with at least 0 rows and 1 cell, not "
            + text);
  }
}
