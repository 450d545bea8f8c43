package dev.cairn.interop.sidebyside;

import java.util.function.Supplier;
import org.apache.hadoop.hbase.filter.Filter;

/**
 * A filter, as Apache's client has it.
 *
 * @param text what it is, for people
 * @param maker makes a new one; filters remember what they have seen
 */
record Sieve(String text, Supplier<Filter> maker) {
  /**
   * Tells whether the answer for a row depends on rows before it. Such a filter begins anew with
   * each scanner, so a client that loses an answer and opens a new one gets other rows.
   */
  boolean dependsOnEarlierRows() {
    return text.contains("Page ") || text.contains("While(");
  }

  /**
   * Tells whether HBase and Cairn return rows that the model drops: if a filter that excludes the
   * column that it tests leaves no cell of the families that it needs, the row is not judged, and
   * its other families are returned.
   */
  boolean mayReturnUnjudgedRows() {
    return text.contains("SingleExclude");
  }

  @Override
  public String toString() {
    return text;
  }
}
