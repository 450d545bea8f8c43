package dev.cairn.server.config;

import java.util.List;

/** The keys that set a server's folders and their permissions. */
public final class FolderKeys {
  /** {@code hbase.rootdir}. */
  public static final ConfigKey<String> ROOT_DIR =
      ConfigKey.text(
          "hbase.rootdir",
          "",
          "Folder that holds all data: a path, a file: URL or, if hbase.cluster.distributed"
              + " is true, an hdfs: URL. Default: data/ beside bin/.");

  /** {@code hbase.wal.dir}. */
  public static final ConfigKey<String> WAL_DIR =
      ConfigKey.text(
          "hbase.wal.dir",
          "",
          "Folder that holds the logs, in HBase's layout: a path or a URL outside of"
              + " hbase.rootdir. Default: hbase.rootdir itself.");

  /** {@code cairn.umask}. */
  public static final ConfigKey<Integer> UMASK =
      umask(
          "cairn.umask",
          "077",
          077,
          "Permissions of group and others that the server removes from the files and folders"
              + " it creates. If not set: all of them in a new folder; in an existing folder,"
              + " those that the folder itself does not have.");

  /** The switch for {@link #DATA_UMASK}. */
  public static final ConfigKey<Boolean> DATA_UMASK_ENABLED =
      ConfigKey.flag(
          "hbase.data.umask.enable",
          false,
          "Whether hbase.data.umask applies while cairn.umask is not set.");

  /** HBase's key for {@link #UMASK}. The owner's bits have no effect. */
  public static final ConfigKey<Integer> DATA_UMASK =
      umask(
          "hbase.data.umask",
          "000",
          0777,
          "Replaces cairn.umask if that is not set and hbase.data.umask.enable is true. The"
              + " owner keeps all permissions.");

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
