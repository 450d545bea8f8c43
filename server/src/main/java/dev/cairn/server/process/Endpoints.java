package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Where a process can be reached.
 *
 * @param master host and port of the master's RPC, as clients are told
 * @param regionServer host and port of the region server's RPC, as clients are told
 * @param zooKeeper where ZooKeeper answers: {@code host:port}, or several of them
 * @param web the address of the web page, if there is one
 */
public record Endpoints(
    ServerName master,
    ServerName regionServer,
    String zooKeeper,
    Optional<InetSocketAddress> web) {}
