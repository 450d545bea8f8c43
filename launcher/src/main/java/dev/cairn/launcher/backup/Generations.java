package dev.cairn.launcher.backup;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Marks of tables. A mark changes when its table is truncated, restored or created anew; the logs
 * do not record this. The mark is the file {@code .cairn-generation} in the table's directory, and
 * is removed with the directory.
 */
final class Generations {
  private static final String NAME = ".cairn-generation";

  private Generations() {}

  /**
   * Returns the marks of tables, and makes those that are missing.
   *
   * @throws BackupException if there is no such table
   */
  static Map<TableName, String> of(Storage root, Collection<TableName> tables) throws IOException {
    Map<TableName, String> marks = new TreeMap<>();
    for (TableName table : tables) {
      String directory = "data/" + table.namespace() + "/" + table.qualifier();
      if (!root.exists(directory + "/.tabledesc")) {
        throw new BackupException("there is no table " + table);
      }
      marks.put(table, mark(root, directory));
    }
    return marks;
  }

  private static String mark(Storage root, String directory) throws IOException {
    String path = directory + "/" + NAME;
    try {
      return new String(root.readAll(path), StandardCharsets.US_ASCII).strip();
    } catch (NoSuchFileException e) {
      String made = UUID.randomUUID().toString();
      root.writeAll(path, (made + "\n").getBytes(StandardCharsets.US_ASCII));
      return made;
    }
  }
}
