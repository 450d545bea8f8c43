package dev.cairn.engine.layout;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/**
 * Moves store files that no region needs any more to the archive, where links from other tables and
 * snapshots still find them until a cleaner deletes them. Every operation can be done twice.
 * Thread-safe: of two threads that archive the same file, one does.
 */
public final class HFileArchive {
  private static final String RECOVERED_EDITS = "recovered.edits";

  private final Storage storage;

  /** Creates an archive in the parent of the data directory whose files are archived. */
  public HFileArchive(Storage storage) {
    this.storage = storage;
  }

  /**
   * Archives a file of a store; does nothing if it is gone. The back reference of a link is
   * archived, too. If the archive has a file of the same name and length, that one is renamed: a
   * time in milliseconds is added to its name.
   *
   * @throws IOException also if the archive has one of another length: one of the two is not what
   *     others believe it to be, and a person has to look
   */
  public void archive(StoreDirectory store, String name) throws IOException {
    move(store.file(name), store, name);
  }

  /** Archives a MOB file; nothing happens if it is gone. */
  public void archiveMobFile(MobDirectory directory, String name) throws IOException {
    move(directory.file(name), directory.place(), name);
  }

  /**
   * Archives all store files in a region's directory and deletes the directory.
   *
   * @param directory the directory, wherever it is
   * @param dataDirectory where it belongs: its files go to the archive beside this directory
   */
  public void archiveRegion(String directory, String dataDirectory, TableName table, String region)
      throws IOException {
    for (Storage.FileInfo family : storage.list(directory)) {
      if (isStore(family)) {
        archiveFamily(
            family.path(), new StoreDirectory(dataDirectory, table, region, family.name()));
      }
    }
    storage.delete(directory);
  }

  /** Archives all store files in a family's directory, wherever it is, and deletes it. */
  public void archiveFamily(String directory, StoreDirectory store) throws IOException {
    for (Storage.FileInfo file : storage.list(directory)) {
      if (!file.directory() && !file.name().startsWith(".")) {
        move(file.path(), store, file.name());
      }
    }
    storage.delete(directory);
  }

  /**
   * Archives all store files in a table's directory and deletes the directory.
   *
   * @param directory the directory, wherever it is
   * @param dataDirectory where it belongs
   */
  public void archiveTable(String directory, String dataDirectory, TableName table)
      throws IOException {
    for (Storage.FileInfo region : storage.list(directory)) {
      if (region.directory() && !region.name().startsWith(".")) {
        archiveRegion(region.path(), dataDirectory, table, region.name());
      }
    }
    storage.delete(directory);
  }

  /**
   * Makes a link in {@code store}, and before it the back reference that keeps its target from
   * being cleaned.
   */
  public void link(StoreDirectory store, StoreFileName.Link link) throws IOException {
    link(store, link, store.path());
  }

  /**
   * As {@link #link(StoreDirectory, StoreFileName.Link)}, for a store that is made in another
   * directory.
   *
   * @param directory where the link is made; one of the places in which {@link
   *     StoreDirectory#linkTargets} looks for files of {@code store}
   */
  public void link(StoreDirectory store, StoreFileName.Link link, String directory)
      throws IOException {
    createEmpty(store.backReference(link));
    createEmpty(Storage.join(directory, link.text()));
  }

  private void createEmpty(String path) throws IOException {
    if (!storage.exists(path)) {
      try (AppendFile file = storage.create(path)) {
        file.sync();
      }
    }
  }

  private void move(String from, StoreDirectory store, String name) throws IOException {
    String to = store.archivedFile(name);
    try {
      rename(from, to);
      storage.delete(checksums(from));
    } catch (NoSuchFileException e) {
      if (storage.exists(from)) {
        throw e; // it was something else that is missing
      }
    }
    if (StoreFileName.parse(name) instanceof StoreFileName.Link link) {
      storage.delete(store.backReference(link));
    }
  }

  /**
   * Moves a file, and before that whatever is in its way. Only what the move itself comes upon is
   * in its way: a file that was there before may be this one, archived by another thread.
   */
  private void rename(String from, String to) throws IOException {
    try {
      storage.rename(from, to);
    } catch (FileAlreadyExistsException e) {
      makeRoom(from, to);
      storage.rename(from, to);
    }
  }

  private void makeRoom(String from, String to) throws IOException {
    long length = length(from);
    long archived = length(to);
    if (archived != length) {
      throw new IOException(
          "Cannot archive %s (%d bytes): %s is there and has %d bytes. Move one of them away"
              .formatted(from, length, to, archived));
    }
    long suffix = modifiedMillis(to);
    while (storage.exists(to + "." + suffix)) {
      suffix++;
    }
    storage.rename(to, to + "." + suffix);
  }

  private long modifiedMillis(String path) throws IOException {
    return storage.list(path.substring(0, path.lastIndexOf('/'))).stream()
        .filter(file -> file.path().equals(path))
        .mapToLong(Storage.FileInfo::modifiedMillis)
        .findFirst()
        .orElse(0);
  }

  /** Returns where Hadoop's local file system, as HBase uses it, keeps a file's checksums. */
  private static String checksums(String path) {
    int name = path.lastIndexOf('/') + 1;
    return path.substring(0, name) + "." + path.substring(name) + ".crc";
  }

  private long length(String path) throws IOException {
    try (ReadableFile file = storage.open(path)) {
      return file.length();
    }
  }

  private static boolean isStore(Storage.FileInfo directory) {
    return directory.directory()
        && !directory.name().startsWith(".")
        && !directory.name().equals(RECOVERED_EDITS);
  }
}
