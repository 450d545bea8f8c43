package dev.cairn.server.traffic;

import java.net.InetAddress;

/**
 * A caller of a server.
 *
 * @param user the name that the connection gave; not authenticated
 * @param host the address of its machine
 */
public record Caller(String user, InetAddress host) {}
