package dev.cairn.server.regionserver.hosted;

import dev.cairn.engine.region.state.RegionFailedException;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.PendingWrite;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteListener;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.wal.WalFailedException;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Passes writes on, and tells when one failed because the log did. Thread-safe. */
public record WatchedWrites(RegionWrites writes, Consumer<Throwable> fatal)
    implements RegionWrites {
  /**
   * Returns the layer that tells {@code fatal} when the log has failed: then nothing may be written
   * any more, and the server has to go.
   */
  public static RegionLayer layer(Consumer<Throwable> fatal) {
    return (info, schema, below) -> below.writing(new WatchedWrites(below.writes(), fatal));
  }

  @Override
  public PendingWrite write(WriteRequest request, WriteBudget budget) throws IOException {
    try {
      PendingWrite pending = writes.write(request, budget);
      return pending.isBegun() ? new Watched(pending, fatal) : pending;
    } catch (WalFailedException | RegionFailedException e) {
      fatal.accept(e);
      throw e;
    }
  }

  /** Watches a write that has begun. */
  private record Watched(PendingWrite pending, Consumer<Throwable> fatal) implements PendingWrite {
    @Override
    public List<MutationOutcome> join() throws IOException {
      try {
        return pending.join();
      } catch (WalFailedException | RegionFailedException e) {
        fatal.accept(e);
        throw e;
      }
    }

    @Override
    public void whenDone(WriteListener told) {
      pending.whenDone(new Watch(told, fatal));
    }

    @Override
    public Runnable requestSync() {
      return pending.requestSync();
    }
  }

  /** Watches the outcome that the listener of a write receives. */
  private record Watch(WriteListener told, Consumer<Throwable> fatal) implements WriteListener {
    @Override
    public void done(List<MutationOutcome> outcomes) {
      told.done(outcomes);
    }

    @Override
    public void failed(Throwable cause) {
      try {
        if (cause instanceof WalFailedException || cause instanceof RegionFailedException) {
          fatal.accept(cause);
        }
      } finally {
        told.failed(cause);
      }
    }
  }
}
