package dev.cairn.engine.wal.split;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log files of a dead server, from the oldest to the newest, while they are being sealed.
 *
 * <p>Sealing a file that the server was writing may take seconds. Meanwhile, this class reads the
 * entries that the file already has. After the seal, it continues from there to the final length.
 * If the final length is less than the length that was read, it discards all entries and reads each
 * file again after its seal. So it takes no entries beyond the final length. It publishes nothing.
 */
final class SplitReading {
  private static final Logger LOG = LoggerFactory.getLogger(SplitReading.class);

  /** A closed file is sealed within this time, so reading it earlier gains nothing. */
  private static final long SEAL_PATIENCE_NANOS = Duration.ofMillis(50).toNanos();

  private final Storage source;
  private final Supplier<SplitOutputs> newOutputs;
  private final SplitThreads threads;
  private final CorruptWalPolicy damagedLogs;
  private final SplitTally tally;

  /**
   * The result of the reading.
   *
   * @param outputs the entries; not published
   * @param damaged the damaged files, which the policy tolerates
   */
  record Result(SplitOutputs outputs, Set<FileInfo> damaged) {}

  /** A sealed file is shorter than the part that was read before. */
  private static final class ShorterFileException extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Creates it.
   *
   * @param source the storage of the logs
   * @param newOutputs creates the outputs for the entries
   */
  SplitReading(
      Storage source,
      Supplier<SplitOutputs> newOutputs,
      SplitThreads threads,
      CorruptWalPolicy damagedLogs,
      SplitTally tally) {
    this.source = source;
    this.newOutputs = newOutputs;
    this.threads = threads;
    this.damagedLogs = damagedLogs;
    this.tally = tally;
  }

  /**
   * Reads files.
   *
   * @param files the oldest first
   * @param seals complete with the final length of each file
   * @throws IOException if a file could not be sealed or read; then the outputs are abandoned
   */
  Result read(List<FileInfo> files, Map<FileInfo, CompletableFuture<Long>> seals)
      throws IOException {
    try {
      return read(files, seals, true);
    } catch (ShorterFileException e) {
      try {
        return read(files, seals, false);
      } catch (ShorterFileException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  private Result read(
      List<FileInfo> files, Map<FileInfo, CompletableFuture<Long>> seals, boolean early)
      throws IOException, ShorterFileException {
    Result result = new Result(newOutputs.get(), new HashSet<>());
    boolean complete = false;
    try {
      for (int i = 0; i < files.size(); i++) {
        FileInfo file = files.get(i);
        CompletableFuture<Long> seal = seals.get(file);
        long position = early && !isSealedSoon(seal) ? readEarly(file, seal, result.outputs()) : 0;
        long length = threads.await(seal);
        if (position > length) {
          LOG.info("{} ends at {}, and was read to {}: reading again", file, length, position);
          throw new ShorterFileException();
        }
        read(file, position, i + 1 < files.size(), result);
        result.outputs().nextFile();
      }
      complete = true;
      return result;
    } finally {
      if (!complete) {
        result.outputs().abandon();
      }
    }
  }

  private boolean isSealedSoon(CompletableFuture<Long> seal) throws IOException {
    try {
      return threads.clock().await(seal, SEAL_PATIENCE_NANOS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while a log is sealed", e);
    }
  }

  /** Reads a file until it is sealed. Returns the position that the reading reached. */
  private long readEarly(FileInfo file, CompletableFuture<Long> seal, SplitOutputs outputs)
      throws IOException {
    EarlyReading reading = EarlyReading.begin(source, file.path(), outputs, threads);
    try {
      threads.await(seal);
    } finally {
      reading.stop();
    }
    return reading.stop();
  }

  /** Reads a sealed file from {@code position} to its end. */
  private void read(FileInfo file, long position, boolean superseded, Result result)
      throws IOException, ShorterFileException {
    try (WalReader reader = WalReader.openFinal(source, file.path(), superseded)) {
      if (position > 0 && !reader.resume(position)) {
        throw new ShorterFileException();
      }
      while (reader.next()) {
        result.outputs().append(reader.entry());
      }
      if (reader.end().isTorn()) {
        tally.torn(file.path() + " " + reader.end());
      }
    } catch (CorruptWalException e) {
      if (damagedLogs == CorruptWalPolicy.REFUSED) {
        throw e;
      }
      LOG.error(
          "The entries after the damage in {} are not recovered: {}", file.path(), e.getMessage());
      tally.damaged(e.getMessage());
      result.damaged().add(file);
    }
  }
}
