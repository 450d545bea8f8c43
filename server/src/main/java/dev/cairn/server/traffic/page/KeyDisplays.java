package dev.cairn.server.traffic.page;

import dev.cairn.keys.KeyDisplay;

/** Finds how the row keys of tables are shown. Thread-safe. */
public interface KeyDisplays {
  /** Returns the display of a table of which this process has an open region. Reads no file. */
  KeyDisplay ofOpen(String table);

  /**
   * Returns the display of any table. May read its descriptor from the root directory.
   *
   * @throws IllegalArgumentException if it cannot be the name of a table
   */
  KeyDisplay of(String table);
}
