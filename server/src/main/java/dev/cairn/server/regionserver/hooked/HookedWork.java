package dev.cairn.server.regionserver.hooked;

import dev.cairn.engine.schema.TableName;
import java.util.concurrent.Executor;

/** The threads for work on regions with hooks. Thread-safe. */
@FunctionalInterface
public interface HookedWork {
  /** Of a server whose regions have no hooks. */
  HookedWork NONE =
      (kind, table) -> {
        throw new IllegalStateException("No region has hooks here");
      };

  /** The kinds of work, each of which has its own threads. */
  enum Kind {
    /** Opens regions of users' and of system tables. */
    OPENING,
    /** Closes regions. */
    CLOSING,
    /** Flushes memstores. */
    FLUSH,
    /** Runs small compactions. */
    SMALL_COMPACTION,
    /** Runs large compactions. */
    LARGE_COMPACTION
  }

  /** Returns the threads for such work on the regions of a table. */
  Executor threads(Kind kind, TableName table);

  /** Tells whether hooks of a flush hold up work of this kind on a table for more than a second. */
  default boolean isHeld(Kind kind, TableName table) {
    return false;
  }
}
