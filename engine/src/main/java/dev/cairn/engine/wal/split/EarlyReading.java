package dev.cairn.engine.wal.split;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a log file while it is being sealed. Uses a separate thread, because the seal may block
 * reads. The thread that waits for the seal takes over with {@link #stop}.
 */
final class EarlyReading {
  private static final Logger LOG = LoggerFactory.getLogger(EarlyReading.class);

  private final Storage source;
  private final String path;
  private final SplitOutputs outputs;
  private final SplitThreads threads;
  private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.READING);
  private final CompletableFuture<Void> ended;
  private volatile boolean stopping;
  private volatile long position;

  private enum Turn {
    /** The reading thread reads the file. {@link EarlyReading#stop} need not wait for it. */
    READING,
    /** The reading thread uses the outputs. */
    APPENDING,
    /** The reading thread must not use the outputs any more. */
    STOPPED
  }

  private EarlyReading(Storage source, String path, SplitOutputs outputs, SplitThreads threads) {
    this.source = source;
    this.path = path;
    this.outputs = outputs;
    this.threads = threads;
    this.ended = CompletableFuture.runAsync(SplitThreads.task(this::read), threads.threads());
  }

  /** Begins to read; the outputs belong to the reading thread until {@link #stop} returns. */
  static EarlyReading begin(
      Storage source, String path, SplitOutputs outputs, SplitThreads threads) {
    return new EarlyReading(source, path, outputs, threads);
  }

  /**
   * Ends the reading without waiting for the file. Returns the position of the first entry that the
   * outputs do not have; 0 if they have none. May be called again.
   *
   * @throws IOException if the outputs have failed
   */
  long stop() throws IOException {
    stopping = true;
    if (turn.get() != Turn.STOPPED && !turn.compareAndSet(Turn.READING, Turn.STOPPED)) {
      threads.await(ended);
    }
    return position;
  }

  private void read() throws IOException {
    try (WalReader reader = WalReader.openGrowing(source, path)) {
      while (!stopping && reader.isResumable() && reader.next()) {
        if (!append(reader)) {
          return;
        }
      }
    } catch (OutputException e) {
      throw e.cause;
    } catch (IOException e) {
      LOG.info("Reading goes on once the file is sealed: {}", e.getMessage());
    }
    if (turn.compareAndSet(Turn.READING, Turn.APPENDING)) {
      outputs.syncAll();
      turn.set(Turn.READING);
    }
  }

  private boolean append(WalReader reader) throws OutputException {
    if (!turn.compareAndSet(Turn.READING, Turn.APPENDING)) {
      return false;
    }
    try {
      outputs.append(reader.entry());
    } catch (IOException e) {
      throw new OutputException(e); // The turn stays, so that stop() sees the failure.
    }
    position = reader.position();
    turn.set(Turn.READING);
    return true;
  }

  /** The outputs have failed, not the file. */
  private static final class OutputException extends IOException {
    private static final long serialVersionUID = 1L;

    private final IOException cause;

    OutputException(IOException cause) {
      super(cause);
      this.cause = cause;
    }
  }
}
