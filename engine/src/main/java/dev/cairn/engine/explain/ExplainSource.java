package dev.cairn.engine.explain;

import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.schema.FamilySchema;
import java.util.List;

/**
 * One family of a scan that is to be explained. The lists of {@code facts}, {@code all} and the
 * trace's sources go together, index by index.
 *
 * @param family the family's schema
 * @param cursors what the scan reads, as {@link dev.cairn.engine.scan.StoreSource#cursors}
 * @param trace knows each of them; it is a tracking one
 * @param values finds the values of cells that only refer to them
 * @param all cursors over everything that the family holds, whatever the scan reads, newest first,
 *     with the cells that are too new to be seen
 * @param facts what there is
 * @param onClose runs when the scan is closed
 */
public record ExplainSource(
    FamilySchema family,
    List<CellCursor> cursors,
    SourceMetrics trace,
    ValueSource values,
    List<CellCursor> all,
    List<SourceFacts> facts,
    Runnable onClose) {
  /** Copies the lists. */
  public ExplainSource {
    cursors = List.copyOf(cursors);
    all = List.copyOf(all);
    facts = List.copyOf(facts);
  }

  /** Closes all cursors. */
  void close() {
    all.forEach(CellCursor::close);
  }
}
