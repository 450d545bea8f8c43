package dev.cairn.engine.changes;

import dev.cairn.engine.changes.ChangePosition.FilePosition;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Follows the logs of region servers, live and archived: passes on each entry that is durable and
 * was not passed on before. All readers of logs that servers still write stand on it. The logs of
 * {@code hbase:meta} are left out.
 *
 * <p>The entries of a file come in their order. Entries of different files come in any order, and
 * two files may have the same entry; its region and sequence number identify it. On a local disk,
 * an entry that was passed on survives a power cut; on HDFS, it survives as far as {@code hflush}
 * goes.
 *
 * <p>Writes nothing. For one thread.
 */
public final class LogTail {
  /** The greatest difference between the clocks of servers, file system and reader. */
  static final long SKEW_MILLIS = Duration.ofMinutes(1).toMillis();

  private final Storage root;
  private final Clock clock;
  private final Predicate<String> wanted;
  private final Map<String, FilePosition> positions;
  private long listedMillis;

  /** The time since which each finished file is absent. */
  private final Map<String, Long> absentSince = new HashMap<>();

  /**
   * The point to which a tail has come.
   *
   * @param files the position in each file, by name; the others are read from their beginning
   * @param listedMillis the time at which the files were listed, milliseconds since 1970; {@link
   *     Long#MIN_VALUE} if they never were
   */
  public record Progress(Map<String, FilePosition> files, long listedMillis) {
    /** The point before all entries that there are. */
    public static final Progress NONE = new Progress(Map.of(), Long.MIN_VALUE);

    /** Takes a copy. */
    public Progress {
      files = Map.copyOf(files);
    }
  }

  /**
   * Creates a tail.
   *
   * @param root the root directory with its logs; stays open
   * @param wanted chooses log files by their names
   * @param from the point at which it continues
   */
  public LogTail(Storage root, Clock clock, Predicate<String> wanted, Progress from) {
    this.root = root;
    this.clock = clock;
    this.wanted = wanted;
    this.positions = new HashMap<>(from.files());
    this.listedMillis = from.listedMillis();
  }

  /** Receives entries. */
  @FunctionalInterface
  public interface Receiver {
    /** Takes an entry, which belongs to the callee. */
    void take(WalEntry entry) throws IOException;
  }

  /**
   * Passes on all durable entries after the {@link #progress}, and moves it. After an error of the
   * receiver, the next call begins with the entry that it did not take.
   *
   * @throws ChangesLostException if a file was deleted that was not read to its end, even if it was
   *     created after the last call
   * @throws CorruptWalException if a log is damaged
   */
  public void read(Receiver receiver) throws IOException {
    long now = clock.currentTimeMillis();
    List<LogFile> files = isNew() ? begin() : list();
    checkNothingLost(files);
    read(files, receiver);
    listedMillis = now;
  }

  /** Returns the point to which this tail has come. */
  public Progress progress() {
    return new Progress(positions, listedMillis);
  }

  private boolean isNew() {
    return listedMillis == Long.MIN_VALUE;
  }

  /**
   * Begins with the files that there are: returns them, and passes over those that were deleted
   * before.
   */
  List<LogFile> begin() throws IOException {
    long now = clock.currentTimeMillis();
    List<LogFile> files = list();
    Set<String> present = names(files);
    // Read after the list: a file is recorded before it is deleted.
    DeletedLogs.read(root).names().stream()
        .filter(name -> wanted.test(name) && !present.contains(name))
        .forEach(this::skip);
    listedMillis = now;
    return files;
  }

  /** Lists the files that are wanted. */
  private List<LogFile> list() throws IOException {
    return LogFile.list(root).stream().filter(file -> wanted.test(file.name())).toList();
  }

  static Set<String> names(List<LogFile> files) {
    Set<String> names = new HashSet<>();
    files.forEach(file -> names.add(file.name()));
    return names;
  }

  /** Passes over a file as if it had been read to its end. */
  void skip(String name) {
    positions.put(name, FilePosition.UNNEEDED);
  }

  /**
   * Checks that all files exist that were not read to their ends.
   *
   * @throws ChangesLostException if one was deleted
   */
  void checkNothingLost() throws IOException {
    checkNothingLost(list());
  }

  private void checkNothingLost(List<LogFile> files) throws IOException {
    Set<String> present = names(files);
    for (Map.Entry<String, FilePosition> file : positions.entrySet()) {
      if (!file.getValue().isDone() && !present.contains(file.getKey())) {
        throw lost(file.getKey());
      }
    }
    if (isNew()) {
      return;
    }
    long newest =
        DeletedLogs.read(root)
            .newestSince(
                listedMillis - SKEW_MILLIS,
                name ->
                    present.contains(name) || positions.containsKey(name) || !wanted.test(name));
    if (newest != Long.MIN_VALUE) {
      throw new ChangesLostException(
          "logs are deleted that were written until "
              + Instant.ofEpochMilli(newest)
              + " and were not read: changes since "
              + Instant.ofEpochMilli(listedMillis)
              + " are lost to this stream");
    }
  }

  /** As {@link #read(Receiver)}, of files that were listed. */
  void read(List<LogFile> listed, Receiver receiver) throws IOException {
    Set<String> names = new HashSet<>();
    List<LogFile> files = listed;
    while (true) {
      List<String> moved = new ArrayList<>();
      for (LogFile file : files) {
        if (!names.add(file.name())) {
          continue;
        }
        FilePosition from = positions.getOrDefault(file.name(), FilePosition.BEGIN);
        if (!read(file, from, receiver)) {
          names.remove(file.name());
          moved.add(file.name());
        }
      }
      if (moved.isEmpty()) {
        forget(files);
        return;
      }
      files = list();
      Set<String> present = names(files);
      for (String name : moved) {
        if (!present.contains(name)) {
          throw lost(name);
        }
      }
    }
  }

  /** Reads on in a file; false if the file is not at its path any more. */
  private boolean read(LogFile file, FilePosition from, Receiver receiver) throws IOException {
    if (from.isDone()) {
      return true;
    }
    WalReader opened;
    try {
      opened = open(file);
    } catch (NoSuchFileException e) {
      return false;
    }
    try (WalReader reader = opened) {
      if (!reader.seek(from.offset())) {
        throw new CorruptWalException(
            file.path(), from.offset(), "expected an entry, found the end of the file");
      }
      long taken = from.offset();
      try {
        while (reader.next()) {
          receiver.take(reader.entry());
          taken = reader.position();
        }
        taken = reader.position();
      } finally {
        positions.put(file.name(), new FilePosition(taken, false));
      }
      positions.put(file.name(), new FilePosition(taken, file.isArchived()));
      return true;
    }
  }

  private WalReader open(LogFile file) throws IOException {
    if (file.isArchived()) {
      return WalReader.openFinal(root, file.path(), file.isSuperseded());
    }
    while (true) {
      WalReader reader = WalReader.openGrowing(root, file.path());
      boolean durable = false;
      try {
        root.syncContent(file.path());
        // Waits for a seal that is under way. So all entries that the reader sees survive a power
        // cut and lie within the file's final length.
        durable = lengthNow(file) >= reader.info().length();
      } finally {
        if (!durable) {
          reader.close();
        }
      }
      if (durable) {
        return reader;
      }
    }
  }

  private long lengthNow(LogFile file) throws IOException {
    try (ReadableFile again = root.open(file.path())) {
      return again.length();
    }
  }

  /** Forgets finished files that were deleted a while ago. */
  private void forget(List<LogFile> files) {
    long now = clock.currentTimeMillis();
    Set<String> present = names(files);
    absentSince.keySet().removeAll(present);
    for (Map.Entry<String, FilePosition> file : positions.entrySet()) {
      if (file.getValue().isDone() && !present.contains(file.getKey())) {
        absentSince.putIfAbsent(file.getKey(), now);
      }
    }
    for (String name : List.copyOf(absentSince.keySet())) {
      if (now - absentSince.get(name) > 2 * SKEW_MILLIS) {
        absentSince.remove(name);
        positions.remove(name);
      }
    }
  }

  private static ChangesLostException lost(String name) {
    return new ChangesLostException(
        "the log "
            + name
            + " was not read to its end and is neither in WALs nor in oldWALs: its changes are lost"
            + " to this stream");
  }
}
