package dev.cairn.testing;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageLock;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.CairnProcess;
import dev.cairn.server.process.Endpoints;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * A whole Cairn inside this JVM: master, region server and ZooKeeper on free ports of the loopback
 * interface, with its data in memory or in a folder. Any number of them run side by side, and each
 * starts and stops as often as a test likes.
 *
 * <pre>{@code
 * try (CairnServer cairn = CairnServer.start();
 *     Connection connection = cairn.connect()) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Methods may be called by any thread, one at a time.
 */
public final class CairnServer implements AutoCloseable {
  private static final String LOOPBACK = "127.0.0.1";

  private final Map<String, String> settings;
  private final Storage storage;
  private final Optional<Path> folder;
  private final Optional<StorageLock> lock;
  private CairnProcess process;

  private CairnServer(
      Map<String, String> settings,
      Storage storage,
      Optional<Path> folder,
      Optional<StorageLock> lock) {
    this.settings = settings;
    this.storage = storage;
    this.folder = folder;
    this.lock = lock;
  }

  /** Starts a server whose data is in memory, and returns once it serves. */
  public static CairnServer start() throws IOException {
    return builder().start();
  }

  /** Returns a builder for a server that is not like {@link #start()}'s. */
  public static Builder builder() {
    return new Builder();
  }

  /** Says how a server is to be. */
  public static final class Builder {
    private final Map<String, String> settings = new TreeMap<>();
    private Optional<Path> folder = Optional.empty();
    private Optional<Storage> storage = Optional.empty();

    private Builder() {
      settings.put("hbase.master.port", "0");
      settings.put("hbase.regionserver.port", "0");
      settings.put("hbase.zookeeper.property.clientPort", "0");
      settings.put("hbase.master.info.port", "-1");
      settings.put("hbase.regionserver.info.port", "-1");
      settings.put("hbase.master.ipc.address", LOOPBACK);
      settings.put("hbase.regionserver.ipc.address", LOOPBACK);
      settings.put("hbase.zookeeper.property.clientPortAddress", LOOPBACK);
      settings.put("cairn.hostname", LOOPBACK);
    }

    /**
     * Keeps the data in {@code folder}, where the next server finds it; it is created if need be.
     */
    public Builder folder(Path folder) {
      this.folder = Optional.of(folder);
      return this;
    }

    /**
     * Keeps the data in {@code storage}, which the caller closes: one that fails where a test wants
     * it to, for example.
     */
    public Builder storage(Storage storage) {
      this.storage = Optional.of(storage);
      return this;
    }

    /** Sets a key of {@code hbase-site.xml}. */
    public Builder setting(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /**
     * Starts the server and returns once it serves.
     *
     * @throws dev.cairn.server.config.ConfigException if a setting is impossible
     * @throws IOException if it can't start; the message is one line that names the cause
     */
    public CairnServer start() throws IOException {
      if (settings.containsKey(FolderKeys.WAL_DIR.name())) {
        throw new ConfigException(
            FolderKeys.WAL_DIR.name()
                + " is not possible in a test's server, which keeps its logs with its data");
      }
      ClientClasses.loadMeanwhile();
      Storage data = storage.orElseGet(() -> new MemoryStorage(Clock.SYSTEM));
      Optional<StorageLock> lock = Optional.empty();
      if (folder.isPresent()) {
        LocalStorage local = new LocalStorage(folder.get());
        lock = Optional.of(local.lock("cairn.lock"));
        data = local;
      }
      CairnServer server = new CairnServer(Map.copyOf(settings), data, folder, lock);
      boolean started = false;
      try {
        server.restart();
        started = true;
        return server;
      } finally {
        if (!started) {
          server.close();
        }
      }
    }
  }

  /**
   * Returns the address of the server's web pages; empty unless the setting {@code
   * hbase.master.info.port} enables them, for example with 0 for any free port.
   */
  public Optional<InetSocketAddress> web() {
    return process.endpoints().web();
  }

  /**
   * Returns the configuration of a client of this server, which finds it through ZooKeeper. Each
   * call returns a new one, to be changed at will. It holds until the next {@link #restart}, which
   * takes other ports.
   */
  public Configuration configuration() {
    Configuration configuration = HBaseConfiguration.create();
    settings.forEach(configuration::set);
    Endpoints endpoints = process.endpoints();
    configuration.set("hbase.zookeeper.quorum", LOOPBACK);
    configuration.set(
        "hbase.zookeeper.property.clientPort",
        endpoints.zooKeeper().substring(endpoints.zooKeeper().lastIndexOf(':') + 1));
    configuration.set("hbase.masters", endpoints.master().hostAndPort());
    configuration.set("hbase.client.bootstrap.servers", endpoints.regionServer().hostAndPort());
    return configuration;
  }

  /**
   * As {@link #configuration}, for a client that asks the servers themselves instead of ZooKeeper.
   */
  public Configuration configurationWithoutZooKeeper() {
    Configuration configuration = configuration();
    configuration.set(
        "hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    configuration.unset("hbase.zookeeper.quorum");
    configuration.unset("hbase.zookeeper.property.clientPort");
    return configuration;
  }

  /** Opens a connection to this server. The caller closes it. */
  public Connection connect() throws IOException {
    return ConnectionFactory.createConnection(configuration());
  }

  /** Returns where the server can be reached. */
  public Endpoints endpoints() {
    return process.endpoints();
  }

  /**
   * Stops the server in order and starts it again on the same data; it comes back on other ports.
   */
  public void restart() throws IOException {
    stop();
    process =
        CairnProcess.start(
            new SiteConfig(settings),
            storage,
            folder.map(path -> path.resolve("zookeeper")),
            Clock.SYSTEM);
  }

  /**
   * Ends the server as a kill would, with nothing flushed, and starts it again on the same data.
   */
  public void crash() throws IOException {
    CairnProcess running = process;
    process = null;
    running.abort("a test asked for it");
    restart();
  }

  /**
   * Stops the server; data in memory is gone, data in a folder stays. Closing twice does nothing.
   */
  @Override
  public void close() throws IOException {
    try {
      stop();
    } finally {
      if (lock.isPresent()) {
        lock.get().close();
      }
    }
  }

  private void stop() throws IOException {
    if (process != null) {
      CairnProcess running = process;
      process = null;
      running.close();
    }
  }
}
