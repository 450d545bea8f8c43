package dev.cairn.launcher.cluster;

import java.util.List;

/**
 * One process of a cluster, running or not.
 *
 * @param name unique in the cluster: {@code nn}, {@code dn1}, {@code zk}, {@code master1}, {@code
 *     rs1}
 * @param ports the ports on which it listens, on the loopback address. The first is for clients;
 *     the last is for the web page, if there is one
 */
public record Node(NodeKind kind, String name, List<Integer> ports) {
  /** Copies the ports. */
  public Node {
    ports = List.copyOf(ports);
  }

  /** Returns the port for clients. */
  public int port() {
    return ports.get(0);
  }

  /** Returns the port of the web page. */
  public int webPort() {
    return ports.get(ports.size() - 1);
  }
}
