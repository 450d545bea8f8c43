package dev.cairn.engine.region;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A batch that has begun. Some of its mutations share one write, others have their own. All writes
 * are queued for the log before a caller waits for the first.
 */
final class PendingBatch implements PendingWrite {
  private static final int NONE = -1;

  private final List<PendingWrite> writes = new ArrayList<>();

  /** The index of each mutation's write. */
  private final int[] writeOf;

  private final Runnable requestSync;

  /** The number of writes that are complete. */
  private int settled;

  /** Creates a batch of that many mutations, none of which has a write yet. */
  PendingBatch(int mutations, Runnable requestSync) {
    this.requestSync = requestSync;
    this.writeOf = new int[mutations];
    Arrays.fill(writeOf, NONE);
  }

  /** Adds the write of one mutation. */
  void add(int mutation, PendingWrite write) {
    writeOf[mutation] = writes.size();
    writes.add(write);
  }

  /** Adds one write for all mutations before {@code end} that have none. */
  void addRun(int end, PendingWrite write) {
    for (int i = 0; i < end; i++) {
      if (writeOf[i] == NONE) {
        writeOf[i] = writes.size();
      }
    }
    writes.add(write);
  }

  /**
   * Blocks until the writes that have begun are complete, so that later writes become visible.
   *
   * @throws IOException as {@link #join}
   */
  void settle() throws IOException {
    while (settled < writes.size()) {
      PendingWrite begun = writes.set(settled, PendingWrite.of(List.of())); // is joined once only
      writes.set(settled, PendingWrite.of(List.of(begun.outcome())));
      settled++;
    }
  }

  /** Lets the writes that have begun complete, without a caller. */
  void abandon() {
    writes.forEach(write -> write.whenDone(WriteListener.NONE));
  }

  @Override
  public List<MutationOutcome> join() throws IOException {
    MutationOutcome[] outcomes = new MutationOutcome[writes.size()];
    for (int i = 0; i < outcomes.length; i++) {
      outcomes[i] = writes.get(i).outcome();
    }
    return perMutation(outcomes);
  }

  private List<MutationOutcome> perMutation(MutationOutcome[] outcomes) {
    MutationOutcome[] all = new MutationOutcome[writeOf.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = outcomes[writeOf[i]];
    }
    return List.of(all);
  }

  @Override
  public void whenDone(WriteListener told) {
    MutationOutcome[] outcomes = new MutationOutcome[writes.size()];
    AtomicInteger open = new AtomicInteger(outcomes.length);
    if (outcomes.length == 0) {
      told.done(List.of());
    }
    for (int i = 0; i < outcomes.length; i++) {
      int index = i;
      writes
          .get(i)
          .whenDone(
              new WriteListener() {
                @Override
                public void done(List<MutationOutcome> one) {
                  outcomes[index] = one.get(0);
                  if (open.decrementAndGet() == 0) {
                    told.done(perMutation(outcomes));
                  }
                }

                @Override
                public void failed(Throwable cause) {
                  if (open.getAndSet(0) > 0) { // and nobody gets it to 0 again
                    told.failed(cause);
                  }
                }
              });
    }
  }

  @Override
  public Runnable requestSync() {
    return requestSync;
  }
}
