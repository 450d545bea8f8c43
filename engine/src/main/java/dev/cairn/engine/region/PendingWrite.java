package dev.cairn.engine.region;

import java.io.IOException;
import java.util.List;

/**
 * A write that is begun: its cells have their place, and it is seen once the log is as safe as it
 * asks for. Whoever gets one calls either {@link #join} or {@link #whenDone}, once: until then, it
 * holds up what reads see of the region.
 *
 * <p>There is one outcome per mutation of a {@link WriteRequest.Batch}, and one in all for any
 * other request. Thread-safe.
 */
public interface PendingWrite {
  /** Stands for a write that is not begun, because it would have to wait: nothing is done. */
  PendingWrite WOULD_WAIT = new UnbegunWrite();

  /** Returns a write whose outcomes are known. */
  static PendingWrite of(List<MutationOutcome> outcomes) {
    return new DecidedWrite(outcomes);
  }

  /** Tells whether the write is begun; if not, there is nothing to be waited for. */
  default boolean isBegun() {
    return true;
  }

  /**
   * Returns once the outcomes are known. The thread may write the log meanwhile, for itself and for
   * others.
   *
   * @throws IOException if the log or the region fails; nobody knows then what became of the write
   */
  List<MutationOutcome> join() throws IOException;

  /** As {@link #join}, of a request with one outcome. */
  default MutationOutcome outcome() throws IOException {
    return join().get(0);
  }

  /**
   * As {@link #join}, without keeping the caller: {@code told} learns what that would return or
   * throw. {@link #hurry} is to be run afterwards, once for all that was begun in a row.
   */
  void whenDone(WriteListener told);

  /**
   * Returns what has the log make safe at once what {@link #whenDone} was asked for; it waits for
   * nothing. It is the same object for all writes of a region.
   */
  Runnable hurry();
}
