package dev.cairn.server.config;

import java.util.List;

/** The keys that say which folders a server uses, and who may read them. */
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

  /** What group and others may not do with what a server makes. */
  public static final ConfigKey<Integer> UMASK =
      umask(
          "cairn.umask",
          "077",
          077,
          "What group and others may not do with files and folders that a server makes. If not set:"
              + " nothing in a new folder, and in one that exists what that folder says.");

  /** Whether {@link #DATA_UMASK} counts. */
  public static final ConfigKey<Boolean> DATA_UMASK_ENABLED =
      ConfigKey.flag(
          "hbase.data.umask.enable",
          false,
          "Whether hbase.data.umask says what cairn.umask says, if that is not set.");

  /** HBase's name of {@link #UMASK}; what it takes from the owner is not taken. */
  public static final ConfigKey<Integer> DATA_UMASK =
      umask(
          "hbase.data.umask",
          "000",
          0777,
          "As cairn.umask, while hbase.data.umask.enable is true. The owner's rights stay.");

  private FolderKeys() {}

  private static ConfigKey<Integer> umask(
      String name, String defaultText, int most, String sentence) {
    return new ConfigKey<>(
        name,
        defaultText,
        "octal, 000 to %03o".formatted(most),
        sentence,
        text -> Integer.parseInt(text, 8),
        umask -> umask >= 0 && umask <= most);
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> all() {
    return List.of(ROOT_DIR, WAL_DIR, UMASK, DATA_UMASK_ENABLED, DATA_UMASK);
  }
}
