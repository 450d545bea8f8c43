package dev.cairn.engine.region;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Lists the store files of a region that was closed normally. HBase's layout has no such list: a
 * store consists of whatever files its directory holds, so a deleted file goes unnoticed. With the
 * list, the next opening detects a missing file and refuses to serve the region without it.
 *
 * <pre>
 *   .cairn.files              in the region's directory; HBase ignores files there:
 *     family/name length      one line per file, the length in bytes
 *     crc32c                  of all bytes before, 8 hexadecimal digits
 * </pre>
 *
 * The list is valid only until another process opens the region. An opening removes the list after
 * it has found all files. A list is ignored if it is older than a store file or than the newest
 * mark in {@code recovered.edits}: then HBase, or an opening that crashed, has used the region
 * since. HBase may drop expired files without writing new ones, but it writes a mark whenever it
 * opens a region. One thread at a time.
 */
public final class ClosedFiles {
  /** The list's name in a region's directory. */
  public static final String NAME = ".cairn.files";

  private final Storage storage;
  private final RegionDirectory directory;

  /** Creates a view of the list in a region's directory. */
  public ClosedFiles(Storage storage, RegionDirectory directory) {
    this.storage = storage;
    this.directory = directory;
  }

  /**
   * Writes the list. The stores must not change until the next opening.
   *
   * @param scratch the directory of the region's owner
   */
  void write(List<Store> stores, ScratchDirectory scratch) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Store store : stores) {
      String family = store.family().nameAsString();
      Map<String, Long> present = lengths(family);
      for (StoreFile file : store.view().files()) {
        lines.append(family).append('/').append(file.name()).append(' ');
        lines.append(present.getOrDefault(file.name(), 0L)).append('\n');
      }
    }
    byte[] content = Bytes.utf8(lines.toString());
    scratch.writeAll(path(), Bytes.concat(content, Bytes.utf8(checksum(content) + "\n")));
  }

  /**
   * Checks that all listed files exist.
   *
   * @throws MissingStoreFileException naming a file that is missing
   * @throws DamagedFileException naming a file that has another length
   */
  void check(TableSchema schema) throws IOException {
    List<Line> lines = new ArrayList<>(read());
    lines.removeIf(line -> schema.family(Bytes.utf8(line.family())).isEmpty()); // removed since
    check(lines);
  }

  /** Checks the files of the list at {@code path}; returns at most one finding. */
  public static List<Finding> verify(Storage storage, String path) throws IOException {
    ClosedFiles list =
        new ClosedFiles(
            storage, new RegionDirectory(path.substring(0, path.length() - NAME.length() - 1)));
    try {
      list.check(list.read());
      return List.of();
    } catch (DamagedFileException e) {
      return List.of(new Finding(e.path(), e.offset(), "it is missing or truncated: " + e.what()));
    }
  }

  private void check(List<Line> lines) throws IOException {
    Map<String, Storage.FileInfo> present = new HashMap<>();
    for (Line line : lines) {
      for (Storage.FileInfo file : storage.list(directory.family(line.family()))) {
        present.put(line.family() + "/" + file.name(), file);
      }
    }
    if (isOutdated(present)) {
      return;
    }
    for (Line line : lines) {
      String path = Storage.join(directory.path(), line.file());
      Storage.FileInfo found = present.get(line.file());
      if (found == null) {
        throw new MissingStoreFileException(path, path());
      }
      if (found.length() != line.length()) {
        throw new DamagedFileException(
            path,
            Math.min(found.length(), line.length()),
            "expected " + line.length() + " bytes, found " + found.length());
      }
    }
  }

  /**
   * Removes the list durably.
   *
   * @throws IOException also if another owner has taken over, because the list belongs to that
   *     owner
   */
  void delete(ScratchDirectory scratch) throws IOException {
    scratch.withdraw(path());
  }

  /**
   * Removes the list durably. For the master, after it has dropped a family or emptied the region.
   */
  public void delete() throws IOException {
    if (storage.discard(path())) {
      storage.syncDirectory(directory.path());
    }
  }

  /** Returns the names of the store files on the list, without their families. */
  public List<String> names() throws IOException {
    return read().stream().map(Line::name).toList();
  }

  private boolean isOutdated(Map<String, Storage.FileInfo> present) throws IOException {
    long written =
        storage.list(directory.path()).stream()
            .filter(file -> file.name().equals(NAME))
            .mapToLong(Storage.FileInfo::modifiedMillis)
            .findFirst()
            .orElse(Long.MIN_VALUE);
    return new RecoveredEdits(storage, directory.path()).markedMillis() > written
        || present.values().stream()
            .anyMatch(file -> !file.directory() && file.modifiedMillis() > written);
  }

  private Map<String, Long> lengths(String family) throws IOException {
    Map<String, Long> lengths = new HashMap<>();
    for (Storage.FileInfo file : storage.list(directory.family(family))) {
      lengths.put(file.name(), file.length());
    }
    return lengths;
  }

  private record Line(String file, long length) {
    String family() {
      return file.substring(0, file.indexOf('/'));
    }

    String name() {
      return file.substring(file.indexOf('/') + 1);
    }
  }

  /** Returns the lines; none if the list does not exist or is damaged. */
  private List<Line> read() throws IOException {
    if (!storage.exists(path())) {
      return List.of();
    }
    String text;
    try {
      text = new String(storage.readAll(path()), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return List.of(); // the region's owner has just removed it
    }
    int end = text.lastIndexOf('\n', text.length() - 2) + 1;
    String content = text.substring(0, end);
    if (!text.substring(end).equals(checksum(Bytes.utf8(content)) + "\n")) {
      return List.of();
    }
    List<Line> lines = new ArrayList<>();
    for (String line : content.lines().toList()) {
      int space = line.lastIndexOf(' ');
      lines.add(new Line(line.substring(0, space), Long.parseLong(line.substring(space + 1))));
    }
    return lines;
  }

  private String path() {
    return Storage.join(directory.path(), NAME);
  }

  private static String checksum(byte[] content) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return "%08x".formatted((int) crc.getValue());
  }

  /** Reports that a store file is missing that its region had when it was closed. */
  public static final class MissingStoreFileException extends DamagedFileException {
    private static final long serialVersionUID = 1L;
    private static final String WHAT = "the region had this file when it was closed";

    private final String list;

    /**
     * Creates the exception.
     *
     * @param path the missing file
     * @param list the list that names the file. Without the list, the region opens without the
     *     file.
     */
    MissingStoreFileException(String path, String list) {
      super("The file " + path + " is missing: " + WHAT, path, 0, WHAT);
      this.list = list;
    }

    /** Returns the path of the list that names the file. */
    public String list() {
      return list;
    }
  }
}
