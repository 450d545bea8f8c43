package dev.cairn.engine.changes;

import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The record of archived log files that the log cleaner has deleted: it tells whether a reader
 * would miss changes. Has the newest names, and for all older ones the latest time:
 *
 * <pre>
 *   cairn.changes/deleted-logs    a line for each file: millis name; the first line: millis *
 * </pre>
 */
public final class DeletedLogs {
  private static final String PATH = ChangeCursors.DIRECTORY + "/deleted-logs";
  private static final String OLDER = "*";
  private static final int NAMES_MAX = 2_000;

  private final Map<String, Long> names; // when each was last written
  private final long olderMillis;

  private DeletedLogs(Map<String, Long> names, long olderMillis) {
    this.names = names;
    this.olderMillis = olderMillis;
  }

  /** Reads the record, which is empty if there is none. */
  static DeletedLogs read(Storage root) throws IOException {
    Map<String, Long> names = new HashMap<>();
    long older = Long.MIN_VALUE;
    String text;
    try {
      text = new String(root.readAll(PATH), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return new DeletedLogs(names, older);
    }
    for (String line : text.split("\n")) {
      int space = line.indexOf(' ');
      try {
        long millis = Long.parseLong(line.substring(0, Math.max(0, space)));
        if (line.substring(space + 1).equals(OLDER)) {
          older = millis;
        } else {
          names.put(line.substring(space + 1), millis);
        }
      } catch (NumberFormatException e) {
        throw new IOException(PATH + " is damaged: " + line, e);
      }
    }
    return new DeletedLogs(names, older);
  }

  /** Records those of the files that have changes and are about to be deleted. */
  public static void add(Storage root, List<Storage.FileInfo> files) throws IOException {
    List<Storage.FileInfo> logs = files.stream().filter(LogFile::isArchivedLog).toList();
    if (logs.isEmpty()) {
      return;
    }
    DeletedLogs before = read(root);
    Map<String, Long> names = new HashMap<>(before.names);
    logs.forEach(file -> names.put(file.name(), file.modifiedMillis()));
    long older = before.olderMillis;
    StringBuilder text = new StringBuilder();
    List<Map.Entry<String, Long>> sorted =
        names.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .toList();
    for (int i = 0; i < sorted.size(); i++) {
      if (i < NAMES_MAX) {
        text.append(sorted.get(i).getValue()).append(' ').append(sorted.get(i).getKey());
        text.append('\n');
      } else {
        older = Math.max(older, sorted.get(i).getValue());
      }
    }
    String first = older == Long.MIN_VALUE ? "" : older + " " + OLDER + "\n";
    root.writeAll(PATH, (first + text).getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the names that are recorded. */
  Set<String> names() {
    return names.keySet();
  }

  /**
   * Returns when the newest deleted file was written that was written at {@code millis} or later
   * and is not among the files that a reader has; {@code Long.MIN_VALUE} if there is none.
   *
   * @param known tells of a name whether the reader needs the file no more, or has it
   */
  long newestSince(long millis, Predicate<String> known) {
    long newest = olderMillis >= millis ? olderMillis : Long.MIN_VALUE;
    for (Map.Entry<String, Long> name : names.entrySet()) {
      if (name.getValue() >= millis && !known.test(name.getKey())) {
        newest = Math.max(newest, name.getValue());
      }
    }
    return newest;
  }
}
