package dev.cairn.launcher;

import dev.cairn.launcher.folder.DataFolder;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.launcher.run.CairnDatabase;
import dev.cairn.launcher.site.Database;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A server in this JVM, on ports of the loopback address that nobody uses. */
public final class LocalServer implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final DataFolder.Claim claim;
  private final Database.Running server;

  /** Starts a server on a data folder. */
  public LocalServer(Path dataFolder) throws IOException, InterruptedException {
    SiteConfig config = new SiteConfig(settings(dataFolder));
    claim = DataFolder.of(config, Optional.empty()).claim();
    server =
        new CairnDatabase()
            .start(config, () -> config, claim.storage(), claim.root(), notice -> {});
  }

  /** Returns settings for a server on a data folder. */
  public static Map<String, String> settings(Path dataFolder) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("hbase.rootdir", dataFolder.toString());
    for (String port :
        List.of(
            "hbase.master.port",
            "hbase.master.info.port",
            "hbase.regionserver.port",
            "hbase.regionserver.info.port",
            "hbase.zookeeper.property.clientPort")) {
      settings.put(port, "0");
    }
    for (String address :
        List.of(
            "hbase.master.ipc.address",
            "hbase.master.info.bindAddress",
            "hbase.regionserver.ipc.address",
            "hbase.zookeeper.property.clientPortAddress",
            "cairn.hostname")) {
      settings.put(address, LOOPBACK);
    }
    return settings;
  }

  public Addresses addresses() {
    return server.addresses();
  }

  @Override
  public void close() throws IOException {
    try (claim) {
      server.close();
    }
  }
}
