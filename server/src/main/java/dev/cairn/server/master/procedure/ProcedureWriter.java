package dev.cairn.server.master.procedure;

import dev.cairn.engine.region.write.WriteUndecidedException;
import dev.cairn.engine.wal.WalStalledException;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.procedure.ProcedureExecutor.RecordStore;
import dev.cairn.server.master.store.MasterStore.Change;
import dev.cairn.server.master.store.MasterStore.Section;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the records of procedures to the master's store. Owned by the loop. */
final class ProcedureWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ProcedureWriter.class);
  private static final Duration FULL_DISK_PAUSE = Duration.ofSeconds(1);

  /** The longest record of a procedure that is accepted; its later steps may need a little more. */
  private static final int RECORD_BYTES_MAX = 10 << 20;

  private final MasterLoop loop;
  private final RecordStore store;
  private final Consumer<Throwable> storeFailed;

  /**
   * Creates a writer.
   *
   * @param storeFailed called if the store cannot be written; nothing may continue then
   */
  ProcedureWriter(MasterLoop loop, RecordStore store, Consumer<Throwable> storeFailed) {
    this.loop = loop;
    this.store = store;
    this.storeFailed = storeFailed;
  }

  /**
   * Stores the record of a new procedure.
   *
   * @param refused called if the record is too long, or the disk is full; nothing is written then
   */
  void storeNew(ProcedureRecord record, Runnable done, Consumer<IOException> refused) {
    Change change = change(record);
    int bytes = change.value().map(value -> value.length).orElse(0);
    if (bytes > RECORD_BYTES_MAX) {
      refused.accept(
          new DoNotRetryIOException(
              "The record of the procedure takes "
                  + bytes
                  + " bytes, and at most "
                  + RECORD_BYTES_MAX
                  + " are allowed. Make names, attributes or split keys smaller"));
      return;
    }
    write(List.of(change), done, refused);
  }

  /** Stores the record of an accepted procedure. While the disk is full, it waits for room. */
  void store(ProcedureRecord record, Runnable done) {
    writeInTheEnd(List.of(change(record)), done);
  }

  /** Removes records. While the disk is full, it waits for room. */
  void remove(List<ProcedureRecord> records) {
    List<Change> changes =
        records.stream()
            .map(record -> new Change(Section.PROCEDURE, record.row(), Optional.empty()))
            .toList();
    writeInTheEnd(changes, () -> {});
  }

  private static Change change(ProcedureRecord record) {
    return new Change(Section.PROCEDURE, record.row(), Optional.of(record.message().toByteArray()));
  }

  private void writeInTheEnd(List<Change> changes, Runnable done) {
    write(changes, done, cause -> writeAfterPause(changes, done));
  }

  private void writeAfterPause(List<Change> changes, Runnable done) {
    loop.after(FULL_DISK_PAUSE, () -> writeInTheEnd(changes, done));
  }

  /**
   * Writes changes.
   *
   * @param refused called if the disk is full and nothing was written
   */
  private void write(List<Change> changes, Runnable done, Consumer<IOException> refused) {
    loop.perform(
        Lane.STORE,
        () -> store.apply(changes),
        Completion.of(
            done,
            cause -> {
              if (cause instanceof WalStalledException) {
                refused.accept(cause);
              } else if (cause instanceof WriteUndecidedException) {
                // The changes may yet be written, so they cannot be reported as refused.
                LOG.warn("The master's store waits for room on the disk: {}", cause.getMessage());
                writeAfterPause(changes, done);
              } else {
                storeFailed.accept(cause);
              }
            }));
  }
}
