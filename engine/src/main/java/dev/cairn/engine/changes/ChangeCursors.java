package dev.cairn.engine.changes;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The named cursors of a root directory. While a cursor exists, the log cleaner keeps the archived
 * logs with changes after its position, up to the cursor's limits, and the cleaner of store files
 * keeps the files that those changes loaded in bulk.
 *
 * <pre>
 *   cairn.changes/cursors/name         position, time, limits and, if known, purpose: a line each
 *   cairn.changes/cursors/name.lost    why the cursor holds no logs any more
 * </pre>
 *
 * Thread-safe; one process at a time uses a cursor.
 */
public final class ChangeCursors {
  /** The directory for all about changes, within a root directory. */
  static final String DIRECTORY = "cairn.changes";

  private static final Logger LOG = LoggerFactory.getLogger(ChangeCursors.class);
  private static final String CURSORS = DIRECTORY + "/cursors";
  private static final String LOST = ".lost";

  /** The greatest difference between clocks, and between a load and its entry in the log. */
  private static final long SKEW_MILLIS = Duration.ofMinutes(1).toMillis();

  private static final String POSITION = "position";
  private static final String SAVED = "saved";
  private static final String LIMIT_BYTES = "limit.bytes";
  private static final String LIMIT_MILLIS = "limit.millis";
  private static final String PURPOSE = "purpose";

  private final Storage root;

  /** Creates the view of a root directory. */
  public ChangeCursors(Storage root) {
    this.root = root;
  }

  /** Returns all cursors, by name. */
  public List<ChangeCursor> list() throws IOException {
    List<ChangeCursor> cursors = new ArrayList<>();
    for (FileInfo file : root.list(CURSORS)) {
      if (!file.directory() && ChangeCursor.isName(file.name())) {
        find(file.name()).ifPresent(cursors::add);
      }
    }
    return cursors;
  }

  /**
   * Returns a cursor; empty if there is none of that name.
   *
   * @throws IOException also if its file is damaged
   */
  public Optional<ChangeCursor> find(String name) throws IOException {
    String path = CURSORS + "/" + name;
    String text;
    try {
      text = new String(root.readAll(path), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    Map<String, String> values = new HashMap<>();
    for (String line : text.split("\n")) {
      int space = Math.max(0, line.indexOf(' '));
      values.put(line.substring(0, space), line.substring(space).strip());
    }
    try {
      return Optional.of(
          new ChangeCursor(
              name,
              ChangePosition.parse(values.getOrDefault(POSITION, "")),
              Long.parseLong(values.getOrDefault(SAVED, "")),
              new ChangeCursor.Limits(
                  Long.parseLong(values.getOrDefault(LIMIT_BYTES, "")),
                  Long.parseLong(values.getOrDefault(LIMIT_MILLIS, ""))),
              Optional.ofNullable(values.get(PURPOSE)),
              lost(name)));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "The cursor "
              + name
              + " cannot be read: "
              + e.getMessage()
              + ". Until "
              + path
              + " is repaired or deleted, no archived log is deleted",
          e);
    }
  }

  private Optional<String> lost(String name) throws IOException {
    try {
      return Optional.of(
          new String(root.readAll(CURSORS + "/" + name + LOST), StandardCharsets.UTF_8).strip());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Writes a cursor, in place of the one that has its name.
   *
   * @throws ChangesLostException if the cursor is lost meanwhile
   */
  public void save(ChangeCursor cursor) throws IOException {
    String text =
        POSITION
            + " "
            + cursor.position().text()
            + "\n"
            + SAVED
            + " "
            + cursor.savedMillis()
            + "\n"
            + LIMIT_BYTES
            + " "
            + cursor.limits().bytes()
            + "\n"
            + LIMIT_MILLIS
            + " "
            + cursor.limits().millis()
            + "\n"
            + cursor.purpose().map(purpose -> PURPOSE + " " + purpose + "\n").orElse("");
    root.writeAll(CURSORS + "/" + cursor.name(), text.getBytes(StandardCharsets.UTF_8));
    requireHeld(cursor.name());
  }

  /**
   * Checks that a cursor holds logs.
   *
   * @throws ChangesLostException if it is lost; the message says why
   */
  public void requireHeld(String name) throws IOException {
    Optional<String> lost = lost(name);
    if (lost.isPresent()) {
      throw new ChangesLostException("the cursor " + name + " is lost: " + lost.get());
    }
  }

  /** Deletes a cursor; false if there is none. */
  public boolean delete(String name) throws IOException {
    boolean found = root.delete(CURSORS + "/" + name);
    root.delete(CURSORS + "/" + name + LOST);
    return found;
  }

  /**
   * Returns the archived logs that no cursor holds. A cursor that reaches a limit is lost by this
   * call.
   *
   * @param logs archived logs that nothing else needs
   */
  public List<FileInfo> release(List<FileInfo> logs, long nowMillis) throws IOException {
    List<FileInfo> released = new ArrayList<>(logs);
    for (ChangeCursor cursor : list()) {
      if (cursor.lost().isPresent()) {
        continue;
      }
      List<FileInfo> held =
          logs.stream()
              .filter(LogFile::isArchivedLog)
              .filter(log -> !cursor.position().isDone(log.name()))
              .toList();
      long bytes = held.stream().mapToLong(FileInfo::length).sum();
      long age = nowMillis - cursor.savedMillis();
      Optional<String> limit = limit(cursor, held, bytes, age);
      if (limit.isPresent()) {
        LOG.warn("The cursor {} of the changes is lost: {}", cursor.name(), limit.get());
        root.writeAll(
            CURSORS + "/" + cursor.name() + LOST, limit.get().getBytes(StandardCharsets.UTF_8));
      } else {
        released.removeAll(held);
      }
    }
    return released;
  }

  /**
   * Returns the tables whose changes cursors need, and since when. A file that was loaded in bulk
   * and has left its store since then must stay in the archive, because a change that a cursor has
   * not read may name it.
   *
   * @return moments by table, milliseconds since 1970
   */
  public Map<TableName, Long> neededSince() throws IOException {
    Map<TableName, Long> moments = new HashMap<>();
    for (ChangeCursor cursor : list()) {
      if (cursor.lost().isEmpty()) {
        long moment = Math.max(Long.MIN_VALUE + SKEW_MILLIS, cursor.position().listedMillis());
        for (TableName table : cursor.position().tables()) {
          moments.merge(table, moment - SKEW_MILLIS, Math::min);
        }
      }
    }
    return moments;
  }

  private static Optional<String> limit(
      ChangeCursor cursor, List<FileInfo> held, long bytes, long ageMillis) {
    if (held.isEmpty()) {
      return Optional.empty();
    }
    if (bytes > cursor.limits().bytes()) {
      return Optional.of(
          "it held %d archived logs of %d bytes, more than its limit of %d bytes"
              .formatted(held.size(), bytes, cursor.limits().bytes()));
    }
    if (ageMillis > cursor.limits().millis()) {
      return Optional.of(
          "it held %d archived logs and was not used for %d seconds, more than its limit of %d"
                  .formatted(held.size(), ageMillis / 1000, cursor.limits().millis() / 1000)
              + " seconds");
    }
    return Optional.empty();
  }
}
