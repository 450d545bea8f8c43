package dev.cairn.engine.region.state;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The choice of families that are flushed when a region's memory is full or old and the caller
 * names none. HBase names its policies by classes, in {@code hbase.regionserver.flush.policy} and
 * in a table's attribute {@code FLUSH_POLICY}; these are known by their names.
 */
public enum FlushPolicy {
  /** All families. */
  ALL("org.apache.hadoop.hbase.regionserver.FlushAllStoresPolicy"),

  /**
   * The families above a certain size, and those that have waited long; all, if there are none of
   * these. So one large family does not make small files of its small neighbours.
   */
  LARGE(
      "org.apache.hadoop.hbase.regionserver.FlushAllLargeStoresPolicy",
      // It skips families whose memstore is compacted in memory; there are none here.
      "org.apache.hadoop.hbase.regionserver.FlushNonSloppyStoresFirstPolicy");

  private final List<String> classes;

  FlushPolicy(String... classes) {
    this.classes = List.of(classes);
  }

  /** Returns the policy of an HBase class; empty if unknown. */
  public static Optional<FlushPolicy> of(String className) {
    return Arrays.stream(values())
        .filter(policy -> policy.classes.contains(className.trim()))
        .findFirst();
  }

  /**
   * Returns the policy of an HBase class.
   *
   * @throws IllegalArgumentException if it is not known, saying which are
   */
  public static FlushPolicy require(String className) {
    return of(className)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The flush policy "
                        + className
                        + " is not known here; known are "
                        + Arrays.stream(values()).flatMap(p -> p.classes.stream()).toList()));
  }
}
