package dev.cairn.torture.simulation;

import dev.cairn.engine.scan.retention.CompactionCursor;
import dev.cairn.engine.store.StoreFileHook;
import java.io.IOException;

/** Does something in the middle of a major compaction, in its thread. For one thread. */
public final class DuringCompaction implements StoreFileHook {
  private Action next = () -> {};

  /** What is done. */
  @FunctionalInterface
  public interface Action {
    /** Does it; a failure fails the compaction. */
    void run() throws IOException;
  }

  /** Does {@code action} during the next major compaction, once. */
  public void once(Action action) {
    next = action;
  }

  /** Does nothing during the next compactions. */
  public void nothing() {
    next = () -> {};
  }

  @Override
  public void begin(Rewrite rewrite) throws IOException {
    if (rewrite.mode() == CompactionCursor.Mode.MAJOR) {
      Action action = next;
      nothing();
      action.run();
    }
  }
}
