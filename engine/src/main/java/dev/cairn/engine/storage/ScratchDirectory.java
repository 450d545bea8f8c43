package dev.cairn.engine.storage;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A directory for the unfinished files of one owner of a place, and the fence around that owner.
 *
 * <pre>
 *   parent/epoch-order        the owner's directory, named by its {@link FencingToken}
 *   parent/epoch-order/file   a file that is being written
 * </pre>
 *
 * <p>Every file that an owner publishes is written here and moved to its place. The next owner
 * {@linkplain #claim claims} the place: it makes a directory of its own and deletes those of all
 * earlier owners, before it looks at what is published. So a file of an earlier owner is either
 * published before the next owner looks, or its publication fails because its source is gone. Only
 * a claim makes the directory; {@link Storage#createIn} does not. A late claim, by an owner that
 * was paused, finds the directory of a later owner and fails, or finds that the place is deleted.
 *
 * <p>Thread-safe.
 */
public final class ScratchDirectory {
  private final Storage storage;
  private final String path;
  private final AtomicLong serial = new AtomicLong();

  private ScratchDirectory(Storage storage, String path) {
    this.storage = storage;
    this.path = path;
  }

  /**
   * Makes the directory of a new owner in {@code parent} and deletes everything else there. A power
   * cut may bring deleted files back, and may remove the new directory.
   *
   * @param token orders the owners; if empty, the new owner is the latest one
   * @throws FencedException if a later owner has claimed the place
   * @throws IOException also if the directory above {@code parent} does not exist: a late claim
   *     does not create a deleted place again
   */
  public static ScratchDirectory claim(Storage storage, String parent, Optional<FencingToken> token)
      throws IOException {
    FencingToken own =
        token.orElse(
            latestOwner(storage, parent).map(FencingToken::next).orElse(new FencingToken(0, 1)));
    String path = Storage.join(parent, own.toString());
    create(storage, parent, path);
    List<Storage.FileInfo> present = storage.list(parent);
    FencingToken latest = latest(present).orElse(own);
    if (latest.compareTo(own) > 0) {
      storage.discard(path);
      throw new FencedException(
          "%s belongs to the owner %s, which is later than %s".formatted(parent, latest, own));
    }
    for (Storage.FileInfo other : present) {
      if (!other.path().equals(path)) {
        storage.discard(other.path());
      }
    }
    for (Storage.FileInfo left : storage.list(path)) { // of an earlier attempt of the same owner
      storage.discard(left.path());
    }
    return new ScratchDirectory(storage, path);
  }

  /**
   * Returns a directory that does not exist, for a reader of the place {@code parent} who owns
   * nothing. Every attempt to write or publish a file there fails with {@link FencedException}.
   */
  public static ScratchDirectory unowned(Storage storage, String parent) {
    return new ScratchDirectory(storage, Storage.join(parent, "unowned"));
  }

  /** Returns the token of the latest owner of the place {@code parent}; empty if it has none. */
  public static Optional<FencingToken> latestOwner(Storage storage, String parent)
      throws IOException {
    return latest(storage.list(parent));
  }

  private static void create(Storage storage, String parent, String path) throws IOException {
    try {
      storage.createScratch(path);
    } catch (NoSuchFileException e) {
      try {
        storage.createScratch(parent);
        storage.createScratch(path);
      } catch (NoSuchFileException gone) {
        throw new IOException("The directory of " + parent + " does not exist any more", gone);
      }
    }
  }

  private static Optional<FencingToken> latest(List<Storage.FileInfo> present) {
    return present.stream()
        .filter(Storage.FileInfo::directory)
        .flatMap(child -> FencingToken.parse(child.name()).stream())
        .max(FencingToken::compareTo);
  }

  /** Returns the token of the directory's owner; the lowest one if nobody owns it. */
  public FencingToken owner() {
    return FencingToken.parse(Storage.name(path)).orElse(new FencingToken(0, 0));
  }

  /** Returns the directory's path. */
  public String path() {
    return path;
  }

  /** Returns the path of a file in the directory. */
  public String file(String name) {
    return Storage.join(path, name);
  }

  /**
   * Throws if another owner has taken over. The answer may be outdated as soon as it is given: only
   * a publication is fenced.
   *
   * @throws FencedException if the directory is gone
   */
  public void check() throws IOException {
    if (!storage.exists(path)) {
      throw new FencedException(path + " is gone: another owner has taken over");
    }
  }

  /**
   * Publishes a small file at {@code target}, after withdrawing an existing one. If the file
   * exists, it is complete. Creates no directories.
   *
   * @throws IOException also if another owner has taken over
   */
  public void writeAll(String target, byte[] bytes) throws IOException {
    String name = serial.incrementAndGet() + ".new";
    try (AppendFile file = create(name)) {
      file.write(bytes, 0, bytes.length);
      file.sync();
    }
    withdraw(target);
    publish(file(name), target);
  }

  /**
   * Moves a finished file of this directory to its place. Creates no directories.
   *
   * @throws IOException also if another owner has taken over
   */
  public void publish(String unfinished, String target) throws IOException {
    try {
      storage.moveIn(unfinished, target);
    } catch (NoSuchFileException e) {
      check();
      throw e;
    }
  }

  /**
   * Unpublishes a file and deletes it. Does nothing if there is none.
   *
   * @throws IOException also if another owner has taken over, because the file belongs to that
   *     owner
   */
  public void withdraw(String target) throws IOException {
    if (storage.exists(target)) {
      String withdrawn = file(serial.incrementAndGet() + ".withdrawn");
      try {
        publish(target, withdrawn);
      } catch (NoSuchFileException e) {
        if (storage.exists(target)) {
          throw e;
        }
        return; // The master may remove files as well, such as those of a dropped family.
      }
      storage.discard(withdrawn);
    }
  }

  /**
   * Creates a file in this directory.
   *
   * @throws FencedException if another owner has taken over
   */
  public AppendFile create(String name) throws IOException {
    try {
      return storage.createIn(file(name));
    } catch (NoSuchFileException e) {
      check();
      throw e;
    }
  }

  @Override
  public String toString() {
    return path;
  }
}
