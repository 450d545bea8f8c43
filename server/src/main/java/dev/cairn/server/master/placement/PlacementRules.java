package dev.cairn.server.master.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Changes the rules by which a master places regions.
 *
 * @param added rules besides the master's own
 * @param inForce tells which of all rules are in force; all, except in tests that show what a rule
 *     is for
 */
public record PlacementRules(List<PlacementRule> added, Predicate<PlacementRule> inForce) {
  /** The master's own rules. */
  public static final PlacementRules OWN = new PlacementRules(List.of(), rule -> true);

  /** Returns the rules in force: those given, the added ones, and that replicas are apart. */
  public List<PlacementRule> with(List<PlacementRule> own) {
    List<PlacementRule> all = new ArrayList<>(own);
    all.addAll(added);
    return ReplicasApart.with(all).stream().filter(inForce).toList();
  }
}
