package dev.cairn.engine.layout;

import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.BlockLocation;
import dev.cairn.engine.storage.Storage.BytesRead;
import dev.cairn.engine.storage.Storage.StorageSpace;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Combines a data folder with a separate folder for logs, as {@code hbase.wal.dir} configures it.
 * The log folder has HBase's layout: each log has the same path in it as it would have in the data
 * folder.
 *
 * <pre>
 * WALs/&lt;server&gt;/…, oldWALs/…, corrupt/…
 * data/&lt;namespace&gt;/&lt;table&gt;/&lt;region&gt;/recovered.edits/…
 * .tmp/owner-&lt;epoch&gt;/lent-&lt;number&gt;/…  unfinished recovered edits
 * MasterData/…  the same again, for the master's own region
 * </pre>
 *
 * <p>New logs go to the log folder. The data folder may still hold logs from before the key was
 * set: they are listed and recovered, too, and a rename leaves them in that folder. If both folders
 * have a file at the same path, the one in the log folder is used. A directory with a region's
 * recovered edits in the log folder is renamed and deleted together with the region's directory.
 *
 * <p>Operations are as atomic as those of the two storages, with one exception: a directory that
 * exists in both folders is renamed or deleted in two steps. Thread-safe.
 */
public final class WalRootStorage implements Storage {
  private static final String MASTER_DATA = "MasterData";

  /** Top-level directories that hold only logs. */
  private static final Set<String> LOGS = Set.of("WALs", "oldWALs", "corrupt");

  private static final Pattern REGION_LOGS =
      Pattern.compile(
          "(?:\\.tmp/[^/]+/)?data/[^/]+/[^/]+/[^/]+/recovered\\.(?:edits|wals(?:-splitting)?)(?:/.*)?");

  /** Unfinished files with recovered edits, in scratch directories that a master has lent. */
  private static final Pattern UNFINISHED_LOGS = Pattern.compile("\\.tmp/[^/]+/lent-\\d+/.+");

  private final Storage root;
  private final Storage walRoot;

  /**
   * Combines two folders. Closing this storage closes both.
   *
   * @param root the data folder
   * @param walRoot the folder of the logs
   */
  public WalRootStorage(Storage root, Storage walRoot) {
    this.root = root;
    this.walRoot = walRoot;
  }

  @Override
  public AppendFile create(String path) throws IOException {
    if (isLog(path)) {
      if (root.exists(path)) {
        throw new FileAlreadyExistsException(path);
      }
      return walRoot.create(path);
    }
    return root.create(path);
  }

  @Override
  public AppendFile createFenced(String path) throws IOException {
    if (!isLog(path)) {
      return root.createFenced(path);
    }
    if (root.exists(path)) {
      throw new FileAlreadyExistsException(path);
    }
    return walRoot.createFenced(path);
  }

  @Override
  public long seal(String path) throws IOException {
    return home(path).seal(path);
  }

  @Override
  public AppendFile createIn(String path) throws IOException {
    if (isLog(path)) {
      if (root.exists(path)) {
        throw new FileAlreadyExistsException(path);
      }
      return walRoot.createIn(path);
    }
    return root.createIn(path);
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    return home(path).open(path);
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    List<FileInfo> found = root.list(directory);
    if (!mayHoldLogs(directory)) {
      return found;
    }
    List<FileInfo> all = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (FileInfo log : walRoot.list(directory)) {
      if (isLog(log.path())) {
        all.add(log);
        names.add(log.name());
      }
    }
    for (FileInfo file : found) {
      if (!names.contains(file.name())) {
        all.add(file);
      }
    }
    all.sort(Comparator.comparing(FileInfo::path));
    return all;
  }

  @Override
  public boolean exists(String path) throws IOException {
    return isLog(path) && walRoot.exists(path) || root.exists(path);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    if (isTemporary(path)) {
      // A directory that moves there may have a part in each folder.
      walRoot.createDirectories(path);
    }
    (isLog(path) ? walRoot : root).createDirectories(path);
  }

  @Override
  public void createDirectoryIn(String path) throws IOException {
    if (!isLog(path)) {
      root.createDirectoryIn(path);
      return;
    }
    // The directory of a region may be in the other folder alone.
    String parent = path.substring(0, Math.max(0, path.lastIndexOf('/')));
    if (!parent.isEmpty() && !exists(parent)) {
      throw new NoSuchFileException(path, null, parent + " does not exist");
    }
    walRoot.createDirectories(path);
  }

  @Override
  public void createScratch(String path) throws IOException {
    (isLog(path) ? walRoot : root).createScratch(path);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    if (!isLog(from)) {
      root.rename(from, to);
      if (mayHoldRegions(from) && walRoot.exists(from)) {
        walRoot.delete(to); // left by a crash between the two steps
        walRoot.rename(from, to);
      }
      return;
    }
    if (!isLog(to)) {
      throw new IOException(
          from + " is a log; it cannot be renamed to " + to + ", which is not a path of logs");
    }
    if (exists(to)) {
      throw new FileAlreadyExistsException(to);
    }
    boolean found = false;
    for (Storage storage : List.of(walRoot, root)) {
      if (storage.exists(from)) {
        storage.rename(from, to);
        found = true;
      }
    }
    if (!found) {
      throw new NoSuchFileException(from);
    }
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    if (isLog(from) && isLog(to)) {
      moveLog(from, to);
      return;
    }
    if (isLog(to) || isLog(from) && !isTemporary(to)) {
      throw new IOException(
          from + " cannot be moved to " + to + ": logs may lie in a folder of their own");
    }
    home(from).moveIn(from, to);
    if (mayHoldRegions(from) && walRoot.exists(from)) {
      walRoot.moveIn(from, to);
    }
  }

  private void moveLog(String from, String to) throws IOException {
    if (root.exists(to)) {
      throw new FileAlreadyExistsException(to);
    }
    String directory = to.substring(0, to.lastIndexOf('/'));
    if (root.exists(directory)) {
      walRoot.createDirectories(directory); // It is from before the key was set.
    }
    home(from).moveIn(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    home(from).replace(from, to);
  }

  @Override
  public boolean delete(String path) throws IOException {
    boolean found = root.delete(path);
    boolean foundLogs = (isLog(path) || mayHoldRegions(path)) && walRoot.delete(path);
    return found || foundLogs;
  }

  @Override
  public boolean discard(String path) throws IOException {
    boolean found = root.discard(path);
    boolean foundLogs = (isLog(path) || mayHoldRegions(path)) && walRoot.discard(path);
    return found || foundLogs;
  }

  @Override
  public void syncDirectory(String path) throws IOException {
    root.syncDirectory(path);
    if (mayHoldLogs(path)) {
      walRoot.syncDirectory(path);
    }
  }

  @Override
  public void syncContent(String path) throws IOException {
    home(path).syncContent(path);
  }

  @Override
  public String url(String path) {
    return (isLog(path) ? walRoot : root).url(path);
  }

  /** Returns the replication of the logs' folder, because only logs rely on flushed bytes. */
  @Override
  public int replication() {
    return walRoot.replication();
  }

  @Override
  public List<BlockLocation> blockLocations(String path) throws IOException {
    return (isLog(path) ? walRoot : root).blockLocations(path);
  }

  /** Returns the sum of both folders. */
  @Override
  public Optional<BytesRead> bytesRead() {
    return Stream.of(root.bytesRead(), walRoot.bytesRead())
        .flatMap(Optional::stream)
        .reduce(BytesRead::plus);
  }

  /** Returns the space of the folder with less free space. */
  @Override
  public Optional<StorageSpace> space() throws IOException {
    Optional<StorageSpace> ofData = root.space();
    Optional<StorageSpace> ofLogs = walRoot.space();
    return Stream.of(ofData, ofLogs)
        .flatMap(Optional::stream)
        .min(Comparator.comparingLong(StorageSpace::usableBytes));
  }

  @Override
  public void close() throws IOException {
    try (walRoot) {
      root.close();
    }
  }

  @Override
  public String toString() {
    return root + " with logs in " + walRoot;
  }

  /** Returns the storage that holds a file. */
  private Storage home(String path) throws IOException {
    return isLog(path) && walRoot.exists(path) ? walRoot : root;
  }

  private static boolean isLog(String path) {
    String local = local(path);
    int slash = local.indexOf('/');
    return LOGS.contains(slash < 0 ? local : local.substring(0, slash))
        || REGION_LOGS.matcher(local).matches()
        || UNFINISHED_LOGS.matcher(local).matches();
  }

  /** Tells whether a directory may hold logs, or directories of logs. */
  private static boolean mayHoldLogs(String directory) {
    return isLog(Storage.join(directory, "WALs"))
        || isLog(Storage.join(directory, "recovered.edits"))
        || isLog(directory);
  }

  /** Tells whether a directory at this path may hold regions, and thus recovered edits. */
  private static boolean mayHoldRegions(String path) {
    String local = local(path);
    return local.startsWith("data/") || isTemporary(path);
  }

  private static boolean isTemporary(String path) {
    return local(path).startsWith(".tmp/");
  }

  /**
   * Returns the path relative to the data folder, or to {@code MasterData}, which has the same
   * layout.
   */
  private static String local(String path) {
    return path.startsWith(MASTER_DATA + "/") ? path.substring(MASTER_DATA.length() + 1) : path;
  }
}
