package dev.cairn.engine.region.steps;

import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteListener;
import java.io.IOException;
import java.util.List;

/** A staged write that knows whether a caller waits for it. Thread-safe. */
final class WaitedFor implements PendingWrite {
  private final PendingWrite staged;
  private volatile boolean begun;

  WaitedFor(PendingWrite staged) {
    this.staged = staged;
  }

  /** Tells whether {@link #join} or {@link #whenDone} has been called. */
  boolean hasBegun() {
    return begun;
  }

  /** Completes the write if no caller has joined it. */
  void abandon() {
    whenDone(WriteListener.NONE);
    requestSync().run();
  }

  @Override
  public List<MutationOutcome> join() throws IOException {
    begun = true;
    return staged.join();
  }

  @Override
  public void whenDone(WriteListener told) {
    begun = true;
    staged.whenDone(told);
  }

  @Override
  public Runnable requestSync() {
    return staged.requestSync();
  }
}
