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
  @Override
  public String toString() {
    return text;
  }
}
