package dev.cairn.studies;

import java.io.Closeable;
import java.io.IOException;

/**
 * Stores facts. One thread.
 *
 * @param <F> a fact
 */
public interface FactWriter<F> extends Closeable {
  /**
   * Stores a fact, now or later.
   *
   * @throws IOException if this fact or an earlier one cannot be stored
   */
  void write(F fact) throws IOException;

  /** Returns when all facts are stored. */
  @Override
  void close() throws IOException;
}
