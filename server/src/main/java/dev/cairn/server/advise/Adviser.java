package dev.cairn.server.advise;

import dev.cairn.server.loadsplit.LoadSample.Kind;
import java.util.ArrayList;
import java.util.List;

/** Runs all checks on a table. Stateless. */
public final class Adviser {
  private static final List<Check> CHECKS =
      List.of(
          new HotRow(),
          new GrowingKeys(),
          new SkewedPrefixes(),
          new SaltedScans(),
          new HiddenRows(),
          new MissingIndexes(),
          new UnusedIndexes(),
          new WideRows(),
          new LargeBlocks(),
          new BloomFilters(),
          new ExpiredCells(),
          new LongNames(),
          new Families());

  private Adviser() {}

  /** Returns the advice on a table. */
  public static Advice on(Observation seen) {
    List<Finding> findings = new ArrayList<>();
    for (Check check : CHECKS) {
      findings.addAll(check.findings(seen));
    }
    int samples = seen.samples(call -> true);
    long seconds =
        seen.steps().isEmpty()
            ? 0
            : Math.max(1, (seen.facts().nowMillis() - seen.steps().get(0).startMillis()) / 1_000);
    return new Advice(seen.facts().table(), samples, seconds, findings, gaps(seen));
  }

  private static List<String> gaps(Observation seen) {
    List<String> gaps = new ArrayList<>();
    if (seen.samples(call -> call.kind() == Kind.WRITE) < Observation.SAMPLES_MIN) {
      gaps.add("Too few writes were seen to tell whether keys grow.");
    }
    if (seen.samples(call -> true) < Observation.SAMPLES_MIN) {
      gaps.add("Too few calls were seen to judge keys, scans, blocks and Bloom filters.");
    }
    if (!seen.facts().isWhole()) {
      gaps.add(
          "Some regions of the table are not known, so the borders of regions are not judged.");
    }
    if (seen.facts().families().stream().allMatch(one -> one.files() == 0)) {
      gaps.add("There are no store files to judge names, rows and expiry.");
    }
    seen.facts().keys().problem().ifPresent(problem -> gaps.add(problem + "."));
    return gaps;
  }
}
