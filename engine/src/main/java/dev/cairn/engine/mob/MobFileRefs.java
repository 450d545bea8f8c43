package dev.cairn.engine.mob;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.reader.HFileInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.DamagedFileException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The MOB files to which the cells of a store file refer, by table. The store file's file info
 * holds it under HBase's name {@code MOB_FILE_REFS}, so the needed MOB files are known without
 * reading the cells:
 *
 * <pre>
 *   table/file,file//table/file      or one byte 0 for none
 * </pre>
 *
 * A store file without the entry was written before HBase 2.3 or made for bulk loading; or it
 * belongs to a family that is no MOB family.
 *
 * @param files the names of files, by the table in whose directory they lie
 */
public record MobFileRefs(SortedMap<TableName, SortedSet<String>> files) {
  /** The name of the entry. */
  static final byte[] KEY = Bytes.utf8("MOB_FILE_REFS");

  /** No file. */
  public static final MobFileRefs NONE = new MobFileRefs(new TreeMap<>());

  private static final byte[] EMPTY = {0};

  /** Makes the maps unchangeable. */
  public MobFileRefs {
    SortedMap<TableName, SortedSet<String>> copy = new TreeMap<>();
    files.forEach((table, names) -> copy.put(table, Collections.unmodifiableSortedSet(names)));
    files = Collections.unmodifiableSortedMap(copy);
  }

  /**
   * Returns the references of a store file; empty if it has none.
   *
   * @param path the file, for the error
   * @throws IOException if they are malformed
   */
  public static Optional<MobFileRefs> of(String path, HFileInfo info) throws IOException {
    byte[] value = info.fileInfo().get(KEY);
    try {
      return value == null ? Optional.empty() : Optional.of(parse(value));
    } catch (IllegalArgumentException e) {
      throw new DamagedFileException(
          path, 0, "expected a list of MOB files (MOB_FILE_REFS); " + e.getMessage());
    }
  }

  /** Tells whether there is no file. */
  public boolean isEmpty() {
    return files.isEmpty();
  }

  static MobFileRefs parse(byte[] value) {
    SortedMap<TableName, SortedSet<String>> files = new TreeMap<>();
    String text = Arrays.equals(value, EMPTY) ? "" : Bytes.utf8(value);
    for (String part : text.split("//")) {
      int slash = part.indexOf('/');
      if (slash > 0) {
        SortedSet<String> names =
            files.computeIfAbsent(
                TableName.parse(part.substring(0, slash)), table -> new TreeSet<>());
        for (String name : part.substring(slash + 1).split(",")) {
          if (!name.isEmpty()) {
            names.add(name);
          }
        }
      }
    }
    return new MobFileRefs(files);
  }

  byte[] toBytes() {
    return files.isEmpty()
        ? EMPTY
        : Bytes.utf8(
            files.entrySet().stream()
                .map(entry -> entry.getKey() + "/" + String.join(",", entry.getValue()))
                .collect(Collectors.joining("//")));
  }
}
