package dev.cairn.server.master.members;

import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs under {@code WALs}: one directory per server, named after it, with the suffix {@code
 * -splitting} while it is being recovered.
 */
public final class WalDirectories implements DeadServerLogs {
  private static final Logger LOG = LoggerFactory.getLogger(WalDirectories.class);
  private static final String ROOT = "WALs";
  private static final String SPLITTING = "-splitting";

  private final Storage storage;
  private final Splitter splitter;

  /** Sorts a log by region, and removes it. */
  @FunctionalInterface
  public interface Splitter {
    /**
     * Takes the directory away from its server and gives each region its entries. May be repeated.
     */
    void split(String directory) throws IOException;
  }

  /** Creates a view of the logs in the root directory {@code storage}. */
  public WalDirectories(Storage storage, Splitter splitter) {
    this.storage = storage;
    this.splitter = splitter;
  }

  @Override
  public List<ServerName> servers() throws IOException {
    Set<ServerName> servers = new LinkedHashSet<>();
    for (Storage.FileInfo entry : storage.list(ROOT)) {
      String name = entry.name();
      if (name.endsWith(SPLITTING)) {
        name = name.substring(0, name.length() - SPLITTING.length());
      }
      try {
        servers.add(ServerName.parse(name));
      } catch (IllegalArgumentException e) {
        LOG.warn("{} is not a server's log and stays as it is", entry.path());
      }
    }
    return List.copyOf(servers);
  }

  @Override
  public void recover(ServerName dead) throws IOException {
    String directory = ROOT + "/" + dead;
    if (storage.exists(directory) || storage.exists(directory + SPLITTING)) {
      splitter.split(directory);
    }
  }
}
