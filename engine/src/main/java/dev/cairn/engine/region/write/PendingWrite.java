package dev.cairn.engine.region.write;

import java.io.IOException;
import java.util.List;

/**
 * A write that has begun: its cells are in the memstores, and reads see it once the log is as
 * durable as the write requires. The caller must call either {@link #join} or {@link #whenDone},
 * once: until then, reads see no later write of the region.
 *
 * <p>A {@link WriteRequest.Batch} has one outcome per mutation, any other request has a single one.
 * Thread-safe.
 */
public interface PendingWrite {
  /** Stands for a write that did not begin, because it would have to wait. Nothing is done. */
  PendingWrite WOULD_WAIT = new UnbegunWrite();

  /** Returns a write whose outcomes are known. */
  static PendingWrite of(List<MutationOutcome> outcomes) {
    return new DecidedWrite(outcomes);
  }

  /** Tells whether the write has begun; if not, there is no outcome to wait for. */
  default boolean isBegun() {
    return true;
  }

  /**
   * Returns the outcomes, and blocks until they are known. The calling thread may write the log
   * meanwhile, also for other writes.
   *
   * @throws IOException if the log or the region fails; then the outcome is unknown
   */
  List<MutationOutcome> join() throws IOException;

  /** Returns the outcome of a request with one outcome, as {@link #join} does. */
  default MutationOutcome outcome() throws IOException {
    return join().get(0);
  }

  /**
   * Notifies {@code told} of the result of {@link #join} when it is known. Does not block. The
   * caller runs {@link #requestSync} afterwards, once for all writes that it has begun in a row.
   */
  void whenDone(WriteListener told);

  /**
   * Returns a task that requests a sync of the log at once, for the writes of {@link #whenDone}.
   * The task does not block. All writes of a region have the same one.
   */
  Runnable requestSync();

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
}
