package dev.cairn.engine.wal.split;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The edits that {@link LogSplitter} left for one region: files in the form of a log, each named by
 * the highest sequence number in it. A region that opens replays them, flushes, and deletes them.
 *
 * <p>Beside them may lie a mark, as HBase leaves it when a region opens or closes: an empty file
 * named by a sequence number and {@code .seqid}. Up to that number everything had been flushed
 * then, and the region's numbers go on from there, even if the store file that had the highest one
 * is gone with its family. (HBase before 2.0 wrote {@code _seqid}.)
 */
public final class RecoveredEdits {
  /** The directory inside a region's. */
  static final String DIRECTORY = "recovered.edits";

  /** The suffix of unfinished files. */
  static final String TEMPORARY_SUFFIX = ".temp";

  private static final Pattern FILE_NAME = Pattern.compile("-?0*[0-9]{1,18}");
  private static final String MARK_SUFFIX = ".seqid";
  private static final Pattern MARK_NAME = Pattern.compile("0*[0-9]{1,18}[._]seqid");

  private final Storage storage;
  private final String directory;

  /** Takes an entry that is replayed. */
  @FunctionalInterface
  public interface Replay {
    /** Takes one entry, which then belongs to the callee. */
    void replay(WalEntry entry) throws IOException;
  }

  /** Creates the view of the edits in {@code regionDirectory}. */
  public RecoveredEdits(Storage storage, String regionDirectory) {
    this.storage = storage;
    this.directory = Storage.join(regionDirectory, DIRECTORY);
  }

  /** Returns the name of a file whose highest sequence number is {@code sequence}. */
  static String fileName(long sequence) {
    return "%019d".formatted(sequence);
  }

  /**
   * The contents of the directory at one moment.
   *
   * @param files the finished files, by ascending sequence number
   * @param unfinished files that a split has not finished
   * @param marks the marks
   */
  public record Present(List<FileInfo> files, List<FileInfo> unfinished, List<FileInfo> marks) {
    /** Returns all files with edits, finished or not. */
    public List<FileInfo> all() {
      List<FileInfo> all = new ArrayList<>(files);
      all.addAll(unfinished);
      return all;
    }

    /** Returns the highest sequence number in the finished files, 0 if there are none. */
    public long highestSequence() {
      return files.stream().mapToLong(RecoveredEdits::highestSequence).max().orElse(0);
    }

    /** Returns the number of the newest mark, 0 if there is none. */
    public long flushedSequence() {
      return marks.stream().mapToLong(RecoveredEdits::markedSequence).max().orElse(0);
    }
  }

  /** Returns the current contents of the directory. */
  public Present present() throws IOException {
    List<FileInfo> files = new ArrayList<>();
    List<FileInfo> unfinished = new ArrayList<>();
    List<FileInfo> marks = new ArrayList<>();
    for (FileInfo file : storage.list(directory)) {
      if (file.name().endsWith(TEMPORARY_SUFFIX)) {
        unfinished.add(file);
      } else if (!file.directory() && FILE_NAME.matcher(file.name()).matches()) {
        files.add(file);
      } else if (!file.directory() && MARK_NAME.matcher(file.name()).matches()) {
        marks.add(file);
      }
    }
    files.sort(Comparator.comparingLong(RecoveredEdits::highestSequence));
    return new Present(files, unfinished, marks);
  }

  /** Returns the finished files, by ascending sequence number. */
  public List<FileInfo> files() throws IOException {
    return present().files();
  }

  /** Returns the highest sequence number in the files, 0 if there are none. */
  public long highestSequence() throws IOException {
    return present().highestSequence();
  }

  /**
   * Returns when the newest mark was written, milliseconds since 1970; {@link Long#MIN_VALUE} if
   * there is no mark. HBase writes a mark at each opening.
   */
  public long markedMillis() throws IOException {
    return present().marks().stream()
        .mapToLong(FileInfo::modifiedMillis)
        .max()
        .orElse(Long.MIN_VALUE);
  }

  /** Returns the number of the newest mark, 0 if there is none. */
  public long flushedSequence() throws IOException {
    return present().flushedSequence();
  }

  /**
   * Makes the directory, so that the first mark takes less time.
   *
   * @throws NoSuchFileException if the region's directory does not exist
   */
  public void createDirectory() throws IOException {
    storage.createDirectoryIn(directory);
  }

  /**
   * Creates a mark: everything up to {@code sequence} is in store files. Returns once the mark is
   * durable, and deletes older marks.
   *
   * @throws NoSuchFileException if the region's directory does not exist
   */
  public void markFlushed(long sequence) throws IOException {
    List<FileInfo> marks = present().marks();
    if (marks.stream().noneMatch(mark -> markedSequence(mark) >= sequence)) {
      createMark(Storage.join(directory, sequence + MARK_SUFFIX));
      for (FileInfo older : marks) {
        storage.delete(older.path());
      }
    }
  }

  private void createMark(String path) throws IOException {
    try (AppendFile mark = create(path)) {
      mark.sync();
    } catch (IOException e) {
      try {
        storage.delete(path); // the next attempt would take it for durable
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private AppendFile create(String path) throws IOException {
    try {
      return storage.createIn(path);
    } catch (NoSuchFileException e) {
      createDirectory();
      return storage.createIn(path);
    }
  }

  /**
   * Hands over all entries with a sequence number above {@code afterSequence}, in ascending order
   * where the log has them in order. Skips entries that an earlier file held: after a failure, a
   * log repeats the entries that were not durable.
   *
   * @return the number of entries handed over
   * @throws CorruptWalException if a file is damaged or incomplete; it was complete when it got its
   *     name
   */
  public long replay(long afterSequence, Replay replay) throws IOException {
    long count = 0;
    SequenceRanges known = new SequenceRanges();
    for (FileInfo file : inOrderOfReplay(afterSequence)) {
      SequenceRanges ofFile = new SequenceRanges();
      try (WalReader reader = WalReader.open(storage, file.path())) {
        while (reader.next()) {
          long sequence = reader.entry().sequence();
          if (sequence > afterSequence && !known.contains(sequence)) {
            replay.replay(reader.entry());
            ofFile.add(sequence);
            count++;
          }
        }
        if (reader.end().isTorn()) {
          throw new CorruptWalException(
              file.path(), reader.end().offset(), "expected a complete file; it " + reader.end());
        }
      }
      known.addAll(ofFile);
    }
    return count;
  }

  /**
   * Returns the files that hold entries newer than {@code afterSequence}, by ascending first
   * sequence number. Names give the highest number, whose order is not enough: a failed file holds
   * earlier entries besides the repeated ones, but if its successor was cut short, the successor
   * has the lower highest number.
   */
  private List<FileInfo> inOrderOfReplay(long afterSequence) throws IOException {
    List<FileInfo> newer = new ArrayList<>(files());
    newer.removeIf(file -> highestSequence(file) <= afterSequence);
    if (newer.size() < 2) {
      return newer;
    }
    Map<FileInfo, Long> first = new HashMap<>();
    for (FileInfo file : newer) {
      try (WalReader reader = WalReader.open(storage, file.path())) {
        first.put(file, reader.next() ? reader.entry().sequence() : Long.MAX_VALUE);
      }
    }
    return first.keySet().stream()
        .sorted(
            Comparator.<FileInfo>comparingLong(first::get)
                .thenComparingLong(RecoveredEdits::highestSequence))
        .toList();
  }

  /** Returns all files, including those that a split has not finished. */
  public List<FileInfo> all() throws IOException {
    return present().all();
  }

  /**
   * Deletes files once store files hold all their edits. Deletes no file that was not listed before
   * the replay: the region may belong to another owner by now, and a later split may have left
   * files for that owner.
   *
   * @param replayed the result of an earlier {@link #all}
   */
  public void delete(List<FileInfo> replayed) throws IOException {
    for (FileInfo file : replayed) {
      storage.delete(file.path());
    }
  }

  private static long markedSequence(FileInfo mark) {
    String name = mark.name();
    return Long.parseLong(name.substring(0, name.length() - MARK_SUFFIX.length()));
  }

  private static long highestSequence(FileInfo file) {
    return Math.abs(Long.parseLong(file.name()));
  }
}
