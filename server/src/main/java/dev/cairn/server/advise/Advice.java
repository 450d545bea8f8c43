package dev.cairn.server.advise;

import java.util.List;

/**
 * The advice on a table.
 *
 * @param table its name
 * @param calls how many sampled calls it is based on
 * @param seconds the time in which they were made
 * @param findings the problems; empty if there are none, or if too little was seen
 * @param gaps a sentence for each part that could not be judged
 */
public record Advice(
    String table, int calls, long seconds, List<Finding> findings, List<String> gaps) {
  /** Copies the lists. */
  public Advice {
    findings = List.copyOf(findings);
    gaps = List.copyOf(gaps);
  }

  /** Returns the result. The result is "nothing to do" only if enough calls were seen. */
  public Verdict verdict() {
    if (!findings.isEmpty()) {
      return Verdict.FINDINGS;
    }
    return calls >= Observation.SAMPLES_MIN ? Verdict.NOTHING_TO_DO : Verdict.TOO_FEW_CALLS;
  }

  /** The adviser's result for a table. */
  public enum Verdict {
    /** There are findings. */
    FINDINGS("findings"),

    /** Enough calls were seen, and no rule speaks. */
    NOTHING_TO_DO("nothing-to-do"),

    /** No rule speaks, but too few calls were seen to judge the table by them. */
    TOO_FEW_CALLS("too-few-calls");

    private final String id;

    Verdict(String id) {
      this.id = id;
    }

    /** Returns the name for programs. */
    public String id() {
      return id;
    }
  }
}
