package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A client with default settings that writes rows of a table and reads them, until it is stopped.
 * An error that the client's own retries do not hide ends it, and fails {@link #stop}.
 */
final class DefaultClient {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int REGIONS = 9;

  private final Configuration settings = HBaseConfiguration.create();
  private final TableName name;
  private final CompletableFuture<Integer> ended;
  private volatile boolean over;
  private volatile long longestNanos;

  private DefaultClient(ClusterProcesses cluster, TableName name) {
    this.name = name;
    for (String key :
        new String[] {HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT}) {
      settings.set(key, cluster.client().get(key));
    }
    this.ended = CompletableFuture.supplyAsync(this::run);
  }

  /** Creates a table with several regions. */
  static void createTable(Admin admin, TableName name) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build(),
        Bytes.toBytes("1"),
        Bytes.toBytes("9"),
        REGIONS);
  }

  /** Begins to write and read. */
  static DefaultClient start(ClusterProcesses cluster, TableName name) {
    return new DefaultClient(cluster, name);
  }

  private int run() {
    int count = 0;
    try (Connection connection = ConnectionFactory.createConnection(settings);
        Table table = connection.getTable(name)) {
      while (!over) {
        byte[] row = Bytes.toBytes(Integer.toString(count++));
        long begun = System.nanoTime();
        table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
        assertThat(table.get(new Get(row)).value()).isEqualTo(row);
        longestNanos = Math.max(longestNanos, System.nanoTime() - begun);
      }
      return count;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops it; checks that all its rows are there, and returns their number. */
  int stop() throws Exception {
    over = true;
    int count = ended.get();
    System.out.printf(
        "%d rows written and read; the longest put and get took %d ms%n",
        count, TimeUnit.NANOSECONDS.toMillis(longestNanos));
    try (Connection connection = ConnectionFactory.createConnection(settings);
        Table table = connection.getTable(name)) {
      for (int i = 0; i < count; i++) {
        byte[] row = Bytes.toBytes(Integer.toString(i));
        assertThat(table.get(new Get(row)).value()).as("row %d", i).isEqualTo(row);
      }
    }
    return count;
  }
}
