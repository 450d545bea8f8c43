package dev.cairn.server.advise;

import java.util.List;

/**
 * The advice on a table.
 *
 * @param table its name
 * @param calls how many sampled calls it is based on
 * @param seconds the time in which they were made
 * @param findings the problems; empty if there is nothing to do
 * @param gaps a sentence for each part that could not be judged
 */
public record Advice(
    String table, int calls, long seconds, List<Finding> findings, List<String> gaps) {
  /** Copies the lists. */
  public Advice {
    findings = List.copyOf(findings);
    gaps = List.copyOf(gaps);
  }

  /** Tells whether there were enough calls to find something. */
  public boolean isJudged() {
    return !findings.isEmpty() || calls >= Observation.SAMPLES_MIN;
  }
}
