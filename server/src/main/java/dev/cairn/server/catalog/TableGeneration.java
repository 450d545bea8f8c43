package dev.cairn.server.catalog;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.UUID;

/**
 * Marks tables for readers that follow their changes. A table's mark changes when rows disappear
 * without a record in the logs: the table is truncated, restored or created anew, one of its
 * regions is truncated, or a family is removed. A reader must not join the changes before and after
 * such an event.
 *
 * <p>The mark is the file {@code .cairn-generation} in the table's directory. A reader creates it.
 * An event that replaces the directory deletes it; for every other event, the master deletes it
 * before and after. A reader that finds the same mark twice has seen all changes in between.
 */
public final class TableGeneration {
  private static final String NAME = ".cairn-generation";

  private TableGeneration() {}

  /** Returns the mark of a table that exists; creates it if it is missing. */
  public static String of(Storage root, TableName table) throws IOException {
    String path = path(table);
    try {
      return new String(root.readAll(path), StandardCharsets.US_ASCII).strip();
    } catch (NoSuchFileException e) {
      String made = UUID.randomUUID().toString();
      root.writeAll(path, (made + "\n").getBytes(StandardCharsets.US_ASCII));
      return made;
    }
  }

  /** Removes the mark of a table. */
  static void end(Storage root, TableName table) throws IOException {
    root.delete(path(table));
  }

  private static String path(TableName table) {
    return TableFiles.directory(table) + "/" + NAME;
  }
}
