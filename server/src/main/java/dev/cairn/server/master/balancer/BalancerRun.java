package dev.cairn.server.master.balancer;

import java.util.List;
import java.util.Map;

/**
 * One run of the balancer, as it is shown.
 *
 * @param cause what caused it
 * @param atMillis when it ran, milliseconds since 1970
 * @param moves the planned moves, each with its reason
 * @param result what came of it, and why there are no more moves: sentences
 * @param imbalanceBefore how unequal the servers were, 0 to 1
 * @param imbalanceAfter how unequal they are after the moves
 * @param partsBefore the parts of the imbalance, in words
 * @param partsAfter the same after the moves
 * @param costBefore the sum that moves lower
 * @param costAfter the same after the moves
 * @param candidates the moves that were compared
 * @param refusals what placement rules refused, with the number of regions
 */
public record BalancerRun(
    Cause cause,
    long atMillis,
    List<String> moves,
    String result,
    double imbalanceBefore,
    double imbalanceAfter,
    String partsBefore,
    String partsAfter,
    double costBefore,
    double costAfter,
    long candidates,
    Map<String, Integer> refusals) {
  /** What causes a run. */
  public enum Cause {
    PERIOD("period"),
    REQUEST("request"),
    DRY_RUN("dry run"),
    NEW_SERVER("new server"),
    LOAD("load"),
    SPLIT("split for load");

    private final String label;

    Cause(String label) {
      this.label = label;
    }

    /** Returns its name for people. */
    public String label() {
      return label;
    }
  }
}
