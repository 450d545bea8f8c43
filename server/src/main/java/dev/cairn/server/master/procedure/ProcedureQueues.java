package dev.cairn.server.master.procedure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The procedures that are not done, in one queue per resource, in the order in which they came. A
 * procedure waits for the earlier procedures of its queue that exclude it. Two procedures exclude
 * each other if one works on the whole resource, or if their regions overlap. So a procedure on a
 * whole table waits for all earlier ones, and all later ones wait for it. Owned by the loop.
 */
final class ProcedureQueues {
  private final Map<String, List<RunningProcedure>> queues = new HashMap<>();

  /** Adds a procedure at the end of its queue. */
  void add(RunningProcedure running) {
    queues.computeIfAbsent(running.resource(), key -> new ArrayList<>()).add(running);
  }

  /** Removes a procedure, wherever it is in its queue. */
  void remove(RunningProcedure running) {
    List<RunningProcedure> queue = queues.get(running.resource());
    queue.remove(running);
    if (queue.isEmpty()) {
      queues.remove(running.resource());
    }
  }

  /** Returns the first procedure for which {@code waiting} waits; empty if there is none. */
  Optional<RunningProcedure> before(RunningProcedure waiting) {
    for (RunningProcedure earlier : queues.get(waiting.resource())) {
      if (earlier == waiting) {
        break;
      }
      if (earlier.excludes(waiting)) {
        return Optional.of(earlier);
      }
    }
    return Optional.empty();
  }

  /** Returns the procedures of a resource's queue that have not begun, in order. */
  List<RunningProcedure> waiting(String resource) {
    return queues.getOrDefault(resource, List.of()).stream().filter(one -> !one.begun).toList();
  }

  /** Returns all procedures. */
  Stream<RunningProcedure> all() {
    return queues.values().stream().flatMap(List::stream);
  }

  /** Tells whether all procedures are done or suspended. */
  boolean isIdle() {
    return all().allMatch(one -> one.suspended);
  }

  /** Returns the resources of all procedures. */
  Set<String> resources() {
    return new TreeSet<>(queues.keySet());
  }
}
