package dev.cairn.tools.bulk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Collects mutations of a table and sends many at a time, in order. For one thread. */
final class MutationBatch {
  private static final long BYTES = 2 << 20;
  private static final int MUTATIONS = 5000;

  private final Table table;
  private final List<Mutation> mutations = new ArrayList<>();
  private final Set<byte[]> families;
  private long bytes;

  /** Creates an empty batch; the caller closes {@code table}. */
  MutationBatch(Table table) throws IOException {
    this.table = table;
    this.families = table.getDescriptor().getColumnFamilyNames();
  }

  void add(Mutation mutation) {
    mutations.add(mutation);
    bytes += mutation.heapSize();
  }

  boolean isFull() {
    return bytes >= BYTES || mutations.size() >= MUTATIONS;
  }

  /**
   * Sends the added mutations, and returns once the servers have them.
   *
   * @throws BulkException if the table does not have all families; then nothing is sent
   */
  void send() throws IOException {
    if (mutations.isEmpty()) {
      return;
    }
    for (Mutation mutation : mutations) {
      for (byte[] family : mutation.getFamilyCellMap().keySet()) {
        require(family);
      }
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

  private void require(byte[] family) throws BulkException {
    if (!families.contains(family)) {
      throw new BulkException(
          "table "
              + table.getName()
              + " has no family "
              + Bytes.toStringBinary(family)
              + ". Add it, and repeat the command");
    }
  }
}
