package dev.cairn.server.config;

import java.util.List;

/** The keys that say which folders a server uses. */
public final class FolderKeys {
  /** {@code hbase.rootdir}. */
  public static final ConfigKey<String> ROOT_DIR =
      ConfigKey.text(
          "hbase.rootdir",
          "",
          "The folder that holds all data, a path or a file: URL; data/ beside bin/ if not set.");

  /** Where the logs lie. */
  public static final ConfigKey<String> WAL_DIR =
      ConfigKey.text(
          "hbase.wal.dir",
          "",
          "The folder that holds the logs, in HBase's layout, a path or a file: URL outside of"
              + " hbase.rootdir; hbase.rootdir itself if not set.");

  private FolderKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(ROOT_DIR, WAL_DIR);
  }
}
