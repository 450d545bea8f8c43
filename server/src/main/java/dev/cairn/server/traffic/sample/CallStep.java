package dev.cairn.server.traffic.sample;

import dev.cairn.server.loadsplit.LoadSample;
import java.util.ArrayList;
import java.util.List;

/**
 * The sampled calls of a table in a step of time.
 *
 * @param startMillis when the step began, milliseconds since 1970
 * @param calls in no order; their sums estimate those of all calls in the step
 */
public record CallStep(long startMillis, List<LoadSample> calls) {
  /** Copies the list. */
  public CallStep {
    calls = List.copyOf(calls);
  }

  /** Returns the calls of this step and of a later one together. */
  public CallStep and(CallStep later) {
    List<LoadSample> both = new ArrayList<>(calls);
    both.addAll(later.calls);
    return new CallStep(startMillis, both);
  }
}
