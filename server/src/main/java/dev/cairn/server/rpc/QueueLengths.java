package dev.cairn.server.rpc;

/**
 * The maximum numbers of waiting calls; 0 means ten times the queue's handlers.
 *
 * @param ordinary in each queue of ordinary calls
 * @param priority calls on system tables and among the servers
 * @param replication calls with messages to replicas
 */
public record QueueLengths(int ordinary, int priority, int replication) {
  private static final int CALLS_PER_HANDLER = 10;

  /** Returns the default lengths, which depend on the numbers of handlers. */
  static QueueLengths byHandlers() {
    return new QueueLengths(0, 0, 0);
  }

  /** Returns how many calls may wait for the handlers of {@code share}, which is a part of all. */
  int ofShare(QueueShares.Share share, QueueShares all) {
    long each = length(ordinary, all.handlers());
    return (int) Math.min(Integer.MAX_VALUE, each * share.queues());
  }

  /** Returns how many calls may wait for priority handlers. */
  int ofPriority(int handlers) {
    return length(priority, handlers);
  }

  /** Returns how many calls may wait for replication handlers. */
  int ofReplication(int handlers) {
    return length(replication, handlers);
  }

  /** Returns how many ordinary calls may be answered without a handler at once. */
  int inline(QueueShares all) {
    return length(ordinary, all.handlers());
  }

  private static int length(int length, int handlers) {
    return length > 0 ? length : Math.multiplyExact(CALLS_PER_HANDLER, handlers);
  }
}
