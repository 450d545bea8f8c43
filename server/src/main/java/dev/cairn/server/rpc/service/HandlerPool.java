package dev.cairn.server.rpc.service;

/**
 * The handlers of one queue of calls.
 *
 * @param name the prefix of their threads' names
 * @param handlers the maximum number of handlers
 */
public record HandlerPool(String name, int handlers) {}
