package dev.cairn.server.process;

import dev.cairn.engine.wal.Wal;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.logs.ServerLogs;
import java.io.IOException;

/**
 * Registers a region server and then begins its logs. The order matters: a master takes a server
 * that has a log but no registration for dead.
 */
public final class RegionServerLogs {
  private static final String LOGS = "WALs";

  private RegionServerLogs() {}

  /** Registers the region server. */
  @FunctionalInterface
  public interface Registration {
    /** Registers it; waits for the network. */
    void register() throws IOException;
  }

  /** Begins a log. */
  @FunctionalInterface
  public interface LogOpener {
    /** Begins a log in {@code directory}; waits for the storage. */
    Wal begin(String directory) throws IOException;
  }

  /**
   * Registers a server and begins its logs.
   *
   * @param regions begins the log of all regions except {@code hbase:meta}, and makes its directory
   * @param meta begins the log of {@code hbase:meta} in the same directory, when it is needed
   */
  public static ServerLogs begin(
      ServerName server, Registration registration, LogOpener regions, LogOpener meta)
      throws IOException {
    registration.register();
    String directory = LOGS + "/" + server;
    return new ServerLogs(regions.begin(directory), () -> meta.begin(directory));
  }
}
