package dev.cairn.engine.wal;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.wal.Wal.SyncLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorts the log of a dead server by region, so that each region can be opened elsewhere with what
 * its store files do not hold yet.
 *
 * <p>First the log's directory is renamed to {@code …-splitting}: from then on the old server,
 * should it still live, can begin no new file and notices. Then, file by file from the oldest: each
 * region's entries go to a file under {@code recovered.edits} of the region's directory, named as
 * HBase does, first with the suffix {@code .temp} and when it is complete under the highest
 * sequence number in it; then the log file moves to the archive. At last the directory goes. Files
 * of any provider of HBase's are taken: one or several groups of regions, and those of {@code
 * hbase:meta} apart.
 *
 * <p>Two files that follow each other may hold the same entries, where the first one failed and the
 * log went on in the second (see {@link Wal}). Then what comes of both may bear the same name: the
 * one that begins earlier holds all of the other, and stays.
 *
 * <p>Every step can be done again: after a crash a new split goes on with the files that are left,
 * and what it writes for them is the same as before, under the same names. Stateless; one split of
 * a directory at a time, else any number of threads.
 */
public final class LogSplitter {
  /** What the name of a directory ends in while its log is split. */
  public static final String SPLITTING_SUFFIX = "-splitting";

  private static final Logger LOG = LoggerFactory.getLogger(LogSplitter.class);

  private final Storage storage;
  private final String dataDirectory;
  private final String archiveDirectory;
  private final String corruptDirectory;
  private final CorruptWalPolicy damagedLogs;

  /**
   * Creates a splitter that stops at damaged files.
   *
   * @param dataDirectory where the regions lie, as {@code namespace/table/region} below it; such as
   *     {@code data}
   * @param archiveDirectory where log files go afterwards, such as {@code oldWALs}
   */
  public LogSplitter(Storage storage, String dataDirectory, String archiveDirectory) {
    this(storage, dataDirectory, archiveDirectory, "corrupt", CorruptWalPolicy.REFUSED);
  }

  /**
   * Creates a splitter.
   *
   * @param dataDirectory where the regions lie, as {@code namespace/table/region} below it; such as
   *     {@code data}
   * @param archiveDirectory where log files go afterwards, such as {@code oldWALs}
   * @param corruptDirectory where damaged ones go, under the same name; {@code corrupt} in HBase
   * @param damagedLogs whether they do
   */
  public LogSplitter(
      Storage storage,
      String dataDirectory,
      String archiveDirectory,
      String corruptDirectory,
      CorruptWalPolicy damagedLogs) {
    this.storage = storage;
    this.dataDirectory = dataDirectory;
    this.archiveDirectory = archiveDirectory;
    this.corruptDirectory = corruptDirectory;
    this.damagedLogs = damagedLogs;
  }

  /**
   * Splits the log in {@code directory}, whether or not that already has the suffix; one that does
   * not exist has been split already.
   *
   * @throws CorruptWalException if a file is damaged and that is not to be put up with; it and
   *     those after it stay where they are
   * @throws IOException also if a file is in a form that is not supported; it stays, too
   */
  public SplitSummary split(String directory) throws IOException {
    String splitting = fence(directory);
    List<FileInfo> files = logs(storage, splitting);
    Tally tally = new Tally();
    for (int i = 0; i < files.size(); i++) {
      FileInfo file = files.get(i);
      boolean whole = splitFile(storage, file.path(), i + 1 < files.size(), tally);
      storage.rename(
          file.path(), Storage.join(whole ? archiveDirectory : corruptDirectory, file.name()));
    }
    storage.delete(splitting);
    return tally.summary(splitting, files.size());
  }

  /**
   * Sorts the logs in a directory of another storage, and leaves that storage as it is. Only
   * regions that have a directory in this splitter's storage get their entries.
   *
   * @param source the storage of the logs
   * @param directory the directory of a server's logs in it
   * @throws CorruptWalException as {@link #split}
   * @throws IOException as {@link #split}
   */
  public SplitSummary splitFrom(Storage source, String directory) throws IOException {
    List<FileInfo> files = logs(source, directory);
    Tally tally = new Tally();
    for (int i = 0; i < files.size(); i++) {
      splitFile(source, files.get(i).path(), i + 1 < files.size(), tally);
    }
    return tally.summary(directory, files.size());
  }

  /** Returns the log files in {@code directory}, the oldest first. */
  private static List<FileInfo> logs(Storage source, String directory) throws IOException {
    List<FileInfo> files = new ArrayList<>(source.list(directory));
    files.removeIf(file -> WalFileName.isSideFile(file.name()));
    files.sort(WalFileName.ORDER);
    return files;
  }

  private String fence(String directory) throws IOException {
    if (directory.endsWith(SPLITTING_SUFFIX)) {
      return directory;
    }
    String splitting = directory + SPLITTING_SUFFIX;
    if (storage.exists(directory)) {
      if (!storage.exists(splitting)) {
        storage.rename(directory, splitting);
      } else {
        // The old server began another file after an earlier split had taken the directory.
        for (FileInfo file : storage.list(directory)) {
          storage.rename(file.path(), Storage.join(splitting, file.name()));
        }
        storage.delete(directory);
      }
    }
    return splitting;
  }

  /** Returns false if the file turned out to be damaged, which is put up with. */
  private boolean splitFile(Storage source, String path, boolean superseded, Tally tally)
      throws IOException {
    Map<String, RegionOutput> outputs = new HashMap<>();
    try {
      boolean whole = sort(source, path, superseded, outputs, tally);
      for (RegionOutput output : outputs.values()) {
        output.publish(storage);
      }
      return whole;
    } catch (IOException | RuntimeException | Error e) {
      abandon(outputs, e);
      throw e;
    }
  }

  private boolean sort(
      Storage source,
      String path,
      boolean superseded,
      Map<String, RegionOutput> outputs,
      Tally tally)
      throws IOException {
    try (WalReader reader = WalReader.open(source, path, superseded)) {
      WalBuffer buffer = new WalBuffer();
      while (reader.next()) {
        WalEntry entry = reader.entry();
        RegionOutput output = outputs.get(entry.region());
        if (output == null) {
          output = begin(entry, Storage.name(path), buffer);
          outputs.put(entry.region(), output);
        }
        if (output.append(entry)) {
          tally.entries++;
          tally.regions.add(entry.region());
        } else {
          tally.entriesSkipped++;
        }
      }
      if (reader.end().isTorn()) {
        tally.tornFiles.add(path + " " + reader.end());
      }
      return true;
    } catch (CorruptWalException e) {
      if (damagedLogs == CorruptWalPolicy.REFUSED) {
        throw e;
      }
      LOG.error(
          "The entries after the damage in {} are not recovered; a recovery moves the file to {}",
          path,
          corruptDirectory,
          e);
      tally.damagedFiles.add(e.getMessage());
      return false;
    }
  }

  private static void abandon(Map<String, RegionOutput> outputs, Throwable cause) {
    for (RegionOutput output : outputs.values()) {
      try {
        output.abandon();
      } catch (IOException e) {
        cause.addSuppressed(e);
      }
    }
  }

  private RegionOutput begin(WalEntry first, String logName, WalBuffer buffer) throws IOException {
    String region =
        Storage.join(
            dataDirectory,
            first.table().namespace() + "/" + first.table().qualifier() + "/" + first.region());
    if (!storage.exists(region)) {
      return new SkippedRegion();
    }
    String directory = Storage.join(region, RecoveredEdits.DIRECTORY);
    String temporary =
        Storage.join(
            directory,
            RecoveredEdits.fileName(first.sequence())
                + "-"
                + logName
                + RecoveredEdits.TEMPORARY_SUFFIX);
    storage.delete(temporary);
    return new WrittenRegion(
        directory,
        WalWriter.create(storage, temporary, buffer, WalCompression.NONE, SyncLevel.SYNCED));
  }

  /** What is counted over all files. */
  private static final class Tally {
    long entries;
    long entriesSkipped;
    final Set<String> regions = new HashSet<>();
    final List<String> tornFiles = new ArrayList<>();
    final List<String> damagedFiles = new ArrayList<>();

    SplitSummary summary(String directory, int files) {
      return new SplitSummary(
          directory, files, entries, regions.size(), entriesSkipped, tornFiles, damagedFiles);
    }
  }

  /** Where the entries of one region in one log file go. */
  private sealed interface RegionOutput {
    /** Returns false if the entry is not wanted. */
    boolean append(WalEntry entry) throws IOException;

    void publish(Storage storage) throws IOException;

    void abandon() throws IOException;
  }

  /** The region's directory is gone: it was deleted, merged away, or its table was. */
  private static final class SkippedRegion implements RegionOutput {
    @Override
    public boolean append(WalEntry entry) {
      return false;
    }

    @Override
    public void publish(Storage storage) {}

    @Override
    public void abandon() {}
  }

  /** The entries go to a file. */
  private static final class WrittenRegion implements RegionOutput {
    private final String directory;
    private final WalWriter writer;
    private long lowest = Long.MAX_VALUE;
    private long highest = Long.MIN_VALUE;

    WrittenRegion(String directory, WalWriter writer) {
      this.directory = directory;
      this.writer = writer;
    }

    @Override
    public boolean append(WalEntry entry) throws IOException {
      lowest = Math.min(lowest, entry.sequence());
      highest = Math.max(highest, entry.sequence());
      writer.append(entry);
      writer.handOver();
      return true;
    }

    @Override
    public void publish(Storage storage) throws IOException {
      writer.seal();
      String target = Storage.join(directory, RecoveredEdits.fileName(highest));
      if (storage.exists(target) && lowestOf(storage, target) < lowest) {
        // A log file failed, and its successor began with entries that it holds as well.
        storage.delete(writer.path());
      } else {
        storage.replace(writer.path(), target);
      }
    }

    private static long lowestOf(Storage storage, String path) throws IOException {
      try (WalReader reader = WalReader.open(storage, path)) {
        if (!reader.next()) {
          // Not to be replaced by what may hold less.
          throw new CorruptWalException(
              path, reader.end().offset(), "expected an entry; the file " + reader.end());
        }
        return reader.entry().sequence();
      }
    }

    @Override
    public void abandon() throws IOException {
      writer.abandon();
    }
  }
}
