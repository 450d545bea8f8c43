package dev.cairn.engine.wal;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalBuffer;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalFileName;
import dev.cairn.engine.wal.file.WalWriter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The end of the log: the file that is being written, and the step from one file to the next. Owned
 * by the current writer, except for {@link #path}.
 *
 * <p>A failed file is set aside and not written again. Its successor begins with all entries that
 * are not durable yet: those that the caller was about to write, and those that the operating
 * system has but that are not synced. To keep the latter few, {@link #wantsSync} asks the caller
 * for a sync when much has gathered.
 */
final class ActiveWalFile {
  /** The log's directory was taken away, as the master does before it declares this server dead. */
  static final class FencedException extends IOException {
    FencedException(NoSuchFileException cause) {
      super(
          "its directory was taken away: this server was declared dead and others recover its"
              + " log",
          cause);
    }
  }

  private final Storage storage;
  private final WalConfig config;
  private final Clock clock;
  private final WalFiles files;
  private final WalListener listener;
  private final WalBuffer buffer = new WalBuffer();
  private final UnsyncedEntries unsynced = new UnsyncedEntries();
  private long fileNumber;
  private WalWriter writer;
  private Optional<WalWriter> failed = Optional.empty();

  private volatile String path;

  /**
   * Begins the first file.
   *
   * @param newest the highest number of a file that is there already
   */
  ActiveWalFile(
      Storage storage,
      WalConfig config,
      Clock clock,
      WalFiles files,
      WalListener listener,
      long newest)
      throws IOException {
    this.storage = storage;
    this.config = config;
    this.clock = clock;
    this.files = files;
    this.listener = listener;
    this.fileNumber = newest;
    this.writer = create();
    this.path = writer.path();
  }

  /** Returns the path of the file that is being written. Any thread. */
  String path() {
    return path;
  }

  /** Returns the length of the file that is being written, bytes. */
  long position() {
    return writer.position();
  }

  /** Returns how many machines hold the file's newest entries. */
  int copies() {
    return writer.copies();
  }

  /** Tells whether so much has been written without a sync that it should get one. */
  boolean wantsSync() {
    return unsynced.heapBytes() > config.queuedBytesMax() / 2;
  }

  /** Writes entries and makes them durable. After a failure, {@link #replace} is next. */
  void write(List<WalEntry> entries, SyncLevel syncLevel) throws IOException {
    try {
      for (int i = 0; i < entries.size(); i++) {
        writer.append(entries.get(i));
      }
      if (syncLevel == SyncLevel.SYNCED) {
        writer.sync();
        unsynced.clear();
      } else {
        writer.flush();
        entries.forEach(unsynced::add);
      }
    } catch (IOException e) {
      setAside(e);
      throw e;
    }
  }

  /**
   * Continues after a failure: creates a file, writes all entries that are not durable yet and
   * {@code entries} to it, and syncs it. A failure changes nothing, and the caller may try again.
   */
  void replace(List<WalEntry> entries) throws IOException {
    WalWriter old = failed.orElseThrow();
    WalWriter next = create();
    try {
      unsynced.forEach(next::append);
      for (WalEntry entry : entries) {
        next.append(entry);
      }
      next.sync();
    } catch (IOException | RuntimeException | Error e) {
      discard(next, e);
      throw e;
    }
    files.add(old.path(), old.highestSequences());
    failed = Optional.empty();
    unsynced.clear();
    writer = next;
    path = next.path();
  }

  /** Tells whether the file has failed and {@link #replace} is next. */
  boolean hasFailed() {
    return failed.isPresent();
  }

  /**
   * Ends the file and begins the next. If the next cannot be begun, the log continues in its
   * present file; if that one has failed, {@link #replace} is next.
   */
  void roll() throws IOException {
    if (writer.isEmpty()) {
      return;
    }
    syncAll();
    WalWriter next = create();
    WalWriter old = writer;
    try {
      listener.rolling(old.path(), next.path());
    } catch (IOException | RuntimeException | Error e) {
      discard(next, e);
      throw e;
    }
    writer = next;
    path = next.path();
    finish(old);
    listener.rolled(old.path(), next.path(), old.position());
  }

  /**
   * Ends the log. If the file fails before everything in it is durable, {@link #replace} is next.
   */
  void finish() throws IOException {
    syncAll();
    finish(writer);
  }

  /** Closes the file and leaves it as it is. */
  void abandon() throws IOException {
    buffer.clear();
    if (failed.isEmpty()) {
      writer.abandon();
    }
  }

  private void syncAll() throws IOException {
    if (!unsynced.isEmpty()) {
      write(List.of(), SyncLevel.SYNCED);
    }
  }

  /** Writes the trailer. All entries are durable already; a file without a trailer is valid. */
  private void finish(WalWriter old) {
    try {
      old.finish();
    } catch (IOException e) {
      listener.fileFailed(old.path(), e);
      close(old, e);
    }
    files.add(old.path(), old.highestSequences());
  }

  private void setAside(IOException cause) {
    failed = Optional.of(writer);
    close(writer, cause);
    listener.fileFailed(writer.path(), cause);
  }

  /**
   * Creates the next file, and syncs its header and name. Never recreates the log's directory,
   * which a split may have renamed.
   */
  private WalWriter create() throws IOException {
    fileNumber = Math.max(clock.currentTimeMillis(), fileNumber + 1);
    String name = WalFileName.of(config.directory(), config.prefix(), fileNumber);
    Optional<WalWriter> next = Optional.empty();
    try {
      next =
          Optional.of(
              WalWriter.createFenced(
                  storage, name, buffer, config.compression(), config.syncLevel()));
      next.get().sync();
      return next.get();
    } catch (NoSuchFileException e) {
      throw new FencedException(e);
    } catch (IOException | RuntimeException | Error e) {
      next.ifPresent(begun -> close(begun, e));
      buffer.clear();
      delete(name, Map.of(), e);
      throw e;
    }
  }

  private void discard(WalWriter unwanted, Throwable cause) {
    close(unwanted, cause);
    delete(unwanted.path(), unwanted.highestSequences(), cause);
  }

  /** Deletes a file that holds nothing acknowledged; if it remains, it does no harm. */
  private void delete(String unwanted, Map<String, Long> highest, Throwable cause) {
    try {
      storage.delete(unwanted);
    } catch (IOException e) {
      cause.addSuppressed(e);
      files.add(unwanted, highest);
    }
  }

  private static void close(WalWriter unwanted, Throwable cause) {
    try {
      unwanted.abandon();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
