package dev.cairn.server.master.placement;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Changes the rules by which a master places regions.
 *
 * @param added rules besides the master's own
 * @param inForce tells which of all rules are in force: all of them, except in tests that disable a
 *     rule
 */
public record PlacementRules(List<PlacementRule> added, Predicate<PlacementRule> inForce) {
  /** The master's own rules. */
  public static final PlacementRules OWN = new PlacementRules(List.of(), rule -> true);

  /** Returns the rules in force: the given ones, the added ones, and {@link ReplicasApart}. */
  public List<PlacementRule> with(List<PlacementRule> own) {
    List<PlacementRule> all = new ArrayList<>(own);
    all.addAll(added);
    return ReplicasApart.with(all).stream().filter(inForce).toList();
  }
}
