package dev.cairn.bench.failover;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Sends reads to a frozen server, which answers them when it resumes. The client does not know that
 * the regions have moved. A server that answers from old memory does not find rows that were
 * written meanwhile.
 */
final class ReturnReads implements AutoCloseable {
  private final AsyncConnection connection;
  private final AsyncTable<?> table;
  private final List<RegionWriter> writers;
  private final Map<RegionWriter, byte[]> before = new HashMap<>();
  private final Map<String, CompletableFuture<Boolean>> reads = new LinkedHashMap<>();

  /**
   * Connects, and reads from each region once, so that the client knows its server.
   *
   * @param settings the settings of a client whose calls wait until the server resumes
   * @param writers the writers of the server's regions; each has written at least one row
   */
  ReturnReads(Configuration settings, FailoverTable table, List<RegionWriter> writers)
      throws IOException, InterruptedException {
    try {
      this.connection = ConnectionFactory.createAsyncConnection(settings).get();
    } catch (ExecutionException e) {
      throw new IOException("Cannot connect", e.getCause());
    }
    this.table = connection.getTable(table.name());
    this.writers = writers;
    try {
      writers.forEach(this::read);
      missed();
    } catch (IOException | InterruptedException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void read(RegionWriter writer) {
    byte[] row = writer.newest().orElseThrow();
    before.put(writer, row);
    reads.put(Bytes.toStringBinary(row), table.exists(new Get(row)));
  }

  /**
   * Sends a read of the newest row of each region to the server that the client knows. Omits
   * regions without a new row since the client connected.
   *
   * @return the number of reads. A row that the frozen server itself wrote cannot be missed
   */
  int send() {
    int sent = 0;
    for (RegionWriter writer : writers) {
      if (!Arrays.equals(writer.newest().orElseThrow(), before.get(writer))) {
        read(writer);
        sent++;
      }
    }
    return sent;
  }

  /** Waits for the answers, and returns the rows that were not found. */
  List<String> missed() throws IOException, InterruptedException {
    List<String> missed = new ArrayList<>();
    for (Map.Entry<String, CompletableFuture<Boolean>> read : reads.entrySet()) {
      try {
        if (!read.getValue().get()) {
          missed.add(read.getKey());
        }
      } catch (ExecutionException e) {
        throw new IOException("Cannot read " + read.getKey(), e.getCause());
      }
    }
    reads.clear();
    return missed;
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
