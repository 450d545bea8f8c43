package dev.cairn.server.rpc;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.CallQueueTooBigException;

/**
 * Decides which queue a call waits in. Calls on system tables and calls among the servers have
 * handlers of their own, so that a cluster stays able to act while users keep all others busy.
 * Thread-safe.
 */
final class CallScheduler {
  /** Header priorities above this are those of system tables and administration. */
  private static final int ORDINARY_MAX = 10;

  private final CallQueue general;
  private final CallQueue priority;
  private final CallQueue replication;
  private final AtomicLong heldBytes = new AtomicLong();
  private final long maxHeldBytes;
  private final String server;

  CallScheduler(RpcServerOptions options, String server, ThreadFactory threadFactory) {
    this.general = queue("general", options, options.generalHandlers(), server, threadFactory);
    this.priority = queue("priority", options, options.priorityHandlers(), server, threadFactory);
    this.replication =
        queue("replication", options, options.replicationHandlers(), server, threadFactory);
    this.maxHeldBytes = options.maxQueueBytes();
    this.server = server;
  }

  private static CallQueue queue(
      String kind,
      RpcServerOptions options,
      int handlers,
      String server,
      ThreadFactory threadFactory) {
    return new CallQueue(
        "rpc-" + kind + "-" + server, options.queueLength(handlers), handlers, threadFactory);
  }

  /**
   * Queues {@code call}, whose request takes {@code bytes}; {@link #finished} gives them back.
   *
   * @throws CallQueueTooBigException if too much waits already; clients then try again later
   */
  void submit(CallQueue.Task call, String service, String method, int headerPriority, int bytes)
      throws CallQueueTooBigException {
    if (heldBytes.addAndGet(bytes) > maxHeldBytes) {
      heldBytes.addAndGet(-bytes);
      throw new CallQueueTooBigException(
          "Call queue is full on "
              + server
              + ", is "
              + RpcKeys.MAX_QUEUE_BYTES.name()
              + " too small?");
    }
    if (!queueFor(service, method, headerPriority).offer(call)) {
      heldBytes.addAndGet(-bytes);
      throw new CallQueueTooBigException(
          "Call queue is full on " + server + ", too many items queued ?");
    }
  }

  /** Tells that the {@code bytes} of one submitted call are no longer held. */
  void finished(int bytes) {
    heldBytes.addAndGet(-bytes);
  }

  private CallQueue queueFor(String service, String method, int headerPriority) {
    return switch (service) {
      case "ClientService", "MasterService" -> headerPriority > ORDINARY_MAX ? priority : general;
      case "AdminService" ->
          switch (method) {
            case "ReplicateWALEntry", "Replay" -> replication;
            default -> priority;
          };
      default -> priority;
    };
  }

  CallQueue general() {
    return general;
  }

  CallQueue priority() {
    return priority;
  }

  CallQueue replication() {
    return replication;
  }

  /** Drops what waits and lets the running calls end, for at most {@code timeoutMillis} each. */
  boolean close(long timeoutMillis) {
    boolean ended = general.close(timeoutMillis);
    ended &= priority.close(timeoutMillis);
    ended &= replication.close(timeoutMillis);
    return ended;
  }
}
