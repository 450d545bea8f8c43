package dev.cairn.server.rpc.service;

/**
 * The handlers of one queue of calls.
 *
 * @param name the prefix of their threads' names
 * @param handlers the most of them
 */
public record HandlerPool(String name, int handlers) {}
