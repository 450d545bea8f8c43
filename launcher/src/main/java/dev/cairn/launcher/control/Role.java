package dev.cairn.launcher.control;

import dev.cairn.server.config.ServerRole;
import java.util.Locale;
import java.util.Optional;

/** The kind of a process of a cluster. Its text is the name of its command. */
public enum Role {
  /** Assigns regions and changes tables. */
  MASTER(ServerRole.MASTER),
  /** Serves regions. */
  REGIONSERVER(ServerRole.REGION_SERVER),
  /** Runs ZooKeeper, for a cluster that uses no other one. */
  ZOOKEEPER("ZooKeeper"),
  /** Runs Apache's REST gateway. */
  REST("REST gateway"),
  /** Runs Apache's Thrift gateway with the older API. */
  THRIFT("Thrift gateway"),
  /** Runs Apache's Thrift gateway with the API of HBase's Java client. */
  THRIFT2("Thrift 2 gateway");

  private final Optional<ServerRole> server;
  private final String title;

  Role(ServerRole server) {
    this.server = Optional.of(server);
    this.title = server.title();
  }

  Role(String title) {
    this.server = Optional.empty();
    this.title = title;
  }

  /** Returns the role of the server in the process; empty for ZooKeeper and the gateways. */
  public Optional<ServerRole> server() {
    return server;
  }

  /** Returns the role's name for users, such as {@code Region server}. */
  public String title() {
    return title;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
