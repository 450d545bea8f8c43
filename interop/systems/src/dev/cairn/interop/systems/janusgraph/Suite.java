package dev.cairn.interop.systems.janusgraph;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.janusgraph.diskstorage.BackendException;
import org.janusgraph.diskstorage.DistributedStoreManagerTest;
import org.janusgraph.diskstorage.IDAuthorityTest;
import org.janusgraph.diskstorage.KeyColumnValueStoreTest;
import org.janusgraph.diskstorage.LockKeyColumnValueStoreTest;
import org.janusgraph.diskstorage.MultiWriteKeyColumnValueStoreTest;
import org.janusgraph.diskstorage.configuration.Configuration;
import org.janusgraph.diskstorage.configuration.ModifiableConfiguration;
import org.janusgraph.diskstorage.hbase.HBaseStoreManager;
import org.janusgraph.diskstorage.keycolumnvalue.KeyColumnValueStoreManager;
import org.janusgraph.diskstorage.log.KCVSLogTest;
import org.janusgraph.graphdb.configuration.GraphDatabaseConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** JanusGraph's own tests of storage backends, with HBase as the backend. */
final class Suite {
  private static String host;
  private static int port;

  private Suite() {}

  /** Sets where the server is, before the tests run. */
  static void server(String host, int port) {
    Suite.host = host;
    Suite.port = port;
  }

  /** Runs the tests of a class. Returns the names of failed tests. */
  static String run(Class<?> tests) {
    AtomicInteger passed = new AtomicInteger();
    Set<String> failed = new TreeSet<>();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build(),
            new TestExecutionListener() {
              @Override
              public void executionStarted(TestIdentifier test) {
                System.err.println("-- " + test.getDisplayName());
              }

              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                  result.getThrowable().orElseThrow().printStackTrace();
                  failed.add(test.getDisplayName());
                } else if (test.isTest()
                    && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                  passed.incrementAndGet();
                }
              }
            });
    System.err.println(tests.getName() + ": " + passed + " passed");
    return (passed.get() > 0 ? "failed: " : "none passed, failed: ") + failed;
  }

  /** Returns the configuration of the backend. */
  static ModifiableConfiguration configuration() {
    ModifiableConfiguration configuration = GraphDatabaseConfiguration.buildGraphConfiguration();
    configuration.set(GraphDatabaseConfiguration.STORAGE_BACKEND, "hbase");
    configuration.set(GraphDatabaseConfiguration.STORAGE_HOSTS, new String[] {host});
    configuration.set(GraphDatabaseConfiguration.STORAGE_PORT, port);
    return configuration;
  }

  private static HBaseStoreManager manager() throws BackendException {
    return new HBaseStoreManager(configuration());
  }

  /** Reads, writes, slices and scans of a store. */
  static final class Store extends KeyColumnValueStoreTest {
    @Override
    public KeyColumnValueStoreManager openStorageManager() throws BackendException {
      return manager();
    }
  }

  /** Batches of changes of several stores. */
  static final class MultiWrite extends MultiWriteKeyColumnValueStoreTest {
    @Override
    public KeyColumnValueStoreManager openStorageManager() throws BackendException {
      return manager();
    }
  }

  /** Locks that JanusGraph makes of columns and timestamps. */
  static final class Locks extends LockKeyColumnValueStoreTest {
    @Override
    public KeyColumnValueStoreManager openStorageManager(int id, Configuration configuration)
        throws BackendException {
      return manager();
    }
  }

  /** Blocks of ids for several instances. */
  static final class Ids extends IDAuthorityTest {
    @Override
    public KeyColumnValueStoreManager openStorageManager() throws BackendException {
      return manager();
    }
  }

  /** Logs in a table. */
  static final class Log extends KCVSLogTest {
    @Override
    public KeyColumnValueStoreManager openStorageManager() throws BackendException {
      return manager();
    }
  }

  /** Where data is. */
  static final class Distribution extends DistributedStoreManagerTest<HBaseStoreManager> {
    @BeforeEach
    void open() throws BackendException {
      manager = manager();
      store = manager.openDatabase("distributedStoreTest");
    }

    @AfterEach
    void close() throws BackendException {
      store.close();
      manager.close();
    }
  }
}
