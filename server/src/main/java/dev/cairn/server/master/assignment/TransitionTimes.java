package dev.cairn.server.master.assignment;

import dev.cairn.server.metrics.Histogram;
import dev.cairn.server.metrics.Metric;
import dev.cairn.server.metrics.MetricRecord;
import dev.cairn.server.metrics.OperationCounters;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RegionTransitionType;

/**
 * Counts the transitions of regions by kind, and the orders to open and close them, and measures
 * how long they take. A transition does not fail, because the master tries again; an order does.
 * Written by the loop's owner; thread-safe for readers.
 */
public final class TransitionTimes {
  private final Map<RegionTransitionType, OperationCounters> transitions =
      new EnumMap<>(RegionTransitionType.class);

  private final OperationCounters opens = new OperationCounters();
  private final OperationCounters closes = new OperationCounters();
  private final Histogram all = new Histogram();

  TransitionTimes() {
    for (RegionTransitionType type : RegionTransitionType.values()) {
      transitions.put(type, new OperationCounters());
    }
  }

  void began(RegionTransition transition) {
    transitions.get(transition.type()).submitted();
  }

  void ended(RegionTransition transition, long nowMillis) {
    long millis = Math.max(0, nowMillis - transition.sinceMillis());
    transitions.get(transition.type()).succeeded(millis);
    all.record(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** Counts the order that a change of a region's state begins. */
  void ordered(State state) {
    (state == State.OPENING ? opens : closes).submitted();
  }

  /**
   * Counts and times the order that a change of a region's state ends.
   *
   * @param before the state during the order
   * @param now the state after it
   */
  void orderEnded(RegionTransition.Order order, State before, State now, long nowMillis) {
    OperationCounters counters = before == State.OPENING ? opens : closes;
    if (now == (before == State.OPENING ? State.OPEN : State.CLOSED)) {
      counters.succeeded(Math.max(0, nowMillis - order.sinceMillis()));
    } else {
      counters.failed();
    }
  }

  /** Returns how many transitions, and orders to open and close a region, have begun. */
  public long submittedCount() {
    return Stream.concat(transitions.values().stream(), Stream.of(opens, closes))
        .mapToLong(OperationCounters::submittedCount)
        .sum();
  }

  /** Adds the numbers under HBase's names. */
  public void addTo(MetricRecord.Builder to) {
    transition(RegionTransitionType.ASSIGN, "Assign", "openings of closed regions", to);
    transition(RegionTransitionType.UNASSIGN, "Unassign", "closings of regions", to);
    transition(RegionTransitionType.MOVE, "Move", "moves of regions to other servers", to);
    transition(RegionTransitionType.REOPEN, "Reopen", "reopenings for a new descriptor", to);
    opens.addTo(to, "Open", "orders to open a region");
    closes.addTo(to, "Close", "orders to close a region");
    to.add(Metric.time("RitDuration", "Time that regions were in transition."), all);
  }

  private void transition(
      RegionTransitionType type, String name, String operations, MetricRecord.Builder to) {
    transitions.get(type).addTo(to, name, operations);
  }
}
