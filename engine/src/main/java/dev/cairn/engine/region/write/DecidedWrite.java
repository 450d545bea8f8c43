package dev.cairn.engine.region.write;

import java.util.List;

/** Has the known outcomes of a write. */
record DecidedWrite(List<MutationOutcome> outcomes) implements PendingWrite {
  private static final Runnable NOTHING = () -> {};

  @Override
  public List<MutationOutcome> join() {
    return outcomes;
  }

  @Override
  public void whenDone(WriteListener told) {
    told.done(outcomes);
  }

  @Override
  public Runnable requestSync() {
    return NOTHING;
  }
}
