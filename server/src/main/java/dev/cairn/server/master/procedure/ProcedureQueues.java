package dev.cairn.server.master.procedure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The procedures that are not done, in a queue for each resource. The first of a queue holds the
 * resource, or waits for a client's lock; the others wait for it. Owned by the loop.
 */
final class ProcedureQueues {
  private final Map<String, Deque<RunningProcedure>> queues = new HashMap<>();

  /** Adds a procedure; returns whether it is the first of its queue. */
  boolean add(RunningProcedure running) {
    Deque<RunningProcedure> queue =
        queues.computeIfAbsent(running.resource(), key -> new ArrayDeque<>());
    queue.add(running);
    return queue.size() == 1;
  }

  /** Removes a procedure, wherever it is in its queue. */
  void remove(RunningProcedure running) {
    Deque<RunningProcedure> queue = queues.get(running.resource());
    queue.remove(running);
    if (queue.isEmpty()) {
      queues.remove(running.resource());
    }
  }

  /** Returns the first procedure of a resource's queue. */
  Optional<RunningProcedure> first(String resource) {
    return Optional.ofNullable(queues.get(resource)).map(Deque::element);
  }

  /** Returns the first procedures of all queues. */
  List<RunningProcedure> firsts() {
    return queues.values().stream().map(Deque::element).toList();
  }

  /** Returns all procedures. */
  Stream<RunningProcedure> all() {
    return queues.values().stream().flatMap(Deque::stream);
  }

  /** Tells whether all procedures are done. */
  boolean isEmpty() {
    return queues.isEmpty();
  }

  /** Returns the resources with their procedures' ids, in order. */
  Map<String, List<Long>> ids() {
    Map<String, List<Long>> ids = new TreeMap<>();
    queues.forEach(
        (resource, queue) -> ids.put(resource, queue.stream().map(one -> one.id).toList()));
    return ids;
  }
}
