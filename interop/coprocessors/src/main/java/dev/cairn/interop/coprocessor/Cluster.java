package dev.cairn.interop.coprocessor;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.CairnProcess;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * The Cairn of a test, in place of a mini cluster. It gets the settings that the test has made. One
 * at a time.
 */
public final class Cluster {
  /** Settings of Hadoop, and those by which a mini cluster finds its places and ports. */
  private static final Pattern NOT_FOR_CAIRN =
      Pattern.compile(
          "(original|fs|dfs|hadoop|mapred|mapreduce|yarn|ipc|io|ha|nfs|file|net|ssl|security|seq|test)\\..*"
              + "|.*\\.(port|hostname|quorum|clientPort|ipc\\.address)"
              + "|hbase\\.(rootdir|wal\\.dir|tmp\\.dir|local\\.dir|fs\\.tmp\\.dir|bulkload.*dir|masters)"
              + "|hbase\\.(testing|unsafe|localcluster|client)\\..*"
              + "|hbase\\.(master|regionserver)\\.impl|hbase\\.wal\\.provider"
              + "|hbase\\.cluster\\.distributed|hbase\\.fs\\..*"
              + "|hbase\\.server\\.(useip\\.enabled|keyvalue\\.maxsize)");

  private static final Set<String> NEEDED = 
      Set.of("hbase.client.retries.number", "regionserver.rmi.registry.port");

  private static CairnServer server;
  private static final Map<ServerName, CairnProcess> MORE = new HashMap<>();
  private static Storage storage;
  private static Map<String, String> site = Map.of();
  private static Connection connection;
  private static MiniHBaseCluster mini;

  private Cluster() {}

  /** Starts a Cairn with the settings of a test, and gives the test its addresses. */
  public static synchronized MiniHBaseCluster start(HBaseTestingUtility test) throws Exception {
    if (server != null) {
      throw NotServed.of("a second cluster");
    }
    test.getDataTestDir();
    Configuration settings = test.getConfiguration();
    CairnServer.Builder builder = CairnServer.builder();
    Map<String, String> own = own(settings);
    System.err.println("[tests] settings of the server: " + own);
    own.forEach(builder::setting);
    storage = new MemoryStorage(Clock.SYSTEM);
    server = builder.storage(storage).start();
    site = new TreeMap<>(own);
    for (int i = 1; i < Integer.getInteger("tests.servers", 1); i++) {
      startServer();
    }
    if (settings.get("fs.defaultFS") == null) {
      settings.set("fs.defaultFS", "file:///");
    }
    address(settings);
    settings.set("hbase.rootdir", test.getDataTestDir("root").toUri().toString());
    settings.set("hbase.fs.tmp.dir", test.getDataTestDir("staging").toString());
    mini = Standins.cluster(test);
    field(test, "hbaseCluster", mini);
    field(test, "miniClusterRunning", true);
    return mini;
  }

  /** Starts a further region server. */
  static synchronized ServerName startServer() throws IOException {
    Map<String, String> settings = new TreeMap<>(site);
    settings.put("hbase.cluster.distributed", "true");
    settings.put("hbase.zookeeper.quorum", server.endpoints().zooKeeper());
    settings.put("hbase.regionserver.port", "0");
    settings.put("hbase.regionserver.info.port", "-1");
    settings.put("hbase.regionserver.ipc.address", "127.0.0.1");
    settings.put("cairn.hostname", "127.0.0.1");
    CairnProcess process =
        CairnProcess.start(
            new SiteConfig(settings),
            Cluster::site,
            storage,
            Optional.empty(),
            Clock.SYSTEM,
            notice -> {},
            Set.of(ServerRole.REGION_SERVER));
    ServerName name = ServerName.valueOf(process.endpoints().regionServer().toString());
    MORE.put(name, process);
    return name;
  }

  /** Ends a further region server as a kill would. */
  static synchronized void kill(ServerName name) {
    CairnProcess process = MORE.remove(name);
    if (process == null) {
      throw NotServed.of("a kill of the first region server");
    }
    process.abort("a test kills it");
  }

  /** Returns the settings of the test, which servers read when they are to read them again. */
  public static SiteConfig site() {
    return new SiteConfig(site);
  }

  private static void address(Configuration settings) throws IOException {
    Configuration client = server.configuration();
    for (String key :
        List.of(
            "hbase.zookeeper.quorum",
            "hbase.zookeeper.property.clientPort",
            "hbase.masters",
            "hbase.client.bootstrap.servers")) {
      settings.set(key, client.get(key));
    }
    connection = server.connect();
  }

  /** Returns what the test or its site has set, without Hadoop's settings. */
  private static Map<String, String> own(Configuration settings) {
    Map<String, String> own = new TreeMap<>();
    for (Map.Entry<String, String> one : settings) {
      String key = one.getKey();
      String[] sources = settings.getPropertySources(key);
      boolean isDefault =
          sources != null
              && sources.length > 0
              && sources[sources.length - 1].endsWith("-default.xml");
      if (!isDefault && (NEEDED.contains(key) || !NOT_FOR_CAIRN.matcher(key).matches())) {
        own.put(key, settings.get(key));
      }
    }
    return own;
  }

  /** Restarts the Cairn on the same data. */
  public static synchronized void restart(HBaseTestingUtility test) throws IOException {
    test.closeConnection();
    connection.close();
    Hosts.clear();
    server.restart();
    address(test.getConfiguration());
  }

  /** Stops the Cairn. */
  public static synchronized void stop(HBaseTestingUtility test) throws IOException {
    if (test != null) {
      test.closeConnection();
      field(test, "miniClusterRunning", false);
      field(test, "hbaseCluster", null);
    }
    if (server != null) {
      CairnServer running = server;
      server = null;
      mini = null;
      connection.close();
      for (CairnProcess one : MORE.values()) {
        one.close();
      }
      MORE.clear();
      running.close();
      Hosts.clear();
    }
  }

  private static void field(HBaseTestingUtility test, String name, Object value) {
    try {
      Field field = HBaseTestingUtility.class.getDeclaredField(name);
      field.setAccessible(true);
      field.set(test, value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the stand-in for the mini cluster; null if there is none. */
  public static synchronized MiniHBaseCluster mini() {
    return mini;
  }

  /** Returns the stand-in for the region server. */
  public static HRegionServer server() throws Exception {
    return Standins.server();
  }

  /** Returns the stand-in for HDFS. */
  public static MiniDFSCluster files() {
    return Standins.files();
  }

  static synchronized Connection connection() {
    if (server == null) {
      throw new IllegalStateException("no server runs");
    }
    return connection;
  }

  /** Lets jobs run in this JVM. */
  public static void runJobsHere(HBaseTestingUtility test) {
    Configuration settings = test.getConfiguration();
    settings.set("mapreduce.framework.name", "local");
    settings.set("mapreduce.cluster.local.dir", test.getDataTestDir("jobs").toString());
    settings.set("mapreduce.jobtracker.staging.root.dir", test.getDataTestDir("jobs").toString());
  }

  /** Flushes a table, or all if it is null. */
  public static void flush(TableName table) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      for (TableName one : table == null ? admin.listTableNames() : new TableName[] {table}) {
        if (admin.isTableEnabled(one)) {
          admin.flush(one);
        }
      }
    }
  }

  /** Flushes a region. */
  public static void flush(HRegion region) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      admin.flushRegion(region.getRegionInfo().getRegionName());
    }
  }

  /** Compacts a table, or all if it is null, and waits for the end. */
  public static void compact(TableName table, boolean major) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      for (TableName one : table == null ? admin.listTableNames() : new TableName[] {table}) {
        for (RegionInfo region : admin.getRegions(one)) {
          compact(admin, region, major);
        }
      }
    }
  }

  /** Compacts a region and waits for the end. */
  public static void compact(HRegion region, boolean major) throws IOException {
    try (Admin admin = connection().getAdmin()) {
      compact(admin, region.getRegionInfo(), major);
    }
  }

  private static void compact(Admin admin, RegionInfo region, boolean major) throws IOException {
    byte[] name = region.getRegionName();
    if (major) {
      admin.majorCompactRegion(name);
    } else {
      admin.compactRegion(name);
    }
    try {
      TimeUnit.MILLISECONDS.sleep(300);
      while (admin.getCompactionStateForRegion(name) != CompactionState.NONE) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Returns a condition that no region is between servers. */
  public static Waiter.ExplainingPredicate<IOException> settled() {
    return new Waiter.ExplainingPredicate<>() {
      @Override
      public boolean evaluate() throws IOException {
        try (Admin admin = connection().getAdmin()) {
          return admin.getClusterMetrics().getRegionStatesInTransition().isEmpty();
        }
      }

      @Override
      public String explainFailure() {
        return "regions are in transition";
      }
    };
  }
}
