package dev.cairn.server.regionserver.client;

import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hosted.Operation;
import dev.cairn.server.regionserver.hosted.TableTimes;

/** Measures consecutive operations of one call on one table. One thread. */
final class OperationTimer {
  private final Clock clock;
  private final TableTimes times;
  private long begunNanos;
  private boolean hasDeletions;
  private boolean hasOthers;

  /** Begins to measure. */
  OperationTimer(Clock clock, TableTimes times) {
    this.clock = clock;
    this.times = times;
    this.begunNanos = times == TableTimes.OFF ? 0 : clock.nanoTime();
  }

  /** Records the time since the operation before ended, or since the beginning. */
  void ended(Operation operation) {
    if (times != TableTimes.OFF) {
      long now = clock.nanoTime();
      times.record(operation, now - begunNanos);
      begunNanos = now;
    }
  }

  /** Adds a mutation to the batch that {@link #batchEnded} records. */
  void mutates(Mutation.Kind kind) {
    hasDeletions |= kind == Mutation.Kind.DELETE;
    hasOthers |= kind != Mutation.Kind.DELETE;
  }

  /** Records the batch of the mutations since the batch before; nothing if there were none. */
  void batchEnded() {
    if (hasDeletions || hasOthers) {
      ended(hasOthers ? Operation.PUT_BATCH : Operation.DELETE_BATCH);
      hasDeletions = false;
      hasOthers = false;
    }
  }
}
