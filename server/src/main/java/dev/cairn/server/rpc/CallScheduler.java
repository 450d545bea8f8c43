package dev.cairn.server.rpc;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.MethodPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CallQueueTooBigException;

/**
 * Puts each call into the queue that its {@link MethodPolicy} names, and limits how much is under
 * way. Thread-safe.
 */
final class CallScheduler implements CallConnection.UnderWay {
  /** Header priorities above this are those of system tables and administration. */
  private static final int ORDINARY_MAX = 10;

  private final OrdinaryQueues general;
  private final PriorityQueues priority;
  private final CallQueue replication;
  private final AtomicLong heldBytes = new AtomicLong();
  private final AtomicInteger inline = new AtomicInteger();
  private final int maxInline;
  private final long maxHeldBytes;
  private final String server;
  private volatile boolean closed;

  CallScheduler(RpcServerOptions options, String server, ThreadFactory threadFactory, Clock clock) {
    this.general =
        OrdinaryQueues.of(
            options.shares(),
            (kind, share) ->
                queue(
                    kind,
                    options.queueLengths().ofShare(share, options.shares()),
                    share.handlers(),
                    server,
                    threadFactory,
                    clock));
    this.priority =
        new PriorityQueues(
            queue(
                "priority",
                options.queueLengths().ofPriority(options.priorityHandlers()),
                options.priorityHandlers(),
                server,
                threadFactory,
                clock),
            options.levels(),
            level ->
                queue(
                    level.name(),
                    options.queueLengths().ofPriority(level.handlers()),
                    level.handlers(),
                    server,
                    threadFactory,
                    clock));
    this.replication =
        queue(
            "replication",
            options.queueLengths().ofReplication(options.replicationHandlers()),
            options.replicationHandlers(),
            server,
            threadFactory,
            clock);
    this.maxInline = options.queueLengths().inline(options.shares());
    this.maxHeldBytes = options.maxQueueBytes();
    this.server = server;
  }

  private static CallQueue queue(
      String kind,
      int length,
      int handlers,
      String server,
      ThreadFactory threadFactory,
      Clock clock) {
    return new CallQueue("rpc-" + kind + "-" + server, length, handlers, threadFactory, clock);
  }

  /**
   * Takes in a request of {@code bytes}; {@link #finished} gives them back.
   *
   * @throws CallQueueTooBigException if too much is held already; clients then try again later
   */
  void admit(int bytes) throws CallQueueTooBigException {
    if (heldBytes.addAndGet(bytes) > maxHeldBytes) {
      heldBytes.addAndGet(-bytes);
      throw new CallQueueTooBigException(
          "Call queue is full on "
              + server
              + ", is "
              + RpcKeys.MAX_QUEUE_BYTES.name()
              + " too small?");
    }
  }

  /**
   * Queues {@code call}, whose request was admitted, and still is if this throws.
   *
   * @param kind returns the kind of the call; asked only if it decides about the queue
   * @throws CallQueueTooBigException if too many wait already; clients then try again later
   */
  void submit(
      CallQueue.Task call, MethodPolicy.Queue queue, int headerPriority, Supplier<CallKind> kind)
      throws CallQueueTooBigException {
    CallQueue chosen = queueFor(queue, headerPriority, kind);
    call.queued(chosen.pool());
    if (!chosen.offer(call)) {
      throw new CallQueueTooBigException(
          "Call queue is full on " + server + ", too many items queued ?");
    }
  }

  /** Has a handler {@linkplain CallQueue.Task#drop drop} a call for which there was no room. */
  void drop(CallQueue.Task call) {
    general.drop(call);
  }

  /** Tells that the {@code bytes} of one admitted call are no longer held. */
  @Override
  public void finished(int bytes) {
    heldBytes.addAndGet(-bytes);
  }

  /**
   * Admits a call to be answered without a handler, and counts it until {@link #endInline}. As many
   * may be under way as could wait for handlers.
   *
   * @return false if the call is not admitted
   */
  @Override
  public boolean tryBeginInline() {
    if (inline.incrementAndGet() > maxInline || closed) {
      endInline();
      return false;
    }
    return true;
  }

  /** Counts a deferred call until {@link #endInline}. */
  @Override
  public void beginDeferred() {
    inline.incrementAndGet();
  }

  /** Ends a call that {@link #tryBeginInline} admitted or that is deferred. */
  @Override
  public void endInline() {
    if (inline.decrementAndGet() == 0 && closed) {
      synchronized (inline) {
        inline.notifyAll();
      }
    }
  }

  /** Returns the number of calls that are being answered without a handler. */
  int inline() {
    return inline.get();
  }

  private CallQueue queueFor(
      MethodPolicy.Queue queue, int headerPriority, Supplier<CallKind> kind) {
    return switch (queue) {
      case GENERAL_SYSTEM_FIRST ->
          headerPriority > ORDINARY_MAX ? priority.queue(headerPriority) : general.queue(kind);
      case PRIORITY -> priority.others();
      case REPLICATION -> replication;
    };
  }

  /** Returns all queues. */
  List<CallQueue> queues() {
    List<CallQueue> queues = new ArrayList<>(general.all());
    queues.addAll(priority.all());
    queues.add(replication);
    return queues;
  }

  /** Returns the bytes of all requests that are held. */
  long heldBytes() {
    return heldBytes.get();
  }

  boolean isClosed() {
    return closed;
  }

  OrdinaryQueues general() {
    return general;
  }

  PriorityQueues priority() {
    return priority;
  }

  CallQueue replication() {
    return replication;
  }

  /** Drops waiting calls and lets the running calls end, for at most {@code timeoutMillis} each. */
  boolean close(long timeoutMillis) {
    closed = true;
    boolean ended = general.close(timeoutMillis);
    ended &= priority.close(timeoutMillis);
    ended &= replication.close(timeoutMillis);
    ended &= awaitInline(timeoutMillis);
    return ended;
  }

  private boolean awaitInline(long timeoutMillis) {
    try {
      return CallQueue.await(inline, () -> inline.get() == 0, timeoutMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return inline.get() == 0;
    }
  }
}
