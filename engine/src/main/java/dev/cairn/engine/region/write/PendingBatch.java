package dev.cairn.engine.region.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

/**
 * A batch that has begun. Some of its mutations share one write, others have their own. All writes
 * are queued for the log before a caller waits for the first.
 */
public final class PendingBatch implements PendingWrite {
  private static final int NONE = -1;

  private final List<PendingWrite> writes = new ArrayList<>();

  /** The index of each mutation's write. */
  private final int[] writeOf;

  private final Runnable requestSync;

  /** The number of writes that are complete. */
  private int settled;

  /** Creates a batch of that many mutations, none of which has a write yet. */
  public PendingBatch(int mutations, Runnable requestSync) {
    this.requestSync = requestSync;
    this.writeOf = new int[mutations];
    Arrays.fill(writeOf, NONE);
  }

  /** Adds the write of one mutation. */
  public void add(int mutation, PendingWrite write) {
    writeOf[mutation] = writes.size();
    writes.add(write);
  }

  /** Adds one write for several mutations. */
  public void add(List<Integer> mutations, PendingWrite write) {
    for (int mutation : mutations) {
      writeOf[mutation] = writes.size();
    }
    writes.add(write);
  }

  /** Returns the mutations before {@code end} that have no write, in order. */
  public List<Integer> withoutWrite(int end) {
    return IntStream.range(0, end).filter(i -> writeOf[i] == NONE).boxed().toList();
  }

  /** Adds one write for all mutations before {@code end} that have none. */
  public void addRun(int end, PendingWrite write) {
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
  public void settle() throws IOException {
    while (settled < writes.size()) {
      PendingWrite begun = writes.set(settled, PendingWrite.of(List.of())); // is joined once only
      writes.set(settled, PendingWrite.of(List.of(begun.outcome())));
      settled++;
    }
  }

  /** Lets the writes that have begun complete, without a caller. */
  public void abandon() {
    writes.forEach(write -> write.whenDone(WriteListener.NONE));
  }

  @Override
  public List<MutationOutcome> join() throws IOException {
    try {
      settle();
    } finally {
      abandon(); // the writes that remain after a failure
    }
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

  /** {@inheritDoc} Calls the listener after all writes have ended, even if some fail. */
  @Override
  public void whenDone(WriteListener told) {
    MutationOutcome[] outcomes = new MutationOutcome[writes.size()];
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicInteger open = new AtomicInteger(outcomes.length + 1); // plus one for this loop
    Runnable ended =
        () -> {
          if (open.decrementAndGet() > 0) {
            return;
          }
          if (failure.get() == null) {
            told.done(perMutation(outcomes));
          } else {
            told.failed(failure.get());
          }
        };
    for (int i = 0; i < outcomes.length; i++) {
      int index = i;
      writes
          .get(i)
          .whenDone(
              new WriteListener() {
                @Override
                public void done(List<MutationOutcome> one) {
                  outcomes[index] = one.get(0);
                  ended.run();
                }

                @Override
                public void failed(Throwable cause) {
                  failure.compareAndSet(null, cause);
                  ended.run();
                }
              });
    }
    ended.run();
  }

  @Override
  public Runnable requestSync() {
    return requestSync;
  }
}
