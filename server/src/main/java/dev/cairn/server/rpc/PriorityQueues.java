package dev.cairn.server.rpc;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The queues of calls with a high priority: one for each {@link PriorityLevel}, and one for all
 * others, such as calls for system tables and calls between servers. Thread-safe.
 */
final class PriorityQueues {
  private final CallQueue others;
  private final Map<Integer, CallQueue> levels = new LinkedHashMap<>();
  private final List<CallQueue> all = new ArrayList<>();

  /**
   * Creates the queues.
   *
   * @param levels if several have the same priority, the first gets the calls
   */
  PriorityQueues(
      CallQueue others, List<PriorityLevel> levels, Function<PriorityLevel, CallQueue> factory) {
    this.others = others;
    all.add(others);
    for (PriorityLevel level : levels) {
      this.levels.computeIfAbsent(
          level.priority(),
          priority -> {
            CallQueue queue = factory.apply(level);
            all.add(queue);
            return queue;
          });
    }
  }

  /** Returns the queue for calls with a priority. */
  CallQueue queue(int headerPriority) {
    return levels.getOrDefault(headerPriority, others);
  }

  /** Returns the queue for calls without a level. */
  CallQueue others() {
    return others;
  }

  /** Returns the number of calls that wait for a handler. */
  int waiting() {
    return all.stream().mapToInt(CallQueue::waiting).sum();
  }

  /** Returns the number of calls that handlers are answering. */
  int active() {
    return all.stream().mapToInt(CallQueue::active).sum();
  }

  /** Returns all queues. */
  List<CallQueue> all() {
    return all;
  }

  /** {@linkplain CallQueue#close Closes} all queues; returns whether all calls ended in time. */
  boolean close(long timeoutMillis) {
    boolean ended = true;
    for (CallQueue queue : all) {
      ended &= queue.close(timeoutMillis);
    }
    return ended;
  }
}
