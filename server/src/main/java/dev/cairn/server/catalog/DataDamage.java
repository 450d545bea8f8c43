package dev.cairn.server.catalog;

import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.region.ClosedFiles.MissingStoreFileException;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.wal.file.CorruptWalException;
import dev.cairn.engine.wal.file.UnsupportedWalException;
import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;

/**
 * Distinguishes damaged data from temporary errors, and describes the remedy. Stateless.
 *
 * <p>Damage affects one file and everything that needs the file: those calls are refused with the
 * reason, and all other data is served. After a temporary error, such as a full disk, the server
 * retries.
 */
public final class DataDamage {
  private DataDamage() {}

  /**
   * Tells whether every retry fails like {@code failure}, until somebody restores a file or changes
   * a setting. A programming error is no damage.
   */
  public static boolean isPermanent(Throwable thrown) {
    Throwable failure = unwrapped(thrown);
    return failure instanceof DamagedFileException
        || failure instanceof UnsupportedFileException
        || failure instanceof UnsupportedWalException
        || isMissingFile(failure);
  }

  /**
   * Tells whether {@code thrown} reports a missing file. That is temporary if the file was found in
   * a directory shortly before, and another process may have moved it.
   */
  public static boolean isMissingFile(Throwable thrown) {
    Throwable failure = unwrapped(thrown);
    return failure instanceof NoSuchFileException || failure instanceof FileNotFoundException;
  }

  /**
   * Returns the complete message for users: what failed, why, and what to do.
   *
   * @param what the action that failed, as the beginning of a sentence
   */
  public static String message(String what, Throwable thrown) {
    Throwable failure = unwrapped(thrown);
    return what + ": " + reason(failure) + ". " + remedy(failure);
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof UncheckedIOException ? failure.getCause() : failure;
  }

  private static String reason(Throwable failure) {
    if (failure instanceof NoSuchFileException missing) {
      return "the file " + missing.getFile() + " is missing";
    }
    return failure instanceof RuntimeException || failure.getMessage() == null
        ? failure.toString()
        : failure.getMessage();
  }

  private static String remedy(Throwable failure) {
    if (failure instanceof CorruptWalException) {
      return "No data is discarded. Restore the file from a backup and start again, or set"
          + " hbase.hlog.split.skip.errors=true to recover only the entries before the"
          + " damage";
    }
    if (failure instanceof UnsupportedFileException || failure instanceof UnsupportedWalException) {
      return "Serve it with Apache HBase, or remove that feature with Apache HBase";
    }
    if (failure instanceof MissingStoreFileException missing) {
      return "Restore the file from a backup and start again. Only if the file is lost for good,"
          + " delete "
          + missing.list()
          + " and start again: the region is then served without the file's cells";
    }
    return "Restore the file from a backup and start again; until then the server"
        + " changes none of its files. bin/cairn verify checks all files";
  }
}
