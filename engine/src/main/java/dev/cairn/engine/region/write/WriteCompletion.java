package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionBusyException;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.Wal.DurabilityListener;
import dev.cairn.engine.wal.WalStalledException;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Completes staged changes of a region: waits until their log entries are durable, and makes them
 * visible. If the log stalls, waiting callers get an error, and the change completes later. If the
 * log fails, all waiting and all later writes fail. Thread-safe.
 */
public final class WriteCompletion {
  private final RegionInfo info;
  private final Mvcc mvcc;
  private final Wal wal;
  private final Runnable requestSync;

  public WriteCompletion(RegionInfo info, Mvcc mvcc, Wal wal) {
    this.info = info;
    this.mvcc = mvcc;
    this.wal = wal;
    this.requestSync = wal::requestSync;
  }

  /** Returns a task that requests a sync of the log for all listeners. */
  public Runnable requestSync() {
    return requestSync;
  }

  /**
   * Returns the completion of a change that is in the memstores and queued for the log.
   *
   * @param write the number of the write
   * @param txid the log's txid for its entry; 0 if it has no entry
   * @param durability how durable the entry must be before the acknowledgement
   * @param result the cells that the caller wants back
   */
  PendingWrite pending(Mvcc.Write write, long txid, Durability durability, CellBuffer result) {
    return new Staged(write, txid, durability, result);
  }

  /**
   * Returns the completion of an outcome that follows from reads alone. It waits until the cells
   * that this thread has read under its rows' locks are durable.
   */
  public PendingWrite ofReads(MutationOutcome outcome) {
    return new Answered(mvcc.lastBegun(), outcome);
  }

  /** A change that waits for the log. */
  private final class Staged implements PendingWrite, DurabilityListener {
    private final Mvcc.Write write;
    private final long txid;
    private final Durability durability;
    private final CellBuffer result;
    private WriteListener told = WriteListener.NONE;

    Staged(Mvcc.Write write, long txid, Durability durability, CellBuffer result) {
      this.write = write;
      this.txid = txid;
      this.durability = durability;
      this.result = result;
    }

    private Optional<SyncLevel> syncLevel() {
      if (txid == 0) {
        return Optional.empty();
      }
      return switch (durability) {
        case FSYNC_WAL -> Optional.of(SyncLevel.SYNCED);
        case SYNC_WAL -> Optional.of(SyncLevel.FLUSHED);
        default -> Optional.empty();
      };
    }

    @Override
    public List<MutationOutcome> join() throws IOException {
      Optional<SyncLevel> syncLevel = syncLevel();
      try {
        if (syncLevel.isPresent()) {
          wal.sync(txid, syncLevel.get());
        }
      } catch (WalStalledException e) {
        return List.of(postponed(e));
      } catch (IOException e) {
        mvcc.fail(e);
        throw e;
      }
      mvcc.complete(write);
      try {
        mvcc.await(write.number());
      } catch (Mvcc.PostponedException e) {
        return List.of(undecided(e));
      }
      return done();
    }

    @Override
    public void whenDone(WriteListener listener) {
      told = listener;
      Optional<SyncLevel> syncLevel = syncLevel();
      if (syncLevel.isPresent()) {
        wal.whenDurable(txid, syncLevel.get(), this);
      } else {
        durable();
      }
    }

    @Override
    public Runnable requestSync() {
      return requestSync;
    }

    @Override
    public void durable() {
      mvcc.complete(write);
      if (mvcc.readPoint() >= write.number()) {
        told.done(done());
        return;
      }
      mvcc.awaited(write.number())
          .whenComplete(
              (seen, failure) -> {
                if (failure == null) {
                  told.done(done());
                } else if (failure instanceof Mvcc.PostponedException postponed) {
                  told.done(List.of(undecided(postponed)));
                } else {
                  told.failed(failure);
                }
              });
    }

    @Override
    public void notDurable(IOException cause) {
      if (cause instanceof WalStalledException stalled) {
        told.done(List.of(postponed(stalled)));
      } else {
        mvcc.fail(cause);
        told.failed(cause);
      }
    }

    private List<MutationOutcome> done() {
      return List.of(new MutationOutcome.Done(result));
    }

    private MutationOutcome postponed(WalStalledException cause) {
      mvcc.postpone(write, cause);
      MutationOutcome undecided = undecided(cause);
      wal.settled(txid, syncLevel().orElseThrow())
          .whenComplete((done, failure) -> settle(write, failure));
      return undecided;
    }

    private MutationOutcome undecided(IOException cause) {
      return new MutationOutcome.Undecided(
          new WriteUndecidedException(
              info.regionNameAsString() + " cannot finish the write now: " + cause.getMessage(),
              cause,
              mvcc.reached(write.number()).thenApply(done -> result)));
    }
  }

  private void settle(Mvcc.Write write, Throwable failure) {
    if (failure == null) {
      mvcc.complete(write);
    } else {
      mvcc.fail(failure instanceof IOException known ? known : new IOException(failure));
    }
  }

  /** An answer that waits until every write up to a number has completed. */
  private final class Answered implements PendingWrite {
    private final long number;
    private final MutationOutcome outcome;

    Answered(long number, MutationOutcome outcome) {
      this.number = number;
      this.outcome = outcome;
    }

    @Override
    public List<MutationOutcome> join() throws IOException {
      try {
        mvcc.await(number);
        return List.of(outcome);
      } catch (Mvcc.PostponedException e) {
        return List.of(unknown(e));
      }
    }

    @Override
    public void whenDone(WriteListener told) {
      mvcc.awaited(number)
          .whenComplete(
              (seen, failure) -> {
                if (failure == null) {
                  told.done(List.of(outcome));
                } else if (failure instanceof Mvcc.PostponedException postponed) {
                  told.done(List.of(unknown(postponed)));
                } else {
                  told.failed(failure);
                }
              });
    }

    @Override
    public Runnable requestSync() {
      return requestSync;
    }

    private MutationOutcome unknown(IOException cause) {
      return new MutationOutcome.Refused(
          new RegionBusyException(
              info.regionNameAsString()
                  + " cannot check the row's condition now, because the outcome of an earlier"
                  + " write to it is unknown: "
                  + cause.getMessage()));
    }
  }
}
