package dev.cairn.server.config;

import java.util.List;

/** The keys by which a server learns the name that it tells its clients. */
public final class HostKeys {
  /** {@code cairn.hostname}. */
  public static final ConfigKey<String> HOSTNAME =
      ConfigKey.text(
          "cairn.hostname",
          "",
          "Host name or address that master and region server advertise to clients. If empty,"
              + " the server determines it.");

  /** {@code hbase.master.hostname}. */
  public static final ConfigKey<String> MASTER_HOSTNAME =
      ConfigKey.text(
          "hbase.master.hostname", "", "Host name that the master advertises to clients.");

  /** {@code hbase.regionserver.hostname}. */
  public static final ConfigKey<String> REGION_SERVER_HOSTNAME =
      ConfigKey.text(
          "hbase.regionserver.hostname",
          "",
          "Host name that the region server advertises to clients.");

  /** {@code hbase.unsafe.regionserver.hostname}. */
  public static final ConfigKey<String> UNSAFE_REGION_SERVER_HOSTNAME =
      ConfigKey.text(
          "hbase.unsafe.regionserver.hostname", "", "Newer name of hbase.regionserver.hostname.");

  private HostKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(
        HOSTNAME, MASTER_HOSTNAME, REGION_SERVER_HOSTNAME, UNSAFE_REGION_SERVER_HOSTNAME);
  }
}
