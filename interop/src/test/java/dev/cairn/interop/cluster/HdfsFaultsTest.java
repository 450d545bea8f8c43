package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Effort;
import dev.cairn.launcher.cluster.ClusterPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HDFS and ZooKeeper fail for a while under a cluster that is written to. The long form ({@code
 * -Dgroups=long}) lets each fault last for 10,000 writes instead of 20, or for as many as {@code
 * -Dcairn.rounds} says, and has a second region server. An outage of ZooKeeper lasts for 2,000
 * writes at most, because it must end before the session.
 */
@Timeout(1800)
@Tag("forms")
class HdfsFaultsTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int WRITES = Effort.rounds(20, 10_000);

  @TempDir private Path folder;

  @Test
  void noServerGivesUpAndNoWriteFailsOrIsLost() throws Exception {
    try (ClusterProcesses cluster =
            ClusterProcesses.onHdfs(
                folder,
                new ClusterPlan.Counts(1, Effort.isLong() ? 2 : 1, 3),
                Map.of("zookeeper.session.timeout", "60000"));
        Connection connection = ConnectionFactory.createConnection(cluster.client())) {
      connection
          .getAdmin()
          .createTable(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build());
      Set<ServerName> servers = servers(connection);
      try (Writer writer = new Writer(connection)) {
        writer.awaitMore(WRITES);
        cluster.kill("nn");
        writer.awaitMore(WRITES);
        cluster.launch("nn");
        writer.awaitMore(WRITES);
        cluster.kill("dn1");
        writer.awaitMore(WRITES);
        cluster.freeze("dn2");
        writer.awaitMore(WRITES);
        cluster.thaw("dn2");
        cluster.freeze("zk");
        writer.awaitMore(Math.min(WRITES, 2_000));
        cluster.thaw("zk");
        writer.awaitMore(WRITES);
        assertThat(writer.stop()).isEqualTo(rows(connection));
      }
      assertThat(servers(connection)).isEqualTo(servers);
    }
  }

  private static Set<ServerName> servers(Connection connection) throws IOException {
    return connection.getAdmin().getClusterMetrics().getLiveServerMetrics().keySet();
  }

  private static List<String> rows(Connection connection) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }

  /** Writes one row after the other on a thread of its own. A failed write ends it. */
  private static final class Writer implements AutoCloseable {
    private final List<String> acknowledged = Collections.synchronizedList(new ArrayList<>());
    private final Semaphore acknowledgement = new Semaphore(0);
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final CompletableFuture<Void> ended;

    Writer(Connection connection) {
      ended =
          CompletableFuture.runAsync(
              () -> {
                try (Table table = connection.getTable(TABLE)) {
                  while (!stopped.get()) {
                    String row = "%08d".formatted(acknowledged.size());
                    table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, FAMILY));
                    acknowledged.add(row);
                    acknowledgement.release();
                  }
                } catch (IOException e) {
                  throw new IllegalStateException("A write failed", e);
                }
              });
    }

    /** Waits until so many more rows are acknowledged. */
    void awaitMore(int count) throws Exception {
      int wanted = acknowledged.size() + count;
      while (acknowledged.size() < wanted) {
        if (ended.isDone()) {
          ended.get();
        }
        acknowledgement.tryAcquire(1, TimeUnit.SECONDS);
      }
    }

    /** Ends it, and returns the acknowledged rows. */
    List<String> stop() throws Exception {
      stopped.set(true);
      ended.get();
      return acknowledged;
    }

    @Override
    public void close() {
      stopped.set(true);
    }
  }
}
