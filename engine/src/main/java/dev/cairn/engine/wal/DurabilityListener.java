package dev.cairn.engine.wal;

import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;

/**
 * Learns whether an entry of the log became safe ({@link Wal#whenDurable}): by one of the two
 * methods, once, on any thread, which it must not block; perhaps before {@code whenDurable} has
 * returned. Neither method throws anything.
 */
public interface DurabilityListener {
  /** The entry is as safe as was asked for. */
  void safe();

  /**
   * It is not.
   *
   * @param cause what {@link Wal#sync(long, SyncLevel)} would throw; a {@link WalStalledException}
   *     leaves the entry's fate open
   */
  void notDurable(IOException cause);
}
