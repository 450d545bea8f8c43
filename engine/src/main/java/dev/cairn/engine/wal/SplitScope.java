package dev.cairn.engine.wal;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * The regions that a split is for.
 *
 * @param regions tells by encoded name which regions get their entries
 * @param scratch the directory of unfinished files; if empty, they lie beside the finished ones
 */
record SplitScope(Predicate<String> regions, Optional<String> scratch) {
  /** All regions. */
  static final SplitScope ALL = new SplitScope(region -> true, Optional.empty());

  /** Returns the scope for one of several processes that share the split of a log. */
  static SplitScope share(Predicate<String> regions, String scratch) {
    return new SplitScope(regions, Optional.of(scratch));
  }
}
