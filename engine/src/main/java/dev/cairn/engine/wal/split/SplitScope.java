package dev.cairn.engine.wal.split;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * The regions whose entries a split recovers, and the entries that it leaves out.
 *
 * @param regions tells by encoded name which regions get their entries
 * @param flushed the entries that are in store files and are left out
 * @param scratch the directory of unfinished files; if empty, they lie beside the finished ones
 */
record SplitScope(Predicate<String> regions, FlushedEdits flushed, Optional<String> scratch) {
  /** All entries of all regions. */
  static final SplitScope ALL = new SplitScope(region -> true, FlushedEdits.NONE, Optional.empty());

  /** Returns the scope for one of several processes that share the split of a log. */
  static SplitScope share(Predicate<String> regions, FlushedEdits flushed, String scratch) {
    return new SplitScope(regions, flushed, Optional.of(scratch));
  }
}
