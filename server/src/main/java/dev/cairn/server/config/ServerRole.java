package dev.cairn.server.config;

import java.util.List;

/** The role of a server in a cluster. */
public enum ServerRole {
  /** Assigns regions and changes tables. */
  MASTER("Master", List.of(HostKeys.MASTER_HOSTNAME)),
  /** Serves regions. */
  REGION_SERVER(
      "Region server",
      List.of(HostKeys.UNSAFE_REGION_SERVER_HOSTNAME, HostKeys.REGION_SERVER_HOSTNAME));

  private final String title;
  private final List<ConfigKey<String>> hostKeys;

  ServerRole(String title, List<ConfigKey<String>> hostKeys) {
    this.title = title;
    this.hostKeys = hostKeys;
  }

  /** Returns the role's name for users, such as {@code Region server}. */
  public String title() {
    return title;
  }

  /**
   * Returns HBase's keys for the host that the server's clients connect to, the first one first.
   */
  List<ConfigKey<String>> hostKeys() {
    return hostKeys;
  }
}
