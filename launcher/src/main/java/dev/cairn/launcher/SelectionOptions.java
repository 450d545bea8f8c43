package dev.cairn.launcher;

import dev.cairn.tools.bulk.Selection;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that select cells of a table. */
final class SelectionOptions extends CellOptions {
  @Option(
      names = "--versions",
      paramLabel = "N",
      description = "Maximum versions of a column (default: 1).")
  private Optional<Integer> versions;

  @Option(
      names = "--raw",
      description = "Also deleted cells and the markers of deletions, and all versions.")
  private boolean raw;

  Selection selection() {
    int count = versions.orElse(raw ? Integer.MAX_VALUE : 1);
    if (count < 1) {
      throw new LauncherException("--versions must be at least 1, not " + count);
    }
    return selection(count, raw);
  }
}
