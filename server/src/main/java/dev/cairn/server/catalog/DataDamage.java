package dev.cairn.server.catalog;

import dev.cairn.engine.hfile.UnsupportedFileException;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.wal.CorruptWalException;
import dev.cairn.engine.wal.UnsupportedWalException;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;

/**
 * Tells damaged data from errors that pass, and says what people may do about it. Stateless.
 *
 * <p>Damage concerns one file, and what needs that file: it refuses with the reason, and everything
 * else is served. An error that passes, such as a full disk, is waited for.
 */
public final class DataDamage {
  private DataDamage() {}

  /**
   * Tells whether {@code failure} ends every further attempt the same way, until somebody brings a
   * file back or changes a setting.
   */
  public static boolean isLasting(Throwable failure) {
    return failure instanceof DamagedFileException
        || failure instanceof UnsupportedFileException
        || failure instanceof UnsupportedWalException
        || failure instanceof NoSuchFileException
        || failure instanceof FileNotFoundException
        || failure instanceof RuntimeException;
  }

  /**
   * Returns the whole message for people.
   *
   * @param what what cannot be done because of {@code failure}, the beginning of a sentence
   */
  public static String told(String what, Throwable failure) {
    return what + ": " + reason(failure) + ". " + remedy(failure);
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
      return "Nothing is given up; bring the file back from a copy and start again, or set"
          + " hbase.hlog.split.skip.errors=true to go on with what stands before the damage";
    }
    if (failure instanceof UnsupportedFileException || failure instanceof UnsupportedWalException) {
      return "Serve it with Apache HBase, or change it there";
    }
    return "Bring the file back from a copy and start again; until then nothing of it is changed."
        + " bin/cairn verify checks all files";
  }
}
