package dev.cairn.engine.tracking;

import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a list of the store's files; HBase's tracker {@code FILE}.
 *
 * <pre>
 *   .filelist/f1.epoch    in the store's directory: a {@link FileList}
 *   .filelist/f2.epoch
 * </pre>
 *
 * <p>Each update writes the whole list, alternately to {@code f1} and {@code f2}, and then deletes
 * the previous list. A crash therefore leaves at least one complete list; of two, the newer one is
 * valid. Each new owner of the store begins a new epoch, with a number above all earlier ones.
 * Lists of earlier epochs are invalid, even if a process that has lost the store still writes them.
 * An open region's owner writes its lists in its scratch directory and moves them to their place.
 * After another owner has taken over, the move fails. So no earlier owner's list appears after the
 * new owner has read the lists.
 */
final class ListTracker implements StoreFileTracker {
  /** The attempts to load the list while its owner replaces it. */
  private static final int LOADS_MAX = 10;

  private static final Logger LOG = LoggerFactory.getLogger(ListTracker.class);
  private static final Pattern LIST = Pattern.compile("f[12]\\.(\\d{1,18})");

  private final Storage storage;
  private final Clock clock;
  private final String directory;
  private final Optional<ScratchDirectory> scratch;
  private final Object updates = new Object();

  // The fields below are guarded by updates, which is held during I/O.
  private Map<String, TrackedFile> files = Map.of();
  private long epoch;
  private long timestamp;
  private String name = "f1";

  /** True if an update failed that may still have taken effect. */
  private boolean unsettled;

  ListTracker(Storage storage, Clock clock, String directory, Optional<ScratchDirectory> scratch) {
    this.scratch = scratch;
    this.storage = storage;
    this.clock = clock;
    this.directory = directory;
  }

  /** A file with a list. */
  private record ListFile(String path, long epoch) {}

  @Override
  public List<TrackedFile> load() throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return loadOnce();
      } catch (NoSuchFileException e) {
        // The owner has replaced the list since the directory was listed.
        if (attempt == LOADS_MAX) {
          throw e;
        }
      }
    }
  }

  private List<TrackedFile> loadOnce() throws IOException {
    Optional<FileList> newest = newest(lists());
    if (newest.isEmpty() && !storeFiles().isEmpty()) {
      // Every owner writes a list before its first file.
      throw DamagedFileException.missing(
          Storage.join(directory, LISTS),
          "expected the list of the store's files (store file tracker FILE)");
    }
    return newest.map(FileList::files).orElse(List.of());
  }

  /** Returns the valid list; empty if there is no complete list. */
  private Optional<FileList> newest(List<ListFile> lists) throws IOException {
    Optional<FileList> newest = Optional.empty();
    long found = Long.MIN_VALUE;
    for (ListFile file : lists) { // later epochs first
      if (newest.isPresent() && file.epoch() < found) {
        break;
      }
      Optional<FileList> list = FileList.parse(storage.readAll(file.path()), file.path());
      if (list.isPresent()
          && (newest.isEmpty() || list.get().timestamp() > newest.get().timestamp())) {
        newest = list;
        found = file.epoch();
      }
    }
    return newest;
  }

  private List<ListFile> lists() throws IOException {
    List<ListFile> lists = new ArrayList<>();
    for (Storage.FileInfo file : storage.list(Storage.join(directory, LISTS))) {
      Matcher matcher = LIST.matcher(file.name());
      if (matcher.matches()) {
        lists.add(new ListFile(file.path(), Long.parseLong(matcher.group(1))));
      }
    }
    lists.sort(Comparator.comparingLong(ListFile::epoch).reversed());
    return lists;
  }

  private List<String> storeFiles() throws IOException {
    return DirectoryTracker.storeFiles(storage, directory).stream().map(TrackedFile::name).toList();
  }

  @Override
  public void begin(List<TrackedFile> present) throws IOException {
    synchronized (updates) {
      List<ListFile> old = lists();
      long highest = old.isEmpty() ? 0 : old.get(0).epoch();
      epoch = Math.max(clock.currentTimeMillis(), highest + 1);
      timestamp = newest(old).map(FileList::timestamp).orElse(0L);
      storage.createDirectoryIn(Storage.join(directory, LISTS));
      // List before the write, which fails if there is a later owner: files that a later owner adds
      // must not be archived.
      Set<String> others = new HashSet<>(storeFiles());
      write(byName(present));
      for (ListFile list : old) {
        storage.delete(list.path());
      }
      others.removeAll(files.keySet());
      archive(others);
    }
  }

  private static Map<String, TrackedFile> byName(List<TrackedFile> files) {
    Map<String, TrackedFile> named = new LinkedHashMap<>();
    files.forEach(file -> named.put(file.name(), file));
    return named;
  }

  /** Archives files that a crash left: those not yet listed, or no longer listed. */
  private void archive(Set<String> others) throws IOException {
    HFileArchive archive = new HFileArchive(storage);
    for (String other : others) {
      LOG.info("Archiving {}, which the store's list does not name", directory + "/" + other);
      archive.archive(StoreDirectory.parse(directory), other);
    }
  }

  @Override
  public boolean writesInPlace() {
    return true;
  }

  @Override
  public void publish(TrackedFile file, Set<String> replaced) throws IOException {
    synchronized (updates) {
      Map<String, TrackedFile> next = new LinkedHashMap<>(files);
      next.keySet().removeAll(replaced);
      next.put(file.name(), file);
      write(next);
    }
  }

  @Override
  public void drop(Set<String> dropped) throws IOException {
    synchronized (updates) {
      Map<String, TrackedFile> next = new LinkedHashMap<>(files);
      next.keySet().removeAll(dropped);
      write(next);
    }
  }

  @Override
  public void reject(String file) throws IOException {
    drop(Set.of(file));
  }

  @Override
  public void settle() throws IOException {
    synchronized (updates) {
      if (unsettled) {
        write(files);
      }
    }
  }

  private void write(Map<String, TrackedFile> next) throws IOException {
    String path = path(name);
    FileList list =
        new FileList(
            Math.max(clock.currentTimeMillis(), timestamp + 1), List.copyOf(next.values()));
    byte[] content = list.toFile();
    unsettled = true;
    if (scratch.isPresent()) {
      scratch.get().writeAll(path, content);
    } else {
      writeInPlace(path, content);
    }
    unsettled = false;
    files = next;
    timestamp = list.timestamp();
    name = name.equals("f1") ? "f2" : "f1";
    try {
      storage.delete(path(name));
    } catch (IOException e) {
      LOG.warn("{} stays until the next update of the list: {}", path(name), e.toString());
    }
  }

  private void writeInPlace(String path, byte[] content) throws IOException {
    storage.delete(path);
    try (AppendFile file = storage.create(path)) {
      file.write(content, 0, content.length);
      file.sync();
    }
  }

  private String path(String list) {
    return Storage.join(directory, LISTS + "/" + list + "." + epoch);
  }

  @Override
  public String toString() {
    return directory + "/" + LISTS;
  }
}
