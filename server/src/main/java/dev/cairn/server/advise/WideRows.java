package dev.cairn.server.advise;

import dev.cairn.engine.store.StoreFigures;
import dev.cairn.server.advise.Finding.Effect;
import dev.cairn.server.advise.Finding.Evidence;
import dev.cairn.server.advise.Finding.Proposal;
import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds rows with very many cells. */
final class WideRows implements Check {
  /** Above this, a read of a whole row is like a scan: about a megabyte of small cells. */
  private static final int CELLS_MAX = 10_000;

  @Override
  public List<Finding> findings(Observation seen) {
    List<Finding> findings = new ArrayList<>();
    for (StoreFigures files : seen.facts().families()) {
      if (files.cellsPerRow() >= CELLS_MAX) {
        findings.add(finding(seen, files));
      }
    }
    return findings;
  }

  private static Finding finding(Observation seen, StoreFigures files) {
    double cells = files.cellsPerRow();
    double bytes = cells * (files.keyBytes() + files.valueBytes()) / Math.max(1, files.cells());
    double gets = seen.requests(Kind.GET);
    double read =
        seen.calls().filter(call -> call.kind() == Kind.GET).mapToDouble(call -> call.bytes()).sum()
            / Math.max(1, gets);
    List<Evidence> evidence =
        new ArrayList<>(
            List.of(
                Evidence.count("cells of a row, on average", cells),
                Evidence.bytes("a row, on average", bytes)));
    if (gets > 0) {
      evidence.add(Evidence.bytes("answer of a get, on average", read));
    }
    return new Finding(
        Rule.WIDE_ROWS,
        String.format(
            Locale.ROOT,
            "Rows of family %s have %.0f cells on average. A row is never split, and a get without"
                + " columns reads all of it.",
            files.family(),
            cells),
        evidence,
        List.of(
            new Proposal(
                "Make the table tall: append the leading part of the qualifier to the row"
                    + " (ROW-PART), and scan with the row as prefix. Until then, name the columns"
                    + " in gets, or use setBatch in scans.",
                List.of(),
                new Effect(
                    "bytes that a get of one entry's row reads",
                    Effect.Unit.BYTES,
                    bytes,
                    bytes / cells))));
  }
}
