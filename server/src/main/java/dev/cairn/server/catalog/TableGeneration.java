package dev.cairn.server.catalog;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.UUID;

/**
 * Marks tables for readers that follow their changes. A table's mark changes when rows go that no
 * log records: when the table is truncated, restored or created anew, one of its regions is
 * truncated, or a family is removed. Changes before and after such an event do not continue each
 * other.
 *
 * <p>The mark is the file {@code .cairn-generation} in the table's directory. A reader makes it. It
 * goes with the directory, and the master removes it before and after each other event: a reader
 * that has seen the same mark twice has seen all changes between.
 */
public final class TableGeneration {
  private static final String NAME = ".cairn-generation";

  private TableGeneration() {}

  /** Returns the mark of a table that exists, and makes it if it is missing. */
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
