package dev.cairn.launcher.bulk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Table;

/** Collects mutations of a table and sends many at a time, in order. For one thread. */
final class MutationBatch {
  private static final long BYTES = 2 << 20;
  private static final int MUTATIONS = 5000;

  private final Table table;
  private final List<Mutation> mutations = new ArrayList<>();
  private long bytes;

  /** Creates an empty batch; the caller closes {@code table}. */
  MutationBatch(Table table) {
    this.table = table;
  }

  void add(Mutation mutation) {
    mutations.add(mutation);
    bytes += mutation.heapSize();
  }

  boolean isFull() {
    return bytes >= BYTES || mutations.size() >= MUTATIONS;
  }

  /** Sends what was added, and returns once the servers have it. */
  void send() throws IOException {
    if (mutations.isEmpty()) {
      return;
    }
    try {
      table.batch(mutations, new Object[mutations.size()]);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted = new InterruptedIOException("interrupted");
      interrupted.initCause(e);
      throw interrupted;
    }
    mutations.clear();
    bytes = 0;
  }
}
