package dev.cairn.server.coordination;

import dev.cairn.engine.storage.FilePermissions;
import dev.cairn.engine.storage.LocalSync;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.persistence.Util;

/**
 * The folder of the embedded ZooKeeper's snapshots and logs. Cairn can create all its znodes again,
 * so a damaged folder is set aside instead of repaired. Not thread-safe.
 *
 * @param path the folder, which need not exist
 * @param sync syncs files and names
 */
record ZooKeeperFolder(Path path, LocalSync sync) {
  private static final int PROBE_BYTES = 64 << 10;

  private static final String DAMAGED = ".damaged";

  /** ZooKeeper's directory within the folder. It reads and writes nothing else there. */
  private static final String FILES = FileTxnSnapLog.version + FileTxnSnapLog.VERSION;

  private static final List<String> PREFIXES =
      List.of(FileTxnLog.LOG_FILE_PREFIX, FileSnap.SNAPSHOT_FILE_PREFIX);

  /** Limits the zxids that file names give: in a damaged folder, a file may have any name. */
  private static final long NAMED_ZXID_MAX = 1L << 62;

  /** As many as ZooKeeper's own tools keep at least: a restart passes over damaged ones. */
  private static final int SNAPSHOTS_KEPT = 3;

  /**
   * Creates the folder and those above it, unless they exist. Their names are synced; also that of
   * a folder that exists, because an earlier start may have ended before it synced the name.
   */
  void create() throws IOException {
    Path absolute = path.toAbsolutePath();
    Path existing = absolute.getParent();
    while (existing != null && !Files.isDirectory(existing)) {
      existing = existing.getParent();
    }
    // ZooKeeper itself would create the folder with the process's umask.
    FilePermissions.OWNER_ONLY.createFolders(absolute);
    for (Path above = absolute.getParent(); above != null; above = above.getParent()) {
      syncIfAllowed(above);
      if (above.equals(existing)) {
        return;
      }
    }
  }

  /** A user may have a folder in a directory that he may not read, but cannot sync that one. */
  private void syncIfAllowed(Path directory) throws IOException {
    try {
      sync.directory(directory);
    } catch (AccessDeniedException e) {
      return;
    }
  }

  /**
   * Reads every file that ZooKeeper reads, and writes a new one, which it deletes. If that works,
   * an error of ZooKeeper means damaged content, not a problem of the disk or of permissions.
   *
   * @return whether it works
   */
  boolean probe() {
    Path files = path.resolve(FILES);
    boolean exists = Files.isDirectory(files);
    try {
      for (Path file : exists ? list(files) : List.<Path>of()) {
        if (isZooKeepers(file) && !Files.isDirectory(file)) {
          Files.copy(file, OutputStream.nullOutputStream());
        }
      }
      Path probe = Files.createTempFile(exists ? files : path, "probe", ".tmp");
      Files.write(probe, new byte[PROBE_BYTES]);
      Files.delete(probe);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Deletes all but the three newest valid snapshots, and the logs that only older ones need. Safe
   * while a server writes to the folder. ZooKeeper decides which files count: its {@code
   * PurgeTxnLog} does the same, but prints each file to standard output.
   *
   * <p>The files that stay are synced first, with their names. {@link DurableLog} has synced its
   * own files; others may have been written by ZooKeeper's server or an older version of Cairn.
   *
   * @param files the snapshots and logs of the folder
   */
  static void purge(FileTxnSnapLog files, LocalSync sync) throws IOException {
    List<File> snapshots = files.findNValidSnapshots(SNAPSHOTS_KEPT);
    if (snapshots.size() < SNAPSHOTS_KEPT) {
      return;
    }
    long oldest =
        Util.getZxidFromName(
            snapshots.get(SNAPSHOTS_KEPT - 1).getName(), FileSnap.SNAPSHOT_FILE_PREFIX);
    File[] logs = files.getSnapshotLogs(oldest);
    for (File snapshot : snapshots) {
      sync.file(snapshot.toPath());
    }
    for (File log : logs) {
      sync.file(log.toPath());
    }
    sync.directory(files.getDataLogDir().toPath());
    sync.directory(files.getSnapDir().toPath());
    Set<String> needed = Arrays.stream(logs).map(File::getName).collect(Collectors.toSet());
    deleteBefore(oldest, files.getDataLogDir(), FileTxnLog.LOG_FILE_PREFIX, needed);
    deleteBefore(oldest, files.getSnapDir(), FileSnap.SNAPSHOT_FILE_PREFIX, needed);
  }

  private static void deleteBefore(long zxid, File folder, String prefix, Set<String> needed)
      throws IOException {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder.toPath(), prefix + ".*")) {
      for (Path file : found) {
        String name = file.getFileName().toString();
        long begin = Util.getZxidFromName(name, prefix);
        if (begin >= 0 && begin < zxid && !needed.contains(name)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /**
   * Returns the highest zxid in the names of files of this folder and of folders that were set
   * aside. Damaged files count, too; numbers that no server gives out do not. Files that cannot be
   * listed do not count: then the clock alone has to be above earlier numbers.
   */
  long highestZxid() {
    long highest = 0;
    for (Path folder : thisAndSetAside()) {
      for (Path directory : List.of(folder, folder.resolve(FILES))) {
        for (Path file : listIfPossible(directory)) {
          highest = Math.max(highest, zxid(file.getFileName().toString()));
        }
      }
    }
    return highest;
  }

  private List<Path> thisAndSetAside() {
    Path absolute = path.toAbsolutePath();
    String aside = absolute.getFileName() + DAMAGED;
    List<Path> folders = new ArrayList<>(List.of(absolute));
    for (Path beside : listIfPossible(absolute.getParent())) {
      if (beside.getFileName().toString().startsWith(aside)) {
        folders.add(beside);
      }
    }
    return folders;
  }

  private static long zxid(String name) {
    long highest = 0;
    for (String prefix : PREFIXES) {
      long zxid = Util.getZxidFromName(name, prefix);
      highest = zxid < NAMED_ZXID_MAX ? Math.max(highest, zxid) : highest;
    }
    return highest;
  }

  private static boolean isZooKeepers(Path file) {
    String name = file.getFileName().toString();
    return PREFIXES.stream().anyMatch(prefix -> name.startsWith(prefix + "."));
  }

  private static List<Path> listIfPossible(Path directory) {
    try {
      return list(directory);
    } catch (IOException e) {
      return List.of();
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * Renames the folder durably, so that the next start begins with an empty one.
   *
   * @return the new path, beside the old one
   */
  Path setAside() throws IOException {
    Path aside = path.resolveSibling(path.getFileName() + DAMAGED);
    for (int number = 2; Files.exists(aside); number++) {
      aside = path.resolveSibling(path.getFileName() + DAMAGED + number);
    }
    Files.move(path, aside);
    sync.directory(aside.toAbsolutePath().getParent());
    return aside;
  }
}
