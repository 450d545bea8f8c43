package dev.cairn.server.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalHook;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** The running coprocessors of a region server's logs. Thread-safe. */
public interface LogHooks extends AutoCloseable {
  /**
   * Returns the hook that sees the entries that a region logs; empty if no coprocessor has hooks of
   * entries.
   *
   * @param log the log of the region
   */
  Optional<WalHook> of(RegionInfo region, TableSchema schema, Wal log);

  /**
   * Called by the thread of a log before it begins a file. Waits a limited time.
   *
   * @throws IOException if a hook refuses the file
   */
  void rolling(String path, String next) throws IOException;

  /** Called by the thread of a log after it has begun a file. Does not wait. */
  void rolled(String path, String next);

  /** Returns the names of the coprocessors' classes without their packages. */
  Set<String> names();

  /** Stops the coprocessors. Called after the logs have ended. */
  @Override
  void close();
}
