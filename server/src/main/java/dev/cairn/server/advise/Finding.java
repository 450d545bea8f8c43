package dev.cairn.server.advise;

import java.util.List;

/**
 * Something about a table that costs speed or room.
 *
 * @param rule the kind of problem
 * @param sentence what is wrong
 * @param evidence the numbers
 * @param proposals what to do, the best first
 */
public record Finding(
    Rule rule, String sentence, List<Evidence> evidence, List<Proposal> proposals) {
  /** Copies the lists. */
  public Finding {
    evidence = List.copyOf(evidence);
    proposals = List.copyOf(proposals);
  }
}
