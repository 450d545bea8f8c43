package dev.cairn.server.coordination;

import dev.cairn.engine.storage.LocalSync;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Records what is synced while a condition holds, and syncs nothing. */
final class RecordedSync implements LocalSync {
  private final List<Path> synced = new CopyOnWriteArrayList<>();
  private final BooleanSupplier counts;

  RecordedSync(BooleanSupplier counts) {
    this.counts = counts;
  }

  /** Returns the files and directories, in the order in which they were synced. */
  List<Path> synced() {
    return List.copyOf(synced);
  }

  void clear() {
    synced.clear();
  }

  @Override
  public void file(Path file) {
    record(file);
  }

  @Override
  public void directory(Path directory) {
    record(directory);
  }

  private void record(Path path) {
    if (counts.getAsBoolean()) {
      synced.add(path);
    }
  }
}
