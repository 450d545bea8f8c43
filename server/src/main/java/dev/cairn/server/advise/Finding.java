package dev.cairn.server.advise;

import java.util.List;

/**
 * A problem of a table that costs speed or room.
 *
 * @param rule the kind of problem
 * @param sentence the problem
 * @param evidence the numbers
 * @param proposals the proposed changes, the best first
 */
public record Finding(
    Rule rule, String sentence, List<Evidence> evidence, List<Proposal> proposals) {
  /** Copies the lists. */
  public Finding {
    evidence = List.copyOf(evidence);
    proposals = List.copyOf(proposals);
  }
}
