package dev.cairn.coprocessor.environment;

import dev.cairn.coprocessor.measure.RegionMeter;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.hadoop.HadoopSettings;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.hook.ServerHost;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.regionserver.hooked.HookedTable;
import dev.cairn.server.regionserver.hooked.LoadedClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.ReadOnlyConfiguration;

/**
 * The settings, the threads and the connections that the coprocessors of a process share.
 * Thread-safe.
 */
public final class ServerEnvironment implements AutoCloseable {
  private static final int THREADS_MAX = 4;
  private static final long THREAD_IDLE_SECONDS = 10;

  private final ServerHost host;
  private final ThreadPoolExecutor threads;
  private final ServerConnections ofMaster =
      new ServerConnections(this::settings, Optional.empty());
  private final Map<ServerName, ServerConnections> ofServers = new ConcurrentHashMap<>();
  private final Endings endings = new Endings();
  private Configuration reading;
  private Configuration settings;
  private volatile boolean closed;

  /** Creates it without reading settings. */
  public ServerEnvironment(ServerHost host) {
    this.host = host;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "coprocessor-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Returns what measures the hooks of a region. */
  public RegionMeter meter(TableName table) {
    return new RegionMeter(host.times(), table, host.clock());
  }

  /** Returns the counts of all hooks. */
  public HookTimes times() {
    return host.times();
  }

  /**
   * Returns a table with its limit on handlers.
   *
   * @param loaded the coprocessors of one of its regions
   */
  public HookedTable hooked(TableName table, List<LoadedClass> loaded) {
    return new HookedTable(table, host.handlers(), loaded);
  }

  /** Returns threads for hooks that come up where nothing may wait for them. */
  public Executor threads() {
    return threads;
  }

  /**
   * Returns the settings for the reading of jars and other files: those of the site with HBase's
   * defaults, and the folder for copies of jars. They contain no settings of tables. Must not be
   * changed.
   */
  public synchronized Configuration reading() {
    if (reading == null) {
      Configuration all = site(host.config());
      all.set("hbase.local.dir", LocalCopies.below(host.jars().toAbsolutePath().getParent()));
      reading = all;
    }
    return reading;
  }

  /**
   * Returns the settings of the site, as HBase reads them: with its defaults, and the address of
   * ZooKeeper as it is. All callers share them, and none can change them.
   */
  public synchronized Configuration settings() {
    if (settings == null) {
      settings = settings(host.config());
    }
    return settings;
  }

  /** Tells whether the logs of region servers are compressed. */
  public boolean compressesLogs() {
    return settings().getBoolean(HConstants.ENABLE_WAL_COMPRESSION, false);
  }

  /** Returns the settings that are in force now, otherwise as {@link #settings}. */
  public Configuration current() {
    return settings(host.current().get());
  }

  /** Returns settings of the site that were read later, in the same form. */
  public Configuration settings(SiteConfig read) {
    Configuration all = site(read);
    String quorum = host.quorum().get();
    all.set("hbase.zookeeper.quorum", quorum);
    all.set("hbase.zookeeper.property.clientPort", quorum.replaceAll("(?s)^[^,]*:|,.*", ""));
    return new ReadOnlyConfiguration(all);
  }

  private static Configuration site(SiteConfig config) {
    Configuration all = HBaseConfiguration.create(HadoopSettings.of(config));
    config.texts().forEach(all::set);
    IndexCodec.setDefault(all, ServerEnvironment.class.getClassLoader());
    return all;
  }

  /** Returns what calls the hooks of closing. */
  public Endings endings() {
    return endings;
  }

  /** Returns the connections of the master's coprocessors. */
  public ServerConnections connections() {
    return ofMaster;
  }

  /** Returns the connections of the coprocessors of a region server of this process. */
  public ServerConnections connections(RegionHost server) {
    ServerConnections connections =
        ofServers.computeIfAbsent(
            server.server(), name -> new ServerConnections(this::settings, Optional.of(server)));
    if (closed) {
      connections.close();
    }
    return connections;
  }

  /** Closes the connections. */
  @Override
  public void close() {
    closed = true;
    threads.shutdown();
    ofMaster.close();
    ofServers.values().forEach(ServerConnections::close);
  }
}
