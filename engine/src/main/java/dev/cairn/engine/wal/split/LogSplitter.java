package dev.cairn.engine.wal.split;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.file.WalFileName;
import dev.cairn.engine.wal.split.SplitOutputs.SplitScope;
import dev.cairn.engine.wal.split.SplitProgress.LogKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Sorts the log of a dead server by region, so that each region can be opened elsewhere with what
 * its store files do not hold yet.
 *
 * <ol>
 *   <li>The log's directory is renamed to {@code …-splitting}: from then on the old server, if it
 *       still lives, cannot create a file.
 *   <li>All files are sealed ({@link Storage#seal}): from then on the old server cannot acknowledge
 *       a write, and all writes that it has acknowledged are within the sealed lengths. A seal may
 *       take seconds. {@link SplitReading} reads the files meanwhile.
 *   <li>The entries of a region, except those {@linkplain FlushedEdits known} to be in store files,
 *       go to one file under {@code recovered.edits} of the region's directory ({@link
 *       RegionEdits}). The file gets its final name, as in HBase, after all log files are sealed
 *       and read.
 *   <li>The log files move to the archive, oldest first, and the directory is deleted.
 * </ol>
 *
 * <p>Accepts the files of all log providers of HBase, with one or several groups of regions. Splits
 * the files of {@code hbase:meta} separately, at the same time as the others.
 *
 * <p>Every step can be repeated. After a crash, a new split continues with the remaining log files,
 * which are the newest ones. Its files have the same names as those of the earlier split, and the
 * same entries or only the last of them; then the earlier file stays. So two concurrent splits of a
 * directory do no harm: the later one misses files and fails.
 *
 * <p>Several processes can split one log: each calls {@link #splitShare} for other regions, and one
 * of them takes the log over before ({@link #takeOver}) and archives its files afterwards ({@link
 * #archive}, {@link #remove}). Stateless; any number of threads.
 */
public final class LogSplitter {
  /** The suffix of a directory whose log is being split. */
  public static final String SPLITTING_SUFFIX = "-splitting";

  /** The most bytes of entries that wait in memory to be written, unless a caller wants fewer. */
  static final long WAITING_BYTES_MAX = 32L << 20;

  /** The number of region files written at a time. Writing them is mostly waiting. */
  private static final int WRITERS_MAX = 16;

  /** The number of log files sealed at a time. */
  private static final int SEALS_MAX = 64;

  private final Storage storage;
  private final String dataDirectory;
  private final String archiveDirectory;
  private final String corruptDirectory;
  private final CorruptWalPolicy damagedLogs;
  private final SplitThreads threads;

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
    this(
        storage, dataDirectory, archiveDirectory, corruptDirectory, damagedLogs, SplitThreads.NONE);
  }

  private LogSplitter(
      Storage storage,
      String dataDirectory,
      String archiveDirectory,
      String corruptDirectory,
      CorruptWalPolicy damagedLogs,
      SplitThreads threads) {
    this.storage = storage;
    this.dataDirectory = dataDirectory;
    this.archiveDirectory = archiveDirectory;
    this.corruptDirectory = corruptDirectory;
    this.damagedLogs = damagedLogs;
    this.threads = threads;
  }

  /**
   * Returns a splitter that seals log files, reads them and writes files of several regions at the
   * same time. Other splitters do one step after the other.
   *
   * @param threads runs each task at once; a split gives it some
   * @param clock waits for them
   * @param marks returns what no other splitter of the same logs marks its files with
   */
  public LogSplitter publishing(Executor threads, Clock clock, Supplier<String> marks) {
    return publishing(threads, clock, marks, WAITING_BYTES_MAX);
  }

  /**
   * Like {@link #publishing(Executor, Clock, Supplier)}, with a limit for the memory.
   *
   * @param waitingBytesMax the most bytes of entries that wait in memory to be written
   */
  public LogSplitter publishing(
      Executor threads, Clock clock, Supplier<String> marks, long waitingBytesMax) {
    return new LogSplitter(
        storage,
        dataDirectory,
        archiveDirectory,
        corruptDirectory,
        damagedLogs,
        new SplitThreads(threads, clock, marks, waitingBytesMax));
  }

  /**
   * Splits the log in {@code directory}, whether or not that already has the suffix; one that does
   * not exist has been split already.
   *
   * @throws CorruptWalException if a file is damaged and the policy does not tolerate it; all files
   *     stay where they are
   * @throws IOException also if a file is in a form that is not supported, or could not be sealed;
   *     all files stay, too
   */
  public SplitSummary split(String directory) throws IOException {
    return split(directory, SplitProgress.NONE);
  }

  /** Like {@link #split(String)}, and reports to {@code progress}. */
  public SplitSummary split(String directory, SplitProgress progress) throws IOException {
    LeftLog log = takeOver(directory);
    progress.found(log.kinds());
    Map<FileInfo, CompletableFuture<Long>> seals = seals(log.files(), progress);
    SplitTally tally = new SplitTally();
    CompletableFuture<Void> meta = // at the same time; begun first
        CompletableFuture.runAsync(
            SplitThreads.task(() -> splitMeta(log, seals, progress, tally)), threads.threads());
    try {
      split(log, LogKind.REGIONS, seals, progress, tally);
    } finally {
      threads.await(meta);
    }
    remove(log);
    return tally.summary(log.directory(), log.files().size());
  }

  /**
   * The files of a dead server's log that no split has archived.
   *
   * @param directory the directory, with the suffix
   * @param files the files, the oldest first
   */
  public record LeftLog(String directory, List<FileInfo> files) {
    /** Copies the list. */
    public LeftLog {
      files = List.copyOf(files);
    }

    /** Returns the kinds of logs that the files belong to, and always {@link LogKind#REGIONS}. */
    public Set<LogKind> kinds() {
      return files(LogKind.META).isEmpty()
          ? EnumSet.of(LogKind.REGIONS)
          : EnumSet.allOf(LogKind.class);
    }

    /** Returns the files of one kind, the oldest first. */
    public List<FileInfo> files(LogKind kind) {
      return ofKind(files, kind);
    }

    /** Returns the length of all files, as known before they are sealed, bytes. */
    public long bytes() {
      return files.stream().mapToLong(FileInfo::length).sum();
    }
  }

  /**
   * Renames the directory of a log, so that its server can create no more files there, and lists
   * the files. May be repeated.
   *
   * @param directory the directory, with or without the suffix; a missing one has no files
   */
  public LeftLog takeOver(String directory) throws IOException {
    String splitting = takeAway(directory);
    return new LeftLog(splitting, logs(storage, splitting));
  }

  /** Seals all files of a log that was taken over. */
  public void seal(LeftLog log, SealProgress progress) throws IOException {
    seal(log.files(), progress);
  }

  /**
   * Seals all present files of a log whose server may live, also files in use. The next write of a
   * living server to such a file fails, and the server continues in a new file.
   */
  public void sealEarly(String directory) throws IOException {
    seal(logs(storage, directory), SealProgress.NONE);
  }

  private void seal(List<FileInfo> files, SealProgress progress) throws IOException {
    for (CompletableFuture<Long> seal : seals(files, progress).values()) {
      threads.await(seal);
    }
  }

  /**
   * The result of splitting a share of a log.
   *
   * @param damaged the names of damaged files, which the policy tolerates
   */
  public record Share(SplitSummary summary, Set<String> damaged) {}

  /**
   * Gives some regions their entries in a log that was taken over. Seals all files of the log's
   * kind first. Other processes may do the same for other regions, and for the same ones: then each
   * writes the same files. Unfinished files lie in {@code scratch}. Once that directory is removed
   * or renamed, this call publishes no more files, and fails.
   *
   * @param directory the directory of the log, with the suffix
   * @param regions tells by encoded name which regions belong to the share
   * @param flushed tells which of their entries are in store files; these are left out
   * @param scratch an existing directory that no other call uses
   * @throws NoSuchFileException if {@code scratch} does not exist any more
   * @throws IOException also as {@link #split(String)}
   */
  public Share splitShare(
      String directory,
      LogKind kind,
      Predicate<String> regions,
      FlushedEdits flushed,
      String scratch,
      SplitProgress progress)
      throws IOException {
    List<FileInfo> files = new LeftLog(directory, logs(storage, directory)).files(kind);
    if (!storage.exists(scratch)) { // after the list: files are archived only after it is removed
      throw new NoSuchFileException(scratch, null, "the split of " + directory + " was withdrawn");
    }
    SplitTally tally = new SplitTally();
    SplitScope scope = SplitScope.share(regions, flushed, scratch);
    Set<FileInfo> damaged =
        publish(directory, files, scope, kind, seals(files, progress), progress, tally);
    return new Share(
        tally.summary(directory, files.size()),
        damaged.stream().map(FileInfo::name).collect(Collectors.toUnmodifiableSet()));
  }

  /**
   * Moves the files of one kind to the archive, after all regions have their entries.
   *
   * @param damaged the names of damaged files, which are set aside instead
   */
  public void archive(LeftLog log, LogKind kind, Set<String> damaged) throws IOException {
    for (FileInfo file : log.files(kind)) {
      String target = damaged.contains(file.name()) ? corruptDirectory : archiveDirectory;
      storage.rename(file.path(), Storage.join(target, file.name()));
    }
  }

  /** Deletes the directory of a log after its files are archived. */
  public void remove(LeftLog log) throws IOException {
    storage.delete(log.directory());
  }

  private Map<FileInfo, CompletableFuture<Long>> seals(
      List<FileInfo> files, SealProgress progress) {
    Executor sealers = new LimitedExecutor(threads.threads(), SEALS_MAX);
    Map<FileInfo, CompletableFuture<Long>> seals = new LinkedHashMap<>();
    for (FileInfo file : files) {
      seals.put(file, CompletableFuture.supplyAsync(() -> seal(file, progress), sealers));
    }
    return seals;
  }

  private long seal(FileInfo file, SealProgress progress) {
    try {
      progress.sealing(file.path());
      long length = storage.seal(file.path());
      progress.sealed(file.path());
      return length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void splitMeta(
      LeftLog log,
      Map<FileInfo, CompletableFuture<Long>> seals,
      SplitProgress progress,
      SplitTally tally)
      throws IOException {
    if (log.kinds().contains(LogKind.META)) { // Otherwise the other regions' logs have its entries.
      split(log, LogKind.META, seals, progress, tally);
    }
  }

  /** Splits the log files of one kind and archives them. */
  private void split(
      LeftLog log,
      LogKind kind,
      Map<FileInfo, CompletableFuture<Long>> seals,
      SplitProgress progress,
      SplitTally tally)
      throws IOException {
    Set<FileInfo> damaged =
        publish(log.directory(), log.files(kind), SplitScope.ALL, kind, seals, progress, tally);
    archive(log, kind, damaged.stream().map(FileInfo::name).collect(Collectors.toSet()));
  }

  /** Reads log files and publishes the entries. Returns the damaged files. */
  private Set<FileInfo> publish(
      String directory,
      List<FileInfo> files,
      SplitScope scope,
      LogKind kind,
      Map<FileInfo, CompletableFuture<Long>> seals,
      SplitProgress progress,
      SplitTally tally)
      throws IOException {
    SplitReading reading =
        new SplitReading(storage, () -> outputs(directory, scope), threads, damagedLogs, tally);
    SplitReading.Result result = reading.read(files, seals);
    try {
      progress.read(kind, result.outputs().regions());
      result.outputs().publish(progress::recovered);
    } catch (IOException | RuntimeException e) {
      result.outputs().abandon();
      throw e;
    }
    result.outputs().count(tally);
    return result.damaged();
  }

  private SplitOutputs outputs(String directory, SplitScope scope) {
    String name = Storage.name(directory);
    String server =
        name.endsWith(SPLITTING_SUFFIX)
            ? name.substring(0, name.length() - SPLITTING_SUFFIX.length())
            : name;
    return new SplitOutputs(
        storage,
        dataDirectory,
        server,
        scope,
        threads,
        new LimitedExecutor(threads.threads(), WRITERS_MAX));
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
    Map<FileInfo, CompletableFuture<Long>> lengths = new LinkedHashMap<>();
    files.forEach(file -> lengths.put(file, CompletableFuture.completedFuture(file.length())));
    SplitTally tally = new SplitTally();
    // Separately, because a file of one log does not supersede a file of the other.
    for (LogKind kind : LogKind.values()) {
      SplitReading reading =
          new SplitReading(
              source, () -> outputs(directory, SplitScope.ALL), threads, damagedLogs, tally);
      SplitOutputs outputs = reading.read(ofKind(files, kind), lengths).outputs();
      try {
        outputs.publish(region -> {});
      } catch (IOException | RuntimeException e) {
        outputs.abandon();
        throw e;
      }
      outputs.count(tally);
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

  private static List<FileInfo> ofKind(List<FileInfo> files, LogKind kind) {
    return files.stream()
        .filter(file -> WalFileName.isOfMeta(file.path()) == (kind == LogKind.META))
        .toList();
  }

  private String takeAway(String directory) throws IOException {
    if (directory.endsWith(SPLITTING_SUFFIX)) {
      return directory;
    }
    String splitting = directory + SPLITTING_SUFFIX;
    if (storage.exists(directory)) {
      if (!storage.exists(splitting)) {
        storage.rename(directory, splitting);
      } else {
        // An old server that recreates its directory began a file after a split had renamed it.
        for (FileInfo file : storage.list(directory)) {
          storage.rename(file.path(), Storage.join(splitting, file.name()));
        }
        storage.delete(directory);
      }
    }
    return splitting;
  }
}
