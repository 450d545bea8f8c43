package dev.cairn.engine.changes;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.changes.ChangePosition.FilePosition;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Optional;

/** Reads the durable entries of log files, from a position to the present end. */
final class LogReading {
  static final byte[] MARKERS = Bytes.utf8("METAFAMILY");

  private final Storage root;

  LogReading(Storage root) {
    this.root = root;
  }

  /** Takes entries. */
  interface Taker {
    /** Takes an entry, which belongs to the callee. */
    void take(WalEntry entry) throws IOException;
  }

  /** Tells whether an entry changes its region: most markers and mere nonces do not. */
  static boolean isChange(WalEntry entry) {
    return !entry.cells().isEmpty() && (!isMarker(entry) || Change.isBulkLoad(entry.cells()));
  }

  /** Returns an entry that {@linkplain #isChange changes} its region. */
  static Change change(WalEntry entry) {
    return new Change(
        entry.table(),
        entry.region(),
        entry.sequence(),
        entry.writeTimeMillis(),
        entry.cells(),
        isMarker(entry) ? Change.Kind.BULK_LOAD : Change.Kind.CELLS);
  }

  private static boolean isMarker(WalEntry entry) {
    return Arrays.equals(entry.cells().get(0).family(), MARKERS);
  }

  /**
   * Reads on in a file.
   *
   * @return the new position; empty if the file is not at its path any more
   */
  Optional<FilePosition> read(LogFile file, FilePosition from, Taker taker) throws IOException {
    if (from.isDone()) {
      return Optional.of(from);
    }
    try (WalReader reader = open(file)) {
      if (!reader.seek(from.offset())) {
        throw new CorruptWalException(
            file.path(), from.offset(), "expected an entry, found the end of the file");
      }
      while (reader.next()) {
        taker.take(reader.entry());
      }
      return Optional.of(new FilePosition(reader.position(), file.isArchived()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private WalReader open(LogFile file) throws IOException {
    if (file.isArchived()) {
      return WalReader.openFinal(root, file.path(), file.isSuperseded());
    }
    while (true) {
      WalReader reader = WalReader.openGrowing(root, file.path());
      boolean safe = false;
      try {
        // After that, all entries that the reader sees survive a power cut and lie within the
        // file's final length.
        root.syncContent(file.path());
        safe = lengthNow(file) >= reader.info().length();
      } finally {
        if (!safe) {
          reader.close();
        }
      }
      if (safe) {
        return reader;
      }
    }
  }

  private long lengthNow(LogFile file) throws IOException {
    try (ReadableFile again = root.open(file.path())) {
      return again.length();
    }
  }
}
