package dev.cairn.tools.backup;

import dev.cairn.engine.changes.Change;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.wal.file.EntryFileWriter;
import dev.cairn.engine.wal.file.WalEntry;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes changes to files in the form of logs, each of limited length. One thread. */
final class ChangeFiles implements Closeable {
  private static final long FILE_SIZE = 256L << 20;

  private final Storage storage;
  private final String directory;
  private final String prefix;
  private final List<String> paths = new ArrayList<>();
  private Optional<EntryFileWriter> writer = Optional.empty();
  private long changes;

  /**
   * Creates a writer.
   *
   * @param directory the backup's directory
   * @param prefix {@link BackupFile#BEFORE} or {@link BackupFile#AFTER}
   */
  ChangeFiles(Storage storage, String directory, String prefix) {
    this.storage = storage;
    this.directory = directory;
    this.prefix = prefix;
  }

  void add(Change change) throws IOException {
    if (writer.isPresent() && writer.get().position() >= FILE_SIZE) {
      finish();
    }
    if (writer.isEmpty()) {
      String path = prefix + "log." + (paths.size() + 1);
      writer = Optional.of(EntryFileWriter.create(storage, directory + "/" + path));
      paths.add(path);
    }
    writer
        .get()
        .append(
            new WalEntry(
                change.region(),
                change.table(),
                change.sequence(),
                change.writeTimeMillis(),
                change.cells()));
    changes++;
  }

  private void finish() throws IOException {
    if (writer.isPresent()) {
      writer.get().finish();
      writer = Optional.empty();
    }
  }

  /** Ends the files and returns them, with the checksums of the stored bytes. */
  List<BackupFile> end() throws IOException {
    finish();
    List<BackupFile> files = new ArrayList<>();
    for (String path : paths) {
      files.add(FileCopy.read(storage, directory, path));
    }
    return files;
  }

  long changes() {
    return changes;
  }

  @Override
  public void close() throws IOException {
    if (writer.isPresent()) {
      writer.get().close();
    }
  }
}
