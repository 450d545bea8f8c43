package dev.cairn.engine.region.write;

import java.util.List;

/** Stands for a write that did not begin. */
final class UnbegunWrite implements PendingWrite {
  @Override
  public boolean isBegun() {
    return false;
  }

  @Override
  public List<MutationOutcome> join() {
    throw notBegun();
  }

  @Override
  public void whenDone(WriteListener told) {
    throw notBegun();
  }

  @Override
  public Runnable requestSync() {
    throw notBegun();
  }

  private static IllegalStateException notBegun() {
    return new IllegalStateException("The write is not begun");
  }
}
