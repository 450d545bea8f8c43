package dev.cairn.engine.storage;

import java.io.Closeable;
import java.io.IOException;

/**
 * Exclusive use of something in a storage, against other processes and other users in this one.
 * Held until closed or until the process ends, however it ends.
 */
public interface StorageLock extends Closeable {
  /** Gives the lock up. Closing twice does nothing. */
  @Override
  void close() throws IOException;
}
