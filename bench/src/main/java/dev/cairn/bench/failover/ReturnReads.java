package dev.cairn.bench.failover;

import java.io.IOException;
import java.util.ArrayList;
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
 * Reads that a frozen server finds when it resumes. Their client has not heard that the regions are
 * elsewhere. A server that answers from its old memory does not find what was written meanwhile.
 */
final class ReturnReads implements AutoCloseable {
  private final AsyncConnection connection;
  private final AsyncTable<?> table;
  private final List<RegionWriter> writers;
  private final Map<String, CompletableFuture<Boolean>> reads = new LinkedHashMap<>();

  /**
   * Connects, and reads from each region once, so that the client knows its server.
   *
   * @param settings of a client whose calls wait until the server resumes
   * @param writers have written at least one row each
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
    send();
    missed();
  }

  /** Sends a read of each region's newest acknowledged row to the server that the client knows. */
  void send() {
    for (RegionWriter writer : writers) {
      byte[] row = writer.newest().orElseThrow();
      reads.put(Bytes.toStringBinary(row), table.exists(new Get(row)));
    }
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
