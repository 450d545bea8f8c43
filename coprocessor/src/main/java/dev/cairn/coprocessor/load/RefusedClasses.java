package dev.cairn.coprocessor.load;

import java.util.Map;
import java.util.Optional;

/** Refuses known classes that can be loaded but would return wrong results. */
final class RefusedClasses {
  /** The reasons, by the name of the class. */
  private static final Map<String, String> REASONS =
      Map.of(
          // Its hooks would have to rewrite the keys of rows in the halves of a split region's
          // files.
          "org.apache.hadoop.hbase.regionserver.IndexHalfStoreFileReaderGenerator",
          "Cairn does not support the local indexes of Apache Phoenix, which lose their rows when a"
              + " region splits; use global indexes");

  private RefusedClasses() {}

  /** Returns why the class of a coprocessor is refused, if it is. */
  static Optional<String> reason(String className) {
    return Optional.ofNullable(REASONS.get(className));
  }
}
