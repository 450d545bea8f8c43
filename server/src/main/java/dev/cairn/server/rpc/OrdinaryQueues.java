package dev.cairn.server.rpc;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The queues of ordinary calls: one for all of them, or one each for writes, reads and scans, so
 * that calls of one kind never wait for handlers that are busy with another. Thread-safe.
 */
final class OrdinaryQueues {
  private final boolean isDivided;
  private final CallQueue writes;
  private final CallQueue reads;
  private final CallQueue scans;
  private final List<CallQueue> all;

  private OrdinaryQueues(boolean isDivided, CallQueue writes, CallQueue reads, CallQueue scans) {
    this.isDivided = isDivided;
    this.writes = writes;
    this.reads = reads;
    this.scans = scans;
    this.all = Stream.of(writes, reads, scans).distinct().toList();
  }

  /** Creates the queue of a share of the handlers. */
  interface Factory {
    /**
     * Creates a queue.
     *
     * @param kind the kind of its calls, for the names of its threads
     */
    CallQueue create(String kind, QueueShares.Share share);
  }

  /** Creates the queues of {@code shares}. */
  static OrdinaryQueues of(QueueShares shares, Factory factory) {
    CallQueue reads = factory.create(shares.isDivided() ? "read" : "general", shares.reads());
    return new OrdinaryQueues(
        shares.isDivided(),
        shares.writes().isNone() ? reads : factory.create("write", shares.writes()),
        reads,
        shares.scans().isNone() ? reads : factory.create("scan", shares.scans()));
  }

  /** Returns the queue for a call; asks {@code kind} only if the kinds have their own queues. */
  CallQueue queue(Supplier<CallKind> kind) {
    if (!isDivided) {
      return reads;
    }
    return switch (kind.get()) {
      case WRITE -> writes;
      case READ -> reads;
      case SCAN -> scans;
    };
  }

  /** Makes a handler {@linkplain CallQueue#drop drop} a call. */
  void drop(CallQueue.Task call) {
    reads.drop(call);
  }

  /** Returns the number of calls that wait for a handler. */
  int waiting() {
    return sum(CallQueue::waiting);
  }

  /** Returns the number of calls that handlers are answering. */
  int active() {
    return sum(CallQueue::active);
  }

  /** Returns the queues by the kinds of their calls in HBase's words; none if they share one. */
  Map<String, CallQueue> kinds() {
    return isDivided ? Map.of("Write", writes, "Read", reads, "Scan", scans) : Map.of();
  }

  /** Returns all queues. */
  List<CallQueue> all() {
    return all;
  }

  /** Returns the number of threads. */
  int handlers() {
    return sum(CallQueue::handlers);
  }

  private int sum(ToIntFunction<CallQueue> figure) {
    return all.stream().mapToInt(figure).sum();
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
