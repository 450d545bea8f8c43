package dev.cairn.engine.changes;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the committed changes of tables from the logs under a root directory, while servers run:
 * the logs that they write, those of servers that died, and archived ones. Returns each change
 * once, the changes of a row in the order in which they were made, across rolls, moves, splits,
 * merges and restarts. Writes nothing to the root directory.
 *
 * <p>Works in rounds. {@link #poll} reads what the logs have, and each round returns the changes
 * that an earlier round has read; so a change is returned by the second {@code poll} after it was
 * made. <i>Why:</i> when a region moves, the log of its new server may be read before the newest
 * entries of its old server. But these were written before, so the next reading finds them.
 *
 * <p>The logs do not have writes that skip the log, nor the removal of rows when a table is
 * truncated, dropped or restored. One thread.
 */
public final class ChangeReader implements Closeable {

  /** A folder among the temporary files of this machine. Closing it deletes it. */
  private record TemporaryScratch(Path folder, Storage storage) implements Closeable {
    /** Makes a folder, in {@code java.io.tmpdir}. */
    static TemporaryScratch make() throws IOException {
      Path folder = Files.createTempDirectory("cairn-changes");
      return new TemporaryScratch(folder, new LocalStorage(folder));
    }

    @Override
    public void close() throws IOException {
      for (Storage.FileInfo file : storage.list("")) {
        storage.delete(file.path());
      }
      storage.close();
      Files.deleteIfExists(folder);
    }
  }

  /** The most memory for changes that are read but not returned yet, bytes. */
  private static final long MEMORY_MAX = 64L << 20;

  private final Storage root;
  private final Set<TableName> tables;
  private final long fromMillis;
  private final HeldChanges held;
  private Optional<TemporaryScratch> owned = Optional.empty();
  private final LogTail tail;
  private final Map<String, Long> delivered = new HashMap<>();

  /** The point before the changes that are still held. */
  private LogTail.Progress returned;

  private LogTail.Progress returnedNext;
  private RoundMerge round = new RoundMerge();
  private boolean roundEnded = true;
  private Optional<Change> change = Optional.empty();

  private ChangeReader(Storage root, Clock clock, HeldChanges held, ChangePosition start) {
    this.root = root;
    this.tables = start.tables();
    this.held = held;
    this.returned = new LogTail.Progress(start.files(), start.listedMillis());
    this.returnedNext = returned;
    this.tail = new LogTail(root, clock, name -> true, returned);
    this.fromMillis = start.fromMillis();
    this.delivered.putAll(start.delivered());
  }

  /**
   * Opens the logs, with a folder for temporary files of its own.
   *
   * @param root the root directory with its logs; stays open
   * @throws IllegalArgumentException if {@code start} is a position of other tables
   * @throws ChangesLostException if logs with changes after {@code start} are deleted
   */
  public static ChangeReader open(Storage root, Set<TableName> tables, ChangeStart start)
      throws IOException {
    TemporaryScratch scratch = TemporaryScratch.make();
    try {
      ChangeReader reader = open(root, scratch.storage(), "held", tables, start, Clock.SYSTEM);
      reader.owned = Optional.of(scratch);
      return reader;
    } catch (IOException | RuntimeException e) {
      scratch.close();
      throw e;
    }
  }

  /**
   * Opens the logs.
   *
   * @param root the root directory with its logs; stays open
   * @param scratch where scratch files are written if many changes are read at once; the files may
   *     become as large as all changes in the logs. Stays open
   * @param scratchFile the prefix of the names of scratch files; no one else uses it in {@code
   *     scratch}
   * @throws IllegalArgumentException if {@code start} is a position of other tables
   * @throws ChangesLostException if logs with changes after {@code start} are deleted
   */
  public static ChangeReader open(
      Storage root,
      Storage scratch,
      String scratchFile,
      Set<TableName> tables,
      ChangeStart start,
      Clock clock)
      throws IOException {
    return open(root, scratch, scratchFile, MEMORY_MAX, tables, start, clock);
  }

  /** As the public method; {@code memoryMax} is the most memory for held changes, bytes. */
  static ChangeReader open(
      Storage root,
      Storage scratch,
      String scratchFile,
      long memoryMax,
      Set<TableName> tables,
      ChangeStart start,
      Clock clock)
      throws IOException {
    ChangePosition position = position(start, tables);
    if (!position.tables().equals(tables)) {
      throw new IllegalArgumentException(
          "The position is of the tables " + position.tables() + ", not of " + tables);
    }
    HeldChanges held = new HeldChanges(scratch, scratchFile, memoryMax);
    ChangeReader reader = new ChangeReader(root, clock, held, position);
    reader.begin(start);
    return reader;
  }

  private static ChangePosition position(ChangeStart start, Set<TableName> tables) {
    if (start instanceof ChangeStart.After after) {
      return after.position();
    }
    long from = start instanceof ChangeStart.At at ? at.millis() : Long.MIN_VALUE;
    return new ChangePosition(tables, Map.of(), Map.of(), from, Long.MIN_VALUE);
  }

  private void begin(ChangeStart start) throws IOException {
    if (start instanceof ChangeStart.After) {
      tail.checkNothingLost();
      return;
    }
    List<LogFile> files = tail.begin();
    if (start instanceof ChangeStart.At at) {
      requireLogsSince(at.millis(), files);
      for (LogFile file : files) {
        if (file.isArchived() && file.modifiedMillis() < at.millis() - LogTail.SKEW_MILLIS) {
          tail.skip(file.name());
        }
      }
    } else if (start instanceof ChangeStart.Now) {
      for (LogFile file : files) {
        if (file.isArchived()) {
          tail.skip(file.name());
        }
      }
      tail.read(files, this::skip);
    }
    returned = tail.progress();
    returnedNext = returned;
  }

  /**
   * Reads on, and begins the next round.
   *
   * @throws IllegalStateException if the present round is not at its end
   * @throws ChangesLostException if logs that were not read yet are deleted
   * @throws dev.cairn.engine.wal.file.CorruptWalException if a log is damaged
   */
  public void poll() throws IOException {
    if (!roundEnded) {
      throw new IllegalStateException("next() has not returned false yet");
    }
    Map<String, RegionStream.Place> complete = held.newest();
    LogTail.Progress before = tail.progress();
    tail.read(this::hold);
    held.endAdding();
    returnedNext = before;
    beginRound(complete);
  }

  /**
   * Moves to the next change of the round.
   *
   * @return false at the end of the round; then {@link #poll} begins another one
   */
  public boolean next() throws IOException {
    while (true) {
      Optional<WalEntry> next = round.next();
      if (next.isEmpty()) {
        endRound();
        return false;
      }
      WalEntry entry = next.get();
      if (!isDelivered(entry)) { // Several files may have it.
        delivered.put(entry.region(), entry.sequence());
        change = Optional.of(Change.of(entry));
        return true;
      }
    }
  }

  /**
   * Returns the change that the last {@link #next} moved to. It belongs to the caller.
   *
   * @throws IllegalStateException if there is none
   */
  public Change change() {
    return change.orElseThrow(() -> new IllegalStateException("next() has not found a change"));
  }

  /** Returns the position after the last change that {@link #next} moved to. */
  public ChangePosition position() {
    return new ChangePosition(
        tables, returned.files(), delivered, fromMillis, returned.listedMillis());
  }

  @Override
  public void close() throws IOException {
    held.close();
    if (owned.isPresent()) {
      owned.get().close();
    }
  }

  private void beginRound(Map<String, RegionStream.Place> complete) {
    round = new RoundMerge();
    complete.forEach(
        (region, last) -> round.add(held.stream(region), last, !delivered.containsKey(region)));
    round.begin();
    roundEnded = false;
    if (complete.isEmpty()) {
      endRound();
    }
  }

  private void endRound() {
    change = Optional.empty();
    held.endTaking();
    roundEnded = true;
    returned = returnedNext;
  }

  private void hold(WalEntry entry) throws IOException {
    if (isWanted(entry) && !isDelivered(entry)) {
      held.add(entry);
    }
  }

  private void skip(WalEntry entry) {
    if (isWanted(entry)) {
      delivered.merge(entry.region(), entry.sequence(), Math::max);
    }
  }

  private boolean isWanted(WalEntry entry) {
    return tables.contains(entry.table())
        && entry.writeTimeMillis() >= fromMillis
        && Change.isChange(entry);
  }

  private boolean isDelivered(WalEntry entry) {
    Long newest = delivered.get(entry.region());
    return newest != null && entry.sequence() <= newest;
  }

  private void requireLogsSince(long millis, List<LogFile> files) throws IOException {
    Set<String> present = LogTail.names(files);
    long newest = DeletedLogs.read(root).newestSince(millis, present::contains);
    if (newest != Long.MIN_VALUE) {
      throw new ChangesLostException(
          "the logs from "
              + Instant.ofEpochMilli(millis)
              + " on are not all there: the log cleaner has deleted some that were written until "
              + Instant.ofEpochMilli(newest)
              + ". Begin later, or with the oldest change that there is");
    }
  }
}
