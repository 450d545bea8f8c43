package dev.cairn.studies;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores facts in batches. One thread.
 *
 * @param <F> a fact
 * @param <T> open tables, which the writer closes
 */
public final class BatchWriter<F, T extends Closeable> implements FactWriter<F> {
  /** Facts of a batch. */
  public static final int SIZE = 200;

  /** Stores a batch of facts. */
  public interface Store<F, T> {
    /** Returns when the facts are stored. */
    void store(T tables, List<F> facts) throws IOException;
  }

  private final T tables;
  private final Store<F, T> store;
  private List<F> batch = new ArrayList<>();

  /** Creates a writer. */
  public BatchWriter(T tables, Store<F, T> store) {
    this.tables = tables;
    this.store = store;
  }

  @Override
  public void write(F fact) throws IOException {
    batch.add(fact);
    if (batch.size() == SIZE) {
      flush();
    }
  }

  private void flush() throws IOException {
    List<F> facts = batch;
    batch = new ArrayList<>();
    store.store(tables, facts);
  }

  @Override
  public void close() throws IOException {
    try (T closed = tables) {
      if (!batch.isEmpty()) {
        flush();
      }
    }
  }
}
