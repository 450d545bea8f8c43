package dev.cairn.server.rpc;

/**
 * A queue in which calls wait for handlers, at one moment.
 *
 * @param name its name
 * @param waiting the calls that wait
 * @param capacity the most that may wait; one more is refused
 * @param active the calls that its handlers are answering
 * @param handlers its threads
 * @param handlersMax the most threads
 */
public record QueueState(
    String name, int waiting, int capacity, int active, int handlers, int handlersMax) {}
