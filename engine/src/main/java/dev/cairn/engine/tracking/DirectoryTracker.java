package dev.cairn.engine.tracking;

import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Takes all files in the directory as the store's; HBase's tracker {@code DEFAULT}. */
final class DirectoryTracker implements StoreFileTracker {
  private final Storage storage;
  private final String directory;

  DirectoryTracker(Storage storage, String directory) {
    this.storage = storage;
    this.directory = directory;
  }

  @Override
  public List<TrackedFile> load() throws IOException {
    return storeFiles(storage, directory);
  }

  /** Returns all store files in a directory. */
  static List<TrackedFile> storeFiles(Storage storage, String directory) throws IOException {
    return storage.list(directory).stream()
        .filter(file -> !file.directory())
        .filter(file -> !file.name().startsWith(".") && !file.name().startsWith("_"))
        .map(file -> new TrackedFile(file.name(), file.length()))
        .toList();
  }

  /**
   * Deletes the list that another tracker left. A list that nobody keeps must never count again.
   */
  @Override
  public void begin(List<TrackedFile> files) throws IOException {
    String lists = Storage.join(directory, LISTS);
    if (storage.exists(lists)) {
      storage.delete(lists);
    }
  }

  @Override
  public boolean writesInPlace() {
    return false;
  }

  @Override
  public void publish(TrackedFile file, Set<String> replaced) {}

  @Override
  public void drop(Set<String> files) {}

  @Override
  public void settle() {}
}
