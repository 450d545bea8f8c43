package dev.cairn.server.advise;

import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.List;
import java.util.Locale;

/**
 * Finds scans that mostly read rows without returning them, in a table with markers or expired
 * cells. Without those, a filter is the likely reason. Scans of which an index could serve the
 * filter are left to {@link MissingIndexes}.
 */
final class HiddenRows implements Check {
  private static final double HIDDEN_MIN = 0.8;
  private static final int SCANS_MIN = 30;

  @Override
  public List<Finding> findings(Observation seen) {
    List<LoadSample> scans =
        seen.calls().filter(call -> call.kind() == Kind.SCAN && call.searched().isEmpty()).toList();
    double rows = scans.stream().mapToDouble(LoadSample::rows).sum();
    double hidden = scans.stream().mapToDouble(LoadSample::hidden).sum();
    long markers = seen.facts().families().stream().mapToLong(StoreFigures::familyMarkers).sum();
    long expired = seen.facts().families().stream().mapToLong(StoreFigures::expiredBytes).sum();
    if (scans.size() < SCANS_MIN || hidden < HIDDEN_MIN * rows || markers + expired == 0) {
      return List.of();
    }
    double before = rows / Math.max(rows - hidden, 1);
    return List.of(
        new Finding(
            Rule.HIDDEN_ROWS,
            String.format(
                Locale.ROOT,
                "Of the rows that scans look at, %.0f %% return nothing: they are deleted or"
                    + " expired, but still in the files.",
                100 * hidden / rows),
            List.of(
                Evidence.share("rows without a result among those of scans", hidden / rows),
                Evidence.count("markers of deleted rows in files", markers),
                Evidence.bytes("expired cells in files", expired)),
            List.of(
                new Proposal(
                    "Compact all files, now and regularly. If the table is a queue, begin scans"
                        + " after the last finished row, not at the beginning of the table.",
                    seen.facts().families().stream()
                        .map(one -> ShellText.majorCompact(seen.facts().schema(), one.family()))
                        .toList(),
                    new Effect(
                        "rows looked at for each row returned", Effect.Unit.COUNT, before, 1)))));
  }
}
