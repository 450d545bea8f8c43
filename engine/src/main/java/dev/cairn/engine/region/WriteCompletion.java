package dev.cairn.engine.region;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.wal.SafetyListener;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.WalStalledException;
import java.io.IOException;
import java.util.Optional;

/**
 * The second half of a region's write: what was staged is made safe in the log and completed, which
 * makes it visible. If the log stalls, whoever waits is sent away, and the change completes later;
 * if it fails, so do all writes that wait, and all that come. Thread-safe.
 */
final class WriteCompletion {
  private final RegionInfo info;
  private final Mvcc mvcc;
  private final Wal wal;

  WriteCompletion(RegionInfo info, Mvcc mvcc, Wal wal) {
    this.info = info;
    this.mvcc = mvcc;
    this.wal = wal;
  }

  /** Makes a change safe and visible, whose rows are free by now. Returns its result. */
  CellBuffer finish(StagedWrite staged) throws IOException {
    Optional<Wal.Safety> safety = safety(staged);
    try {
      if (safety.isPresent()) {
        wal.sync(staged.ticket(), safety.get());
      }
    } catch (WalStalledException e) {
      throw postponed(staged, safety.get(), e);
    } catch (IOException e) {
      mvcc.fail(e);
      throw e;
    }
    mvcc.complete(staged.write());
    try {
      mvcc.await(staged.write().number());
    } catch (Mvcc.PostponedException e) {
      throw undecided(staged, e);
    }
    return staged.result();
  }

  /** Has the log make safe at once what {@link #finishLater} was asked for. */
  void hurry() {
    wal.hurry();
  }

  /** As {@link #finish}, without keeping the caller; {@link #hurry} is to follow. */
  void finishLater(StagedWrite staged, WriteListener told) {
    Optional<Wal.Safety> safety = safety(staged);
    if (safety.isEmpty()) {
      complete(staged, told);
    } else {
      wal.whenSafe(staged.ticket(), safety.get(), new Completing(staged, safety.get(), told));
    }
  }

  /** A change that waits for the log. */
  private final class Completing implements SafetyListener {
    private final StagedWrite staged;
    private final Wal.Safety safety;
    private final WriteListener told;

    Completing(StagedWrite staged, Wal.Safety safety, WriteListener told) {
      this.staged = staged;
      this.safety = safety;
      this.told = told;
    }

    @Override
    public void safe() {
      complete(staged, told);
    }

    @Override
    public void notSafe(IOException cause) {
      told.failed(WriteCompletion.this.notSafe(staged, safety, cause));
    }
  }

  private void complete(StagedWrite staged, WriteListener told) {
    mvcc.complete(staged.write());
    if (mvcc.readPoint() >= staged.write().number()) {
      told.done(staged.result());
      return;
    }
    mvcc.awaited(staged.write().number())
        .whenComplete(
            (seen, failure) -> {
              if (failure == null) {
                told.done(staged.result());
              } else if (failure instanceof Mvcc.PostponedException postponed) {
                told.failed(undecided(staged, postponed));
              } else {
                told.failed(failure);
              }
            });
  }

  /** Takes note that a change is not safe, for now or for good; returns what to tell. */
  private IOException notSafe(StagedWrite staged, Wal.Safety safety, IOException failure) {
    if (failure instanceof WalStalledException stalled) {
      return postponed(staged, safety, stalled);
    }
    mvcc.fail(failure);
    return failure;
  }

  private WriteUndecidedException postponed(
      StagedWrite staged, Wal.Safety safety, WalStalledException cause) {
    mvcc.postpone(staged.write(), cause);
    WriteUndecidedException undecided = undecided(staged, cause);
    wal.settled(staged.ticket(), safety)
        .whenComplete((done, failure) -> settle(staged.write(), failure));
    return undecided;
  }

  private static Optional<Wal.Safety> safety(StagedWrite staged) {
    if (staged.ticket() == 0) {
      return Optional.empty();
    }
    return switch (staged.durability()) {
      case FSYNC_WAL -> Optional.of(Wal.Safety.SYNCED);
      case SYNC_WAL -> Optional.of(Wal.Safety.FLUSHED);
      default -> Optional.empty();
    };
  }

  private WriteUndecidedException undecided(StagedWrite staged, IOException cause) {
    return new WriteUndecidedException(
        info.regionNameAsString() + " cannot finish the write now: " + cause.getMessage(),
        cause,
        mvcc.reached(staged.write().number()).thenApply(done -> staged.result()));
  }

  private void settle(Mvcc.Write write, Throwable failure) {
    if (failure == null) {
      mvcc.complete(write);
    } else {
      mvcc.fail(failure instanceof IOException known ? known : new IOException(failure));
    }
  }

  /**
   * Returns once what this thread has read under its rows' locks is safe: an answer that comes of
   * it, and not of a write, may be told only then. The rows are free again.
   */
  void awaitWhatWasSeen() throws IOException {
    try {
      mvcc.await(mvcc.lastBegun());
    } catch (Mvcc.PostponedException e) {
      throw new RegionBusyException(
          info.regionNameAsString()
              + " cannot say now what the row allows, since a write to it is undecided: "
              + e.getMessage());
    }
  }
}
