package dev.cairn.interop.client;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/**
 * The server that tests share which need no settings of their own: it starts with the first of them
 * and stops with the last. It is a Cairn, or, with {@code
 * -Dcairn.interop.zookeeper=127.0.0.1:2181}, whatever runs at that ZooKeeper. Tables are named so
 * that no two tests, and no two runs, get the same. Thread-safe.
 */
public final class ServerUnderTest implements BeforeAllCallback {
  private static final String ELSEWHERE = System.getProperty("cairn.interop.zookeeper", "");

  private Shared shared;

  /** What all classes of a JVM have in common; JUnit closes it at the end of its session. */
  private static final class Shared implements AutoCloseable {
    private final CairnServer cairn;
    private final Configuration configuration;
    private final Connection connection;
    private final Admin admin;
    private final AtomicInteger tables = new AtomicInteger();

    Shared() throws IOException {
      if (ELSEWHERE.isEmpty()) {
        cairn = CairnServer.start();
        configuration = cairn.configuration();
      } else {
        cairn = null;
        int colon = ELSEWHERE.lastIndexOf(':');
        configuration = HBaseConfiguration.create();
        configuration.set("hbase.zookeeper.quorum", ELSEWHERE.substring(0, colon));
        configuration.set("hbase.zookeeper.property.clientPort", ELSEWHERE.substring(colon + 1));
      }
      connection = ConnectionFactory.createConnection(configuration);
      admin = connection.getAdmin();
    }

    @Override
    public void close() throws IOException {
      admin.close();
      connection.close();
      if (cairn != null) {
        cairn.close();
      }
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    shared =
        context
            .getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(ServerUnderTest.class))
            .getOrComputeIfAbsent(
                Shared.class,
                key -> {
                  try {
                    return new Shared();
                  } catch (IOException e) {
                    throw new IllegalStateException("No server to test", e);
                  }
                },
                Shared.class);
  }

  /** Tells whether it is a Cairn, and not an HBase that the tests are held against. */
  public static boolean isCairn() {
    return ELSEWHERE.isEmpty();
  }

  /** Returns a connection; it stays open. */
  public Connection connection() {
    return shared.connection;
  }

  /** Returns an admin; it stays open. */
  public Admin admin() {
    return shared.admin;
  }

  /** Returns a configuration with which further clients reach the server. */
  public Configuration configuration() {
    return new Configuration(shared.configuration);
  }

  /** Returns a table name that begins with {@code prefix} and that nobody has. */
  public TableName newName(String prefix) {
    return TableName.valueOf(
        prefix
            + "_"
            + Long.toHexString(System.currentTimeMillis())
            + "_"
            + shared.tables.incrementAndGet());
  }

  /** Creates a table with families as HBase's defaults have them. */
  public TestTable create(String prefix, String... families) throws IOException {
    ColumnFamilyDescriptor[] descriptors = new ColumnFamilyDescriptor[families.length];
    for (int i = 0; i < families.length; i++) {
      descriptors[i] = ColumnFamilyDescriptorBuilder.of(families[i]);
    }
    return create(prefix, new byte[0][], descriptors);
  }

  /** Creates a table with one region. */
  public TestTable create(String prefix, ColumnFamilyDescriptor... families) throws IOException {
    return create(prefix, new byte[0][], families);
  }

  /** Creates a table with a region more than {@code splits}. */
  public TestTable create(String prefix, byte[][] splits, ColumnFamilyDescriptor... families)
      throws IOException {
    TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(newName(prefix));
    for (ColumnFamilyDescriptor family : families) {
      builder.setColumnFamily(family);
    }
    return create(builder.build(), splits);
  }

  /** Creates a table as described. */
  public TestTable create(TableDescriptor descriptor, byte[][] splits) throws IOException {
    shared.admin.createTable(descriptor, splits);
    return new TestTable(shared.connection, shared.admin, descriptor.getTableName());
  }
}
