package dev.cairn.engine.changes;

import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder among the temporary files of this machine. Closing it deletes it. */
record TemporaryScratch(Path folder, Storage storage) implements Closeable {
  /** Makes a folder, in {@code java.io.tmpdir}. */
  static TemporaryScratch make() throws IOException {
    Path folder = Files.createTempDirectory("cairn-changes");
    return new TemporaryScratch(folder, new LocalStorage(folder));
  }

  @Override
  public void close() throws IOException {
    for (Storage.FileInfo file : storage.list("")) {
      storage.delete(file.path());
    }
    storage.close();
    Files.deleteIfExists(folder);
  }
}
