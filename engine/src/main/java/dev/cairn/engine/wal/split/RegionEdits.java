package dev.cairn.engine.wal.split;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.file.SyncLevel;
import dev.cairn.engine.wal.file.WalBuffer;
import dev.cairn.engine.wal.file.WalCompression;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import dev.cairn.engine.wal.file.WalWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/**
 * Collects the entries that the logs of one dead server have for one region, and writes them to one
 * file among the region's recovered edits. The file is named by the highest sequence number in the
 * logs. Until it is complete, its name ends in {@code .temp} and holds a mark of its splitter.
 *
 * <p>Leaves out entries whose cells are in store files. If the last entry is left out, the file
 * ends with an entry that has its number and no cells. So the next owner of the region gives no
 * number of the logs to another change.
 *
 * <p>One thread appends the entries, in the order of the logs. {@link #write}, {@link #flush},
 * {@link #sync}, {@link #publish} and {@link #abandon} wait for the storage. They may run on other
 * threads, one at a time; each call must see the effects of the one before.
 */
final class RegionEdits {
  private final Storage storage;
  private final String region;
  private final String directory;
  private final String owner;
  private final Optional<String> scratch;
  private final FlushedSequences flushed;
  private final QueuedFile queue;
  private final WalWriter writer;

  /** The sequence numbers in the log files before the current one. */
  private final SequenceRanges known = new SequenceRanges();

  /** The sequence numbers in the current log file, without the newest range. */
  private SequenceRanges ofFile = new SequenceRanges();

  private long rangeFirst;
  private long rangeLast = -1;
  private long lowest = Long.MAX_VALUE;
  private long highest = Long.MIN_VALUE;
  private long count;

  /** The entry with the highest number that was left out, without its cells. */
  private Optional<WalEntry> lastFlushed = Optional.empty();

  private long flushedCount;

  // Owned by the thread that writes.
  private Optional<AppendFile> file = Optional.empty();
  private boolean begun;
  private boolean gone;

  /**
   * Creates an empty collection.
   *
   * @param region the region's directory
   * @param first the first entry, which is not appended yet
   * @param flushed the sequence numbers up to which store files hold the region's entries
   * @param server the name of the dead server, the same at each split of its logs
   * @param mark the mark of this splitter
   * @param scratch the directory of the unfinished file, which must exist; if empty, it lies beside
   *     the finished one
   * @param buffer used while a call runs; may be shared on one thread
   */
  RegionEdits(
      Storage storage,
      String region,
      WalEntry first,
      FlushedSequences flushed,
      String server,
      String mark,
      Optional<String> scratch,
      WalBuffer buffer)
      throws IOException {
    this.storage = storage;
    this.region = region;
    this.directory = Storage.join(region, RecoveredEdits.DIRECTORY);
    this.owner = "-" + server + "-";
    this.scratch = scratch;
    this.flushed = flushed;
    String name = owner + mark + RecoveredEdits.TEMPORARY_SUFFIX;
    this.queue =
        new QueuedFile(
            scratch.isPresent()
                ? Storage.join(scratch.get(), first.region() + name)
                : Storage.join(directory, RecoveredEdits.fileName(first.sequence()) + name));
    this.writer = WalWriter.begin(queue, buffer, WalCompression.NONE, SyncLevel.SYNCED);
  }

  /** Appends an entry, unless an earlier log file had it or store files hold it. */
  void append(WalEntry entry) throws IOException {
    long sequence = entry.sequence();
    if (known.contains(sequence)) {
      return;
    }
    if (flushed.cover(entry)) {
      flushedCount++;
      if (lastFlushed.isEmpty() || lastFlushed.get().sequence() < sequence) {
        lastFlushed = Optional.of(withoutCells(entry));
      }
      return;
    }
    if (sequence != rangeLast) {
      if (sequence != rangeLast + 1) {
        endRange();
        rangeFirst = sequence;
      }
      rangeLast = sequence;
    }
    lowest = Math.min(lowest, sequence);
    highest = Math.max(highest, sequence);
    count++;
    writer.append(entry);
    writer.handOver();
  }

  private static WalEntry withoutCells(WalEntry entry) {
    return new WalEntry(
        entry.region(), entry.table(), entry.sequence(), entry.writeTimeMillis(), new CellBuffer());
  }

  /** Begins another log file: the next entries come from it. */
  void nextFile() {
    endRange();
    known.addAll(ofFile);
    ofFile = new SequenceRanges();
  }

  private void endRange() {
    if (rangeLast >= rangeFirst) {
      ofFile.add(rangeFirst, rangeLast);
    }
    rangeFirst = 0;
    rangeLast = -1;
  }

  /** Ends the entries. */
  void end() throws IOException {
    if (lastFlushed.isPresent() && lastFlushed.get().sequence() > highest) {
      append(lastFlushed.get());
    }
    writer.end();
  }

  /** Returns the number of buffered bytes. */
  int queued() {
    return queue.size();
  }

  /** Removes and returns the buffered bytes, for {@link #write}. */
  QueuedFile.Piece take() {
    return queue.take();
  }

  /** Returns the number of entries left out because store files hold them. */
  long flushedCount() {
    return flushedCount;
  }

  /** Returns the number of appended entries. */
  long count() {
    return count;
  }

  /** Tells whether the region's directory was missing at the first {@link #write}. */
  boolean isGone() {
    return gone;
  }

  /** Writes to the unfinished file. */
  void write(QueuedFile.Piece piece) throws IOException {
    if (!begun) {
      begin();
      begun = true;
    }
    if (file.isPresent()) {
      file.get().write(piece.bytes(), 0, piece.length());
    }
  }

  /** Flushes the written bytes to the storage, so that they take no memory here. */
  void flush() throws IOException {
    if (file.isPresent()) {
      file.get().flush();
    }
  }

  /** Makes the written bytes durable. */
  void sync() throws IOException {
    if (file.isPresent()) {
      file.get().sync();
    }
  }

  private void begin() throws IOException {
    if (scratch.isPresent()) {
      beginInScratch();
      return;
    }
    if (!storage.exists(region)) {
      gone = true; // The region or its table was deleted, or the region was merged.
      return;
    }
    for (FileInfo left : storage.list(directory)) {
      // From an earlier split that was killed or whose master was replaced. Without the file, that
      // split fails.
      if (left.name().contains(owner) && left.name().endsWith(RecoveredEdits.TEMPORARY_SUFFIX)) {
        storage.delete(left.path());
      }
    }
    file = Optional.of(storage.create(queue.path()));
  }

  private void beginInScratch() throws IOException {
    if (!storage.exists(directory)) {
      try {
        storage.createDirectoryIn(directory);
      } catch (NoSuchFileException e) {
        gone = true;
        return;
      }
    }
    file = Optional.of(storage.createIn(queue.path()));
  }

  /** Completes the file and gives it its final name. */
  void publish() throws IOException {
    if (file.isEmpty()) {
      return;
    }
    sync();
    file.get().close();
    publish(Storage.join(directory, RecoveredEdits.fileName(highest)));
  }

  private void publish(String target) throws IOException {
    if (storage.exists(target)) {
      if (lowestOf(target) <= lowest) {
        // A split of the same logs, or of more of them, made the file.
        storage.delete(queue.path());
        return;
      }
      storage.replace(queue.path(), target);
    } else if (scratch.isEmpty()) {
      storage.replace(queue.path(), target);
    } else {
      publishFromScratch(target);
    }
  }

  /** Never creates directories: the region may have been deleted since. */
  private void publishFromScratch(String target) throws IOException {
    try {
      storage.moveIn(queue.path(), target);
    } catch (FileAlreadyExistsException e) {
      publish(target); // Another process that split the same part has published its file.
    }
  }

  private long lowestOf(String path) throws IOException {
    try (WalReader reader = WalReader.open(storage, path)) {
      if (!reader.next()) {
        // Keep it: the new file may have fewer entries.
        throw new CorruptWalException(
            path, reader.end().offset(), "expected an entry; the file " + reader.end());
      }
      return reader.entry().sequence();
    }
  }

  /** Closes and deletes the unfinished file. */
  void abandon() throws IOException {
    if (file.isPresent()) {
      file.get().close();
      storage.delete(queue.path());
    }
  }
}
