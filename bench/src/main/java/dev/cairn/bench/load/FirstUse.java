package dev.cairn.bench.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RpcConnectionRegistry;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Waits for a server that is starting until it has answered a client's first calls. */
final class FirstUse {
  private static final TableName NAME = TableName.valueOf("first");
  private static final byte[] ANY = {'f'};
  private static final long WAIT_SECONDS_MAX = 180;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private FirstUse() {}

  /** Returns the settings of {@code site}. */
  static Configuration configuration(Path site) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    return configuration;
  }

  /** Returns when the server has answered. */
  static void await(Configuration configuration, boolean keepsData) throws IOException {
    awaitPort(entrance(configuration));
    if (!keepsData) {
      return;
    }
    Configuration patient = new Configuration(configuration);
    patient.setInt(HConstants.HBASE_CLIENT_PAUSE, 20); // asks again soon, and often
    patient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 60);
    try (Connection connection = ConnectionFactory.createConnection(patient)) {
      try (Admin admin = connection.getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(ANY))
                .build());
      }
      try (Table table = connection.getTable(NAME)) {
        table.put(new Put(ANY).addColumn(ANY, ANY, ANY));
        if (table.get(new Get(ANY)).isEmpty()) {
          throw new IOException("The server does not have the rows that were put");
        }
      }
    }
  }

  /** Returns where the client asks first: a server that is named, or else ZooKeeper. */
  private static InetSocketAddress entrance(Configuration configuration) {
    String named = configuration.get(RpcConnectionRegistry.BOOTSTRAP_NODES);
    if (named == null) {
      return new InetSocketAddress(
          InetAddress.getLoopbackAddress(),
          configuration.getInt(HConstants.ZOOKEEPER_CLIENT_PORT, 2181));
    }
    int colon = named.indexOf(':');
    return new InetSocketAddress(
        named.substring(0, colon), Integer.parseInt(named.substring(colon + 1)));
  }

  private static void awaitPort(InetSocketAddress address) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS_MAX);
    while (true) {
      try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
        return;
      } catch (IOException e) {
        if (System.nanoTime() > end) {
          throw new IOException("No process listens at " + address, e);
        }
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }
}
