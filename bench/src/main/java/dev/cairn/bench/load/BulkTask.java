package dev.cairn.bench.load;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.client.BufferedMutator;

/** Puts rows of one cell through a BufferedMutator: all of them, each once. */
final class BulkTask implements Task {
  private final BufferedMutator mutator;
  private final byte[] family;
  private final int valueBytes;
  private final int rows;
  private final SplittableRandom random;
  private int next;
  private boolean flushed;

  BulkTask(
      BufferedMutator mutator, byte[] family, int valueBytes, int rows, SplittableRandom random) {
    this.mutator = mutator;
    this.family = family;
    this.valueBytes = valueBytes;
    this.rows = rows;
    this.random = random;
  }

  @Override
  public boolean next(Done done) throws IOException {
    if (next < rows) {
      mutator.mutate(CellRows.put(next++, family, valueBytes, random));
      done.was("put", 1, CellRows.bytes(family, valueBytes));
      return true;
    }
    if (flushed) {
      return false;
    }
    mutator.flush(); // what is still on its way belongs to the time it took
    flushed = true;
    done.was("flush", 0, 0);
    return true;
  }

  @Override
  public void close() throws IOException {
    mutator.close();
  }
}
