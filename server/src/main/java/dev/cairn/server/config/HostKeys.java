package dev.cairn.server.config;

import java.util.List;

/** The keys by which a server learns the name that it tells its clients. */
public final class HostKeys {
  /** {@code cairn.hostname}. */
  public static final ConfigKey<String> HOSTNAME =
      ConfigKey.text(
          "cairn.hostname",
          "",
          "The host name or address that clients are told to connect to, for master and region"
              + " server alike; found out if not set.");

  /** {@code hbase.master.hostname}. */
  public static final ConfigKey<String> MASTER_HOSTNAME =
      ConfigKey.text(
          "hbase.master.hostname", "", "The host name that clients are told for the master.");

  /** {@code hbase.regionserver.hostname}. */
  public static final ConfigKey<String> REGION_SERVER_HOSTNAME =
      ConfigKey.text(
          "hbase.regionserver.hostname",
          "",
          "The host name that clients are told for the region server.");

  /** {@code hbase.unsafe.regionserver.hostname}. */
  public static final ConfigKey<String> UNSAFE_REGION_SERVER_HOSTNAME =
      ConfigKey.text(
          "hbase.unsafe.regionserver.hostname",
          "",
          "The host name that clients are told for the region server, under its newer key.");

  private HostKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        HOSTNAME, MASTER_HOSTNAME, REGION_SERVER_HOSTNAME, UNSAFE_REGION_SERVER_HOSTNAME);
  }
}
