package dev.cairn.engine.tracking;

import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Keeps both a list of the store's files and a directory that contains no others; HBase's tracker
 * {@code MIGRATION}. The source supplies the files when the store opens.
 */
record MigratingTracker(StoreFileTracker source, DirectoryTracker directory, ListTracker list)
    implements StoreFileTracker {
  @Override
  public List<TrackedFile> load() throws IOException {
    return source.load();
  }

  @Override
  public void begin(List<TrackedFile> files) throws IOException {
    list.begin(files);
  }

  @Override
  public boolean writesInPlace() {
    return false;
  }

  @Override
  public void publish(TrackedFile file, Set<String> replaced) throws IOException {
    list.publish(file, replaced);
  }

  @Override
  public void drop(Set<String> files) throws IOException {
    directory.drop(files);
    list.drop(files);
  }

  @Override
  public void reject(String file) throws IOException {
    list.reject(file);
  }

  @Override
  public void settle() throws IOException {
    list.settle();
  }
}
