package dev.cairn.engine.wal.file;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import java.util.Comparator;
import java.util.OptionalLong;

/**
 * The names of log files: {@code prefix.number}, and {@code prefix.meta.number.meta} for the log of
 * {@code hbase:meta}. HBase also uses {@code prefix.group.number}.
 */
public final class WalFileName {
  /** The order in which files of one server were begun. */
  public static final Comparator<FileInfo> ORDER =
      Comparator.<FileInfo>comparingLong(file -> number(file.path()).orElse(0))
          .thenComparing(FileInfo::path);

  public static final String META_SUFFIX = ".meta";

  private WalFileName() {}

  /**
   * Returns the path of a file. If the prefix is that of {@code hbase:meta}, the name ends in
   * {@code .meta}, too.
   */
  public static String of(String directory, String prefix, long number) {
    String name = prefix + "." + number;
    return Storage.join(directory, prefix.endsWith(META_SUFFIX) ? name + META_SUFFIX : name);
  }

  /**
   * Tells whether a file is no log, but a checksum file of Hadoop's local file system: {@code
   * .name.crc}.
   */
  public static boolean isSideFile(String name) {
    return name.startsWith(".") && name.endsWith(".crc");
  }

  /** Tells whether a file holds the entries of {@code hbase:meta} alone. */
  public static boolean isOfMeta(String path) {
    return path.endsWith(META_SUFFIX);
  }

  /** Returns the number in a file's name; empty if it is not the name of a log file. */
  public static OptionalLong number(String path) {
    String name = Storage.name(path);
    if (name.endsWith(META_SUFFIX)) {
      name = name.substring(0, name.length() - META_SUFFIX.length());
    }
    String digits = name.substring(name.lastIndexOf('.') + 1);
    if (digits.length() == name.length()
        || digits.isEmpty()
        || digits.length() > 18
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(digits));
  }
}
