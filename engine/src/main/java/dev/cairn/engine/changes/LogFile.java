package dev.cairn.engine.changes;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import dev.cairn.engine.wal.file.WalFileName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A log file of the region servers.
 *
 * @param path where it was when it was listed; it moves to the archive, and keeps its name
 * @param modifiedMillis when it was last written, milliseconds since 1970
 * @param isArchived whether it is final
 * @param isSuperseded whether its server has begun a later file
 */
record LogFile(String path, long modifiedMillis, boolean isArchived, boolean isSuperseded) {
  static final String ARCHIVE = "oldWALs";
  private static final String LIVE = "WALs";

  String name() {
    return Storage.name(path);
  }

  /**
   * Lists the log files under a root directory, without those of {@code hbase:meta}: each server's
   * from the oldest to the newest. Misses no file that exists during the whole call, although files
   * move to the archive meanwhile.
   */
  static List<LogFile> list(Storage root) throws IOException {
    List<String> servers = servers(root);
    while (true) {
      Map<String, FileInfo> files = new HashMap<>();
      for (String server : servers) {
        add(root, server, files);
      }
      // After the servers' directories, so that a file that moves meanwhile is in either list.
      Map<String, FileInfo> archived = new HashMap<>();
      add(root, ARCHIVE, archived);
      List<String> now = servers(root);
      if (now.equals(servers)) { // Otherwise a directory may have been renamed with its files.
        return sorted(files, archived);
      }
      servers = now;
    }
  }

  private static List<String> servers(Storage root) throws IOException {
    return root.list(LIVE).stream().filter(FileInfo::directory).map(FileInfo::path).toList();
  }

  private static void add(Storage root, String directory, Map<String, FileInfo> files)
      throws IOException {
    for (FileInfo file : root.list(directory)) {
      if (isOfRegions(file)) {
        files.put(file.name(), file);
      }
    }
  }

  /** Tells whether a file is a log of other regions than that of {@code hbase:meta}. */
  private static boolean isOfRegions(FileInfo file) {
    return !file.directory()
        && WalFileName.number(file.name()).isPresent()
        && !WalFileName.isOfMeta(file.name());
  }

  /** Tells whether a file is an archived log that readers of changes need. */
  static boolean isArchivedLog(FileInfo file) {
    return file.path().equals(Storage.join(ARCHIVE, file.name())) && isOfRegions(file);
  }

  private static List<LogFile> sorted(Map<String, FileInfo> live, Map<String, FileInfo> archived) {
    Map<String, FileInfo> all = new HashMap<>(live);
    all.putAll(archived);
    Map<String, List<FileInfo>> logs =
        all.values().stream().collect(Collectors.groupingBy(file -> log(file.name())));
    List<LogFile> sorted = new ArrayList<>();
    for (List<FileInfo> log : logs.values()) {
      log.sort(Comparator.comparingLong(file -> WalFileName.number(file.name()).getAsLong()));
      for (int i = 0; i < log.size(); i++) {
        FileInfo file = log.get(i);
        sorted.add(
            new LogFile(
                file.path(),
                file.modifiedMillis(),
                archived.containsKey(file.name()),
                i + 1 < log.size()));
      }
    }
    return sorted;
  }

  /** Returns the name of a log without the number of its file. */
  private static String log(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }
}
