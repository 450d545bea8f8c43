package dev.cairn.engine.storage;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Locale;

/**
 * The disk has no room left: the device is full, or the quota of this user is used up. The write
 * was not done, or only in part; nothing else is damaged, and it can be retried once there is room.
 */
public final class DiskFullException extends IOException {
  /**
   * The messages of a full disk: ENOSPC and EDQUOT on Linux and macOS, ERROR_DISK_FULL and
   * ERROR_HANDLE_DISK_FULL on Windows, and the quotas of HDFS. Java passes on the message without
   * the error number.
   */
  private static final List<String> WORDINGS =
      List.of(
          "no space left on device",
          "disk quota exceeded",
          "disc quota exceeded",
          "not enough space on the disk",
          "disk is full",
          "the diskspace quota of",
          "the namespace quota (directories and files) of",
          "quota by storage type");

  private final String path;

  /** Creates the exception for an attempt to write at {@code path}. */
  public DiskFullException(String path, Throwable cause) {
    super("The disk is full: no room for " + path + " (" + cause.getMessage() + ")", cause);
    this.path = path;
  }

  /** Creates the exception for an attempt to write at {@code path}, with a reason for people. */
  public DiskFullException(String path, String reason) {
    super("The disk is full: no room for " + path + " (" + reason + ")");
    this.path = path;
  }

  /** Returns the path of the file that could not be written. */
  public String path() {
    return path;
  }

  /** Tells whether a full disk caused {@code failure}. */
  public static boolean isCauseOf(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 20; depth++) {
      if (cause instanceof DiskFullException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  /**
   * Returns the exception for a write at {@code path} that ended with {@code failure}: that, or an
   * exception of this class if it reports a full disk.
   */
  public static IOException of(String path, IOException failure) {
    return isSaidBy(failure) ? new DiskFullException(path, failure) : failure;
  }

  /** Tells whether {@code failure}, of the operating system, reports a full disk. */
  static boolean isSaidBy(IOException failure) {
    if (failure instanceof DiskFullException) {
      return true;
    }
    String text =
        failure instanceof FileSystemException of && of.getReason() != null
            ? of.getReason()
            : failure.getMessage();
    if (text == null) {
      return false;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    return WORDINGS.stream().anyMatch(lower::contains);
  }
}
