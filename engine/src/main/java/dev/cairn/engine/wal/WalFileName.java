package dev.cairn.engine.wal;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.FileInfo;
import java.util.Comparator;
import java.util.OptionalLong;

/** The names of log files: {@code prefix.number}, in HBase also {@code prefix.number.meta}. */
final class WalFileName {
  /** The order in which files of one server were begun. */
  static final Comparator<FileInfo> ORDER =
      Comparator.<FileInfo>comparingLong(file -> number(file.path()).orElse(0))
          .thenComparing(FileInfo::path);

  private static final String META_SUFFIX = ".meta";

  private WalFileName() {}

  static String of(String directory, String prefix, long number) {
    return Storage.join(directory, prefix + "." + number);
  }

  /**
   * Tells whether a file is no log, but what Hadoop's checksumming local file system puts beside
   * each file: {@code .name.crc}.
   */
  static boolean isSideFile(String name) {
    return name.startsWith(".") && name.endsWith(".crc");
  }

  /** Returns the number in a file's name; empty if it is not the name of a log file. */
  static OptionalLong number(String path) {
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
