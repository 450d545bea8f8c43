package dev.cairn.launcher.cluster;

/** The kinds of processes of a cluster, in the order in which they start. */
public enum NodeKind {
  /** HDFS's NameNode: its RPC and its web page. */
  NAME_NODE("nn", false, 2),
  /** One of HDFS's DataNodes: data, RPC and web page. */
  DATA_NODE("dn", true, 3),
  /** ZooKeeper. */
  ZOOKEEPER("zk", false, 1),
  /** A master: its RPC and its web page. */
  MASTER("master", true, 2),
  /** A region server: its RPC and its web page. */
  REGION_SERVER("rs", true, 2);

  private final String prefix;
  private final boolean numbered;
  private final int ports;

  NodeKind(String prefix, boolean numbered, int ports) {
    this.prefix = prefix;
    this.numbered = numbered;
    this.ports = ports;
  }

  /** Returns the number of ports of such a process. */
  int ports() {
    return ports;
  }

  /** Tells whether such a process belongs to HDFS. */
  boolean isOfHdfs() {
    return this == NAME_NODE || this == DATA_NODE;
  }

  /** Tells whether it is a server of Cairn, with a web page and a health report. */
  boolean isServer() {
    return this == MASTER || this == REGION_SERVER;
  }

  /** Returns the name of a process; numbers begin at 1. */
  String name(int number) {
    return numbered ? prefix + number : prefix;
  }
}
