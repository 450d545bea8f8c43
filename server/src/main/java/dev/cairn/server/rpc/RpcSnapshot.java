package dev.cairn.server.rpc;

/**
 * The activity of an {@link RpcServer} now and since its start.
 *
 * @param openConnections connections open now
 * @param callsInGeneralQueue ordinary calls that wait for a handler
 * @param callsInPriorityQueue calls on system tables and among servers that wait for a handler
 * @param callsInReplicationQueue calls with messages to replicas that wait for a handler
 * @param activeHandlers calls being answered now, by handlers or on network threads
 * @param requests calls received
 * @param exceptions calls answered with an error
 * @param rejected calls refused because a queue was full, among {@code exceptions}
 * @param expired calls dropped because the deadline was over, or the caller gone
 * @param bytesReceived bytes of all requests
 * @param bytesSent bytes of all responses
 */
public record RpcSnapshot(
    long openConnections,
    int callsInGeneralQueue,
    int callsInPriorityQueue,
    int callsInReplicationQueue,
    int activeHandlers,
    long requests,
    long exceptions,
    long rejected,
    long expired,
    long bytesReceived,
    long bytesSent) {}
