package dev.cairn.engine.region;

import dev.cairn.engine.explain.ExplainedRow;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.explain.ScanReport;
import java.io.IOException;
import java.util.Optional;

/** An explanation that ends with its region, as the scan does that it explains. */
final class GuardedExplanation implements Explanation {
  private final Explanation explanation;
  private final RegionGate gate;

  GuardedExplanation(Explanation explanation, RegionGate gate) {
    this.explanation = explanation;
    this.gate = gate;
  }

  @Override
  public Optional<ExplainedRow> next(long deadlineNanos) throws IOException {
    try (RegionGate.Visit visit = gate.enter()) {
      return explanation.next(deadlineNanos);
    }
  }

  @Override
  public boolean isEnded() {
    return explanation.isEnded();
  }

  @Override
  public ScanReport report() {
    return explanation.report();
  }

  @Override
  public void close() {
    explanation.close();
  }
}
