package dev.cairn.launcher;

import dev.cairn.server.config.ServerRole;
import java.util.Locale;
import java.util.Optional;

/** The kind of a process of a cluster. Its text is the name of its command. */
enum Role {
  /** Assigns regions and changes tables. */
  MASTER(Optional.of(ServerRole.MASTER)),
  /** Serves regions. */
  REGIONSERVER(Optional.of(ServerRole.REGION_SERVER)),
  /** Runs ZooKeeper, for a cluster that uses no other one. */
  ZOOKEEPER(Optional.empty());

  private final Optional<ServerRole> server;

  Role(Optional<ServerRole> server) {
    this.server = server;
  }

  /** Returns the role of the server in the process; empty for ZooKeeper. */
  Optional<ServerRole> server() {
    return server;
  }

  /** Returns the role's name for users, such as {@code Region server}. */
  String title() {
    return server.map(ServerRole::title).orElse("ZooKeeper");
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
