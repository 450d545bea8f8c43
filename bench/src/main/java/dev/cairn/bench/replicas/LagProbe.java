package dev.cairn.bench.replicas;

import dev.cairn.bench.cluster.Percentiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes a row every {@value #PAUSE_MILLIS} ms, and measures the time until a replica shows the
 * acknowledged row. One thread per replica.
 */
final class LagProbe extends Thread {
  private static final long PAUSE_MILLIS = 20;
  private static final long LOOK_MILLIS = 2;

  private final Connection connection;
  private final ReplicaTable table;
  private final int replicaId;
  private final List<Double> lags = new ArrayList<>();
  private volatile boolean stopped;
  private volatile Exception failure;

  LagProbe(Connection connection, ReplicaTable table, int replicaId) {
    super("lag of replica " + replicaId);
    setDaemon(true);
    this.connection = connection;
    this.table = table;
    this.replicaId = replicaId;
  }

  @Override
  public void run() {
    byte[] row = Bytes.toBytes("probe" + replicaId);
    try (Table open = connection.getTable(table.name())) {
      Get get = new Get(row).setConsistency(Consistency.TIMELINE).setReplicaId(replicaId);
      while (!stopped) {
        byte[] value = Bytes.toBytes(System.nanoTime());
        open.put(new Put(row).addColumn(ReplicaTable.FAMILY, ReplicaTable.QUALIFIER, value));
        long acknowledged = System.nanoTime();
        while (!Bytes.equals(value, open.get(get).value()) && !stopped) {
          Thread.sleep(LOOK_MILLIS);
        }
        if (!stopped) {
          lags.add((System.nanoTime() - acknowledged) / (double) TimeUnit.MILLISECONDS.toNanos(1));
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  /** Ends the thread, and adds the times in milliseconds. */
  void end(Percentiles all) throws IOException, InterruptedException {
    stopped = true;
    join();
    if (failure != null) {
      throw new IOException("The replica " + replicaId + " could not be read: " + failure, failure);
    }
    lags.forEach(all::add);
  }
}
