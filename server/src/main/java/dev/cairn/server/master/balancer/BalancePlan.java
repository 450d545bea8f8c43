package dev.cairn.server.master.balancer;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.placement.PlacementDecision;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The moves that a run of the planner found, and why there are no more.
 *
 * @param moves in the order in which they are made; no region twice
 * @param before how unequal the servers are
 * @param after how unequal they are after the moves
 * @param candidates the moves that were compared
 * @param refusals what placement rules refused: "SERVER REASON", with the number of regions
 * @param isComplete false if the plan ended at a limit, so that the next one may continue
 * @param end why there are no further moves: a sentence
 */
record BalancePlan(
    List<Move> moves,
    Imbalance before,
    Imbalance after,
    long candidates,
    Map<String, Integer> refusals,
    boolean isComplete,
    String end) {

  /**
   * One move.
   *
   * @param decision where it goes, and why
   * @param isRequired whether a rule refuses the present server
   * @param isForLoad whether most of what it gains is processor time; for a region that the plan
   *     moves more than once, whether that is so for any of its moves
   */
  record Move(
      RegionInfo region,
      ServerName from,
      PlacementDecision decision,
      boolean isRequired,
      boolean isForLoad) {
    ServerName to() {
      return decision.server().orElseThrow();
    }

    @Override
    public String toString() {
      return region.encodedName()
          + " of "
          + region.table()
          + " from "
          + from.hostAndPort()
          + " to "
          + to().hostAndPort()
          + ": "
          + decision.reason();
    }
  }

  /**
   * How unequal servers are: 0 if all have the same, 1 if one has everything.
   *
   * @param total the root of the weighted mean of the squares of all parts
   * @param parts by measure: its weight and how unequal it is
   * @param cost the sum that moves lower
   */
  record Imbalance(double total, Map<String, Part> parts, double cost) {
    /** Copies the parts, and sorts them. */
    Imbalance {
      parts = new TreeMap<>(parts);
    }

    /** Returns the parts in words. */
    String describe() {
      return parts.entrySet().stream()
          .map(
              entry ->
                  String.format(
                      Locale.ROOT,
                      "%s : (weight %.0f, imbalance %.4f)",
                      entry.getKey(),
                      entry.getValue().weight(),
                      entry.getValue().value()))
          .collect(Collectors.joining("; "));
    }
  }

  /** One part of the imbalance. */
  record Part(double weight, double value) {}
}
