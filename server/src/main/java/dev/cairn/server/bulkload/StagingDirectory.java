package dev.cairn.server.bulkload;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.ReadableFile;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * Holds files while they are loaded. As in HBase, each run of a loading tool has a directory {@code
 * staging/USER__TABLE__RANDOM}. The tool gets the URL of the directory and passes it with each
 * call.
 */
public final class StagingDirectory {
  private static final String HOME = "staging";
  private static final int RANDOM_BYTES = 40;
  private static final Pattern NAME = Pattern.compile("[\\w.@-]{1,255}");
  private static final Pattern UNFIT = Pattern.compile("[^\\w.@-]");

  private final Storage storage;
  private final RandomGenerator random;

  /**
   * Creates the directories of a root directory.
   *
   * @param random draws their names, which others must not guess; thread-safe
   */
  public StagingDirectory(Storage storage, RandomGenerator random) {
    this.storage = storage;
    this.random = random;
  }

  /** Makes a directory and returns its URL. */
  public String prepare(String user, TableName table) throws IOException {
    byte[] drawn = new byte[RANDOM_BYTES];
    random.nextBytes(drawn);
    String name =
        UNFIT.matcher(user + "__" + table).replaceAll("_")
            + "__"
            + new BigInteger(1, drawn).toString(Character.MAX_RADIX);
    String path = Storage.join(HOME, name);
    storage.createDirectories(path);
    return storage.url(path);
  }

  /**
   * Returns the path in the storage of a directory that {@link #prepare} has made.
   *
   * @throws DoNotRetryIOException if {@code url} is not such a directory
   */
  public String path(String url) throws DoNotRetryIOException {
    String name = Storage.name(url);
    if (!NAME.matcher(name).matches()
        || name.startsWith(".")
        || !url.equals(storage.url(Storage.join(HOME, name)))) {
      throw new DoNotRetryIOException(
          url
              + " is no staging directory of this cluster: those are in "
              + storage.url(HOME)
              + " and are made by PrepareBulkLoad");
    }
    return Storage.join(HOME, name);
  }

  /**
   * Deletes a directory, unless it still has files, which belong to users.
   *
   * @return the URLs of the files that are left
   */
  public List<String> cleanUp(String url) throws IOException {
    String path = path(url);
    List<String> left = new ArrayList<>();
    for (Storage.FileInfo family : storage.list(path)) {
      storage.list(family.path()).forEach(file -> left.add(storage.url(file.path())));
    }
    if (left.isEmpty()) {
      storage.delete(path);
    }
    return left;
  }

  /** Tells whether a file is there. */
  public boolean holds(String path) throws IOException {
    return storage.exists(path);
  }

  /** Returns the length of a file in a staging directory; 0 if it is not there any more. */
  public long length(String path) throws IOException {
    try (ReadableFile file = storage.open(path)) {
      return file.length();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Returns the URL of a path in the storage. */
  public String url(String path) {
    return storage.url(path);
  }
}
