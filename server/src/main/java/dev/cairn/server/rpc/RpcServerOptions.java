package dev.cairn.server.rpc;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.server.config.SiteConfig;
import java.util.List;
import java.util.Map;

/**
 * The addresses and limits of an {@link RpcServer}.
 *
 * @param bindHost the address or host name to listen on; {@code 0.0.0.0} for all interfaces
 * @param port the port; 0 for any free one
 * @param maxRequestBytes maximum size of a request
 * @param shares the threads and queues for ordinary calls
 * @param priorityHandlers maximum threads for calls on system tables and between servers
 * @param levels calls that have handlers of their own for their priority
 * @param replicationHandlers maximum threads for calls with messages to replicas
 * @param queueLengths maximum calls that wait in queues
 * @param maxQueueBytes maximum bytes of all requests that are held at once
 * @param minTimeoutMillis minimum timeout of calls
 * @param tcpNoDelay true if responses are sent without delay
 * @param tcpKeepAlive true if the system probes idle connections
 * @param backlog maximum connections that wait to be accepted
 * @param unreadMillis the time without progress after which a connection with unread responses is
 *     closed, milliseconds
 */
public record RpcServerOptions(
    String bindHost,
    int port,
    int maxRequestBytes,
    QueueShares shares,
    int priorityHandlers,
    List<PriorityLevel> levels,
    int replicationHandlers,
    QueueLengths queueLengths,
    long maxQueueBytes,
    int minTimeoutMillis,
    boolean tcpNoDelay,
    boolean tcpKeepAlive,
    int backlog,
    int unreadMillis) {

  /** Returns the options from {@code config}, for a server on {@code bindHost} and {@code port}. */
  public static RpcServerOptions from(SiteConfig config, String bindHost, int port) {
    return new RpcServerOptions(
        bindHost,
        port,
        config.get(RpcKeys.MAX_REQUEST_SIZE).intValue(),
        QueueShares.of(
            config.get(RpcKeys.HANDLER_COUNT).intValue(),
            config.get(RpcKeys.QUEUE_FACTOR).floatValue(),
            config.get(RpcKeys.READ_RATIO).floatValue(),
            config.get(RpcKeys.SCAN_RATIO).floatValue()),
        config.get(RpcKeys.PRIORITY_HANDLER_COUNT).intValue(),
        PriorityLevel.from(config),
        config.get(RpcKeys.REPLICATION_HANDLER_COUNT).intValue(),
        new QueueLengths(
            config.get(RpcKeys.MAX_QUEUE_LENGTH).intValue(),
            config.get(RpcKeys.PRIORITY_QUEUE_LENGTH).intValue(),
            config.get(RpcKeys.REPLICATION_QUEUE_LENGTH).intValue()),
        config.get(RpcKeys.MAX_QUEUE_BYTES),
        config.get(RpcKeys.MIN_TIMEOUT).intValue(),
        config.get(RpcKeys.TCP_NO_DELAY),
        config.get(RpcKeys.TCP_KEEP_ALIVE),
        config.get(RpcKeys.BACKLOG).intValue(),
        config.get(RpcKeys.UNREAD_TIMEOUT).intValue());
  }

  /** Returns the defaults, for a server on {@code bindHost} and {@code port}. */
  public static RpcServerOptions defaults(String bindHost, int port) {
    return from(new SiteConfig(Map.of()), bindHost, port);
  }

  /** Returns these options with one queue for all ordinary calls. */
  public RpcServerOptions undivided() {
    return with(shares.joined(), maxRequestBytes, maxQueueBytes);
  }

  /** Returns these options with their limits reduced to the size of {@code account}. */
  RpcServerOptions within(MemoryAccount account) {
    return with(
        shares,
        (int) Math.min(maxRequestBytes, FrameAdmission.longestFrame(account)),
        Math.min(maxQueueBytes, account.limitBytes()));
  }

  private RpcServerOptions with(QueueShares shares, int maxRequestBytes, long maxQueueBytes) {
    return new RpcServerOptions(
        bindHost,
        port,
        maxRequestBytes,
        shares,
        priorityHandlers,
        levels,
        replicationHandlers,
        queueLengths,
        maxQueueBytes,
        minTimeoutMillis,
        tcpNoDelay,
        tcpKeepAlive,
        backlog,
        unreadMillis);
  }
}
