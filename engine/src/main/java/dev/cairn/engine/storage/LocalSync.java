package dev.cairn.engine.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Syncs files and directories of the local disk that a library or another program has written.
 * Tests replace it. Thread-safe.
 */
public interface LocalSync {
  /** The machine's disks. */
  LocalSync SYSTEM =
      new LocalSync() {
        @Override
        public void file(Path file) throws IOException {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
          }
        }

        @Override
        public void directory(Path directory) throws IOException {
          LocalStorage.syncDirectory(directory);
        }
      };

  /** Syncs the content of a file, but not its name: the caller syncs the directory. */
  void file(Path file) throws IOException;

  /** Syncs the names in a directory, but not the content of its files. */
  void directory(Path directory) throws IOException;
}
