package dev.cairn.engine.wal;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;

/**
 * A {@link Wal} whose one thread writes all entries that have gathered, then makes them safe with
 * one flush or sync, then wakes whoever waits for them; meanwhile the next group gathers.
 *
 * <p>{@link WalQueue} is where the threads meet; {@link WalWriter} knows the file being written and
 * belongs to the writing thread alone; {@link WalFiles} knows the ended files. The writing thread
 * also rolls, between two groups. Files are archived by the threads that flush, roll or close.
 */
public final class GroupCommitWal implements Wal {
  private final Storage storage;
  private final WalConfig config;
  private final Clock clock;
  private final WalListener listener;
  private final WalQueue queue;
  private final WalFiles files;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final WalBuffer buffer = new WalBuffer();

  // Owned by the writing thread once that runs.
  private WalWriter writer;
  private long fileNumber;

  private volatile String currentPath;

  private GroupCommitWal(
      Storage storage, WalConfig config, Clock clock, WalListener listener, long fileNumber) {
    this.storage = storage;
    this.config = config;
    this.clock = clock;
    this.listener = listener;
    this.queue = new WalQueue(config);
    this.files = new WalFiles(storage, config, listener);
    this.fileNumber = fileNumber;
    this.currentPath = config.directory();
  }

  /**
   * Begins a log: creates its directory and its first file, and starts its thread.
   *
   * @param threads makes the one thread that writes; it ends when the log is closed or fails
   */
  public static GroupCommitWal open(
      Storage storage, WalConfig config, Clock clock, ThreadFactory threads, WalListener listener)
      throws IOException {
    storage.createDirectories(config.directory());
    long newest = 0;
    for (FileInfo file : storage.list(config.directory())) {
      newest = Math.max(newest, WalFileName.number(file.path()).orElse(0));
    }
    GroupCommitWal wal = new GroupCommitWal(storage, config, clock, listener, newest);
    wal.writer = wal.beginFile();
    threads.newThread(wal::run).start();
    return wal;
  }

  /** Returns the path of the file that is being written. */
  public String currentPath() {
    return currentPath;
  }

  @Override
  public long append(WalEntry entry) throws IOException {
    long ticket = queue.append(entry);
    if (ticket == 0) {
      throw failure();
    }
    if (ticket < 0) {
      throw new IOException("The write-ahead log in " + config.directory() + " is closed");
    }
    return ticket;
  }

  @Override
  public void sync(long ticket) throws IOException {
    sync(ticket, config.safety());
  }

  @Override
  public void sync(long ticket, Safety safety) throws IOException {
    if (ticket > queue.lastTicket()) {
      throw new IllegalArgumentException("No entry has the ticket " + ticket + " yet");
    }
    if (!queue.await(ticket, safety.compareTo(config.safety()) < 0 ? config.safety() : safety)) {
      throw failure();
    }
  }

  @Override
  public long lastTicket() {
    return queue.lastTicket();
  }

  @Override
  public void roll() throws IOException {
    try {
      queue.requestRoll().join();
    } catch (CompletionException e) {
      throw failure();
    }
    files.archive();
  }

  @Override
  public void flushed(String region, long sequence) {
    files.flushed(region, sequence);
    files.archive();
  }

  @Override
  public void regionClosed(String region) {
    Optional<Long> newest = queue.appended(region);
    if (newest.isPresent()) {
      queue.forget(region);
      flushed(region, newest.get());
    }
  }

  @Override
  public Set<String> regionsToFlush() {
    return files.regionsToFlush();
  }

  /**
   * {@inheritDoc}
   *
   * @throws WalFailedException if the log had failed or fails now; it is closed all the same
   */
  @Override
  public void close() throws IOException {
    queue.close();
    ended.join();
    if (queue.failure().isPresent()) {
      throw failure();
    }
    files.archive();
    if (storage.list(config.directory()).isEmpty()) {
      storage.delete(config.directory());
    }
  }

  /** A fresh exception, with the caller's stack, for a failure that happened elsewhere. */
  private WalFailedException failure() {
    return queue
        .failure()
        .map(first -> new WalFailedException(currentPath, first.getCause()))
        .orElseThrow(() -> new IllegalStateException("The log has not failed"));
  }

  private void run() {
    Optional<CompletableFuture<Void>> roll = Optional.empty();
    try {
      boolean more = true;
      while (more) {
        WalQueue.Work work = queue.take();
        roll = work.roll();
        commit(work);
        if (roll.isPresent() || writer.position() >= config.rollSizeBytes()) {
          endAndBeginFile();
          roll.ifPresent(waiting -> waiting.complete(null));
        }
        more = !work.end();
      }
      writer.finish();
      files.add(writer.path(), writer.highestSequences());
      queue.ended();
    } catch (Throwable t) {
      fail(t);
      roll.ifPresent(waiting -> waiting.completeExceptionally(t));
    } finally {
      ended.complete(null);
    }
  }

  private void commit(WalQueue.Work work) throws IOException {
    int entries = work.entries().size();
    long startNanos = clock.nanoTime();
    long startPosition = writer.position();
    for (int i = 0; i < entries; i++) {
      writer.append(work.entries().get(i));
    }
    if (work.safety() == Safety.SYNCED) {
      writer.sync();
    } else {
      writer.flush();
    }
    long bytes = writer.position() - startPosition;
    queue.done(work, work.safety());
    if (entries > 0) {
      listener.groupCommitted(entries, bytes, clock.nanoTime() - startNanos);
    }
  }

  private void endAndBeginFile() throws IOException {
    if (writer.isEmpty()) {
      return;
    }
    WalWriter old = writer;
    old.sync();
    writer = beginFile();
    checkNotFenced(old);
    old.finish();
    files.add(old.path(), old.highestSequences());
    listener.rolled(old.path(), old.position());
  }

  /** Creates the next file, with header and name on the device. */
  private WalWriter beginFile() throws IOException {
    fileNumber = Math.max(clock.currentTimeMillis(), fileNumber + 1);
    WalWriter next =
        WalWriter.create(
            storage,
            WalFileName.of(config.directory(), config.prefix(), fileNumber),
            buffer,
            config.compression(),
            config.safety());
    try {
      next.sync();
    } catch (IOException | RuntimeException | Error e) {
      next.abandon();
      throw e;
    }
    currentPath = next.path();
    return next;
  }

  /**
   * Makes sure that the log's directory was not taken away, which is what whoever declares this
   * server dead does first. Creating a file brings the directory back, so the old file is asked
   * for.
   */
  private void checkNotFenced(WalWriter old) throws IOException {
    if (!storage.exists(old.path())) {
      throw new IOException(
          "its directory was taken away: this server was declared dead and others recover its log");
    }
  }

  private void fail(Throwable cause) {
    WalFailedException failure = new WalFailedException(currentPath, cause);
    queue.fail(failure);
    try {
      writer.abandon();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
    listener.failed(failure);
  }
}
