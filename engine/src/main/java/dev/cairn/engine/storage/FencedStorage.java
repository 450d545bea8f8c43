package dev.cairn.engine.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A storage whose owner changes. An earlier owner can change no names, however long it was paused.
 *
 * <pre>
 *   parent/owner-epoch        the fence: a directory of the owner, named by its epoch
 *   parent/owner-epoch/…      files and directories between two names
 *   parent/owner-epoch/lent-… scratch directories of other processes that work for the owner
 *   parent/staging-epoch/…    files that the owner prepares; changes there are not fenced
 *   parent/taken-epoch-next   the fence of an earlier owner, which the next one renamed
 * </pre>
 *
 * <p>Every change of a name outside of these directories goes through the fence. A new file is
 * written in the fence and moved to its place. A deleted file is moved into the fence and deleted
 * there. The next owner {@linkplain #takeOver renames} the fence; then these moves fail, because
 * their directory is gone. So a change is complete before the next owner begins, or it does not
 * happen. {@link #abandoned} finds the files that an earlier owner left between two names.
 *
 * <p>A move of a file from {@code parent} to the archive is not fenced, because names of archived
 * files are not used again. To make a directory appear with all its files, the owner makes it in
 * {@link #staging} and renames it. A file gets its name when it is closed.
 *
 * <p>Reads need no owner. Changes fail with a {@link FencedException} before {@link #claim}.
 * Thread-safe. Closing does nothing: the storage is not owned.
 */
public final class FencedStorage extends ForwardingStorage {
  private static final String OWNER = "owner-";
  private static final String STAGING = "staging-";
  private static final String TAKEN = "taken-";
  private static final String MOVING = "from-";
  private static final String LENT = "lent-";

  private final Storage storage;
  private final String parent;
  private final String archive;
  private final AtomicLong serial = new AtomicLong();
  private volatile Optional<Long> epoch = Optional.empty();

  /** True if no other object can have the same epoch. */
  private volatile boolean taken;

  /**
   * Creates a view of {@code storage} that has no owner yet.
   *
   * @param parent the directory of the fences
   * @param archive the directory below which no name is used twice
   */
  public FencedStorage(Storage storage, String parent, String archive) {
    super(storage);
    this.storage = storage;
    this.parent = parent;
    this.archive = archive;
  }

  /**
   * Makes the fence of a new owner. From now on this object changes names as that owner. The caller
   * must not change names before it has {@linkplain #takeOver taken over}. Between these calls it
   * must check that it may still take over. An owner that may take over later finds this fence and
   * chooses a higher number. May be repeated with a higher number.
   *
   * @param newEpoch the owner's number, higher than {@link #latestEpoch}
   */
  public void claim(long newEpoch) throws IOException {
    storage.createDirectories(Storage.join(parent, OWNER + newEpoch));
    epoch = Optional.of(newEpoch);
  }

  /**
   * Renames the fences of all earlier owners, and deletes their staging directories. May be
   * repeated.
   *
   * @throws FencedException if there is a later owner
   */
  public void takeOver() throws IOException {
    long own = owner();
    for (FileInfo left : storage.list(parent)) {
      Optional<Long> earlier = number(left.name(), OWNER);
      if (earlier.filter(other -> other > own).isPresent()) {
        throw new FencedException(left.path() + " is of a later owner than " + own);
      }
      if (earlier.filter(other -> other < own).isPresent()) {
        storage.rename(
            left.path(), Storage.join(parent, TAKEN + earlier.get() + "-" + own + "-" + next()));
      } else if (number(left.name(), STAGING).filter(other -> other < own).isPresent()) {
        storage.discard(left.path());
      }
    }
    taken = true;
  }

  /**
   * Returns the renamed fences of earlier owners. The caller may delete each one after it has dealt
   * with the contents that {@link #moving(String)} returns.
   */
  public List<String> abandoned() throws IOException {
    return storage.list(parent).stream()
        .filter(entry -> entry.name().startsWith(TAKEN))
        .map(FileInfo::path)
        .toList();
  }

  /**
   * Returns the directories in {@code abandoned} that hold files or directories between two names,
   * each below its old path.
   *
   * @param abandoned one of those that {@link #abandoned} returns
   */
  public List<String> moving(String abandoned) throws IOException {
    return holders(storage, abandoned);
  }

  /**
   * Returns the present paths of files that an owner is moving to another name.
   *
   * @param storage the storage without fences
   * @param parent the directory of the fences
   * @param paths the old names
   */
  public static List<String> moving(Storage storage, String parent, List<String> paths)
      throws IOException {
    List<String> found = new ArrayList<>();
    for (FileInfo fence : storage.list(parent)) {
      if (fence.name().startsWith(OWNER) || fence.name().startsWith(TAKEN)) {
        for (String holder : holders(storage, fence.path())) {
          for (String path : paths) {
            found.add(Storage.join(holder, path));
          }
        }
      }
    }
    return found;
  }

  private static List<String> holders(Storage storage, String fence) throws IOException {
    return storage.list(fence).stream()
        .filter(entry -> entry.name().startsWith(MOVING))
        .map(FileInfo::path)
        .toList();
  }

  /**
   * Returns the directory in which the owner prepares directories that appear with all their files.
   * Changes below it are not fenced. It may not exist yet.
   */
  public String staging() throws FencedException {
    return Storage.join(parent, STAGING + owner());
  }

  /**
   * Makes a scratch directory for another process that works for the owner. The process can move
   * files out of it until the owner {@linkplain #recall recalls} it, or another owner takes over.
   *
   * @param number not used before by this owner
   */
  public void lend(long number) throws IOException {
    prepare(lent(number), "");
  }

  /** Returns the path of the scratch directory that the owner has lent under a number. */
  public String lent(long number) throws FencedException {
    return lent(parent, owner(), number);
  }

  /**
   * Returns the path of a scratch directory, for the process that works in it.
   *
   * @param parent the directory of the fences
   * @param epoch the number of the owner
   */
  public static String lent(String parent, long epoch, long number) {
    return Storage.join(parent, OWNER + epoch + "/" + LENT + number);
  }

  /** Takes a scratch directory back and deletes it. Does nothing if it does not exist. */
  public void recall(long number) throws IOException {
    delete(lent(number));
  }

  /**
   * Returns the highest epoch of an owner; -1 if there was none. An owner that ends in order leaves
   * its fence, so the epoch stays known until the next owner begins.
   */
  public long latestEpoch() throws IOException {
    return storage.list(parent).stream()
        .flatMap(entry -> number(entry.name(), OWNER).stream())
        .mapToLong(Long::longValue)
        .max()
        .orElse(-1);
  }

  /** Ends the ownership of this object, and deletes its staging directory if it has taken over. */
  public void release() throws IOException {
    if (epoch.isPresent()) {
      String staging = staging();
      epoch = Optional.empty();
      if (taken) {
        storage.discard(staging);
      }
    }
  }

  @Override
  public AppendFile create(String path) throws IOException {
    if (isOwn(path)) {
      return storage.create(path);
    }
    String passing = Storage.join(fence(), "new-" + next());
    if (storage.exists(path)) {
      throw new FileAlreadyExistsException(path);
    }
    try {
      return new PassingFile(path, storage.createIn(passing));
    } catch (NoSuchFileException e) {
      checkOwner(e);
      throw e;
    }
  }

  @Override
  public AppendFile createIn(String path) throws IOException {
    if (isOwn(path)) {
      return storage.createIn(path);
    }
    checkParent(path);
    return create(path);
  }

  /**
   * @throws UnsupportedOperationException always: logs have a fence of their own
   */
  @Override
  public AppendFile createFenced(String path) {
    throw new UnsupportedOperationException("Logs are not written here: " + path);
  }

  @Override
  public void createAll(List<SmallFile> files) throws IOException {
    for (SmallFile file : files) {
      if (!isOwn(file.path())) {
        super.createAll(files);
        return;
      }
    }
    storage.createAll(files);
  }

  @Override
  public void createDirectories(String path) throws IOException {
    if (isOwn(path)) {
      storage.createDirectories(path);
      return;
    }
    while (!storage.exists(path)) {
      int end = path.length();
      for (int slash = path.lastIndexOf('/');
          slash > 0 && !storage.exists(path.substring(0, slash));
          slash = path.lastIndexOf('/', slash - 1)) {
        end = slash;
      }
      String prepared = Storage.join(staging(), Long.toString(next()));
      storage.createDirectories(prepared + path.substring(end));
      try {
        rename(prepared, path.substring(0, end));
      } catch (FileAlreadyExistsException e) {
        // Another process has made it; the next round makes the missing directories below it.
        storage.discard(prepared);
      }
    }
  }

  @Override
  public void createDirectoryIn(String path) throws IOException {
    if (isOwn(path)) {
      storage.createDirectoryIn(path);
    } else if (!storage.exists(path)) {
      String prepared = Storage.join(staging(), Long.toString(next()));
      storage.createDirectories(prepared);
      try {
        moveIn(prepared, path);
      } catch (FileAlreadyExistsException e) {
        storage.discard(prepared); // Another process has made it.
      }
    }
  }

  @Override
  public void createScratch(String path) throws IOException {
    createDirectoryIn(path);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    if (isBelow(parent, from) && isBelow(archive, to)) {
      owner();
      storage.rename(from, to);
      return;
    }
    if (storage.exists(to)) {
      throw new FileAlreadyExistsException(to);
    }
    pass(from, passing -> storage.rename(passing, to));
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    checkParent(to);
    rename(from, to);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    pass(from, passing -> storage.replace(passing, to));
  }

  @Override
  public boolean delete(String path) throws IOException {
    if (isOwn(path)) {
      return storage.delete(path);
    }
    String fence = fence();
    if (!storage.exists(path)) {
      return false;
    }
    String going = Storage.join(fence, "gone-" + next());
    try {
      storage.moveIn(path, going);
    } catch (NoSuchFileException e) {
      checkOwner(e);
      return false; // Another process has deleted it.
    }
    storage.discard(going);
    return true;
  }

  @Override
  public boolean discard(String path) throws IOException {
    return isOwn(path) ? storage.discard(path) : delete(path);
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return storage.toString();
  }

  /** Moves a file or directory from the fence to its new name, or deletes it. */
  @FunctionalInterface
  private interface Passage {
    void go(String passing) throws IOException;
  }

  /** Moves a file or directory into the fence, then runs {@code passage} on it. */
  private void pass(String from, Passage passage) throws IOException {
    String fence = fence();
    if (isOwn(from)) {
      pass(from, Storage.join(fence, "new-" + next()), passage);
      return;
    }
    String holder = Storage.join(fence, MOVING + next());
    String passing = Storage.join(holder, from);
    prepare(holder, from);
    try {
      pass(from, passing, passage);
    } finally {
      if (!storage.exists(passing)) {
        storage.discard(holder);
      }
    }
  }

  private void pass(String from, String passing, Passage passage) throws IOException {
    try {
      storage.moveIn(from, passing);
    } catch (NoSuchFileException e) {
      checkOwner(e);
      throw e;
    }
    try {
      passage.go(passing);
    } catch (IOException e) {
      checkOwner(e);
      moveBack(passing, from, e);
      throw e;
    }
  }

  /** Makes {@code holder} appear with the parent directories of {@code path} in it. */
  private void prepare(String holder, String path) throws IOException {
    String prepared = Storage.join(staging(), Long.toString(next()));
    int slash = path.lastIndexOf('/');
    storage.createDirectories(
        slash < 0 ? prepared : Storage.join(prepared, path.substring(0, slash)));
    try {
      storage.moveIn(prepared, holder);
    } catch (NoSuchFileException e) {
      checkOwner(e);
      throw e;
    }
  }

  private void moveBack(String passing, String from, IOException cause) {
    try {
      if (storage.exists(passing)) {
        storage.rename(passing, from);
      }
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  private void checkParent(String path) throws IOException {
    int slash = path.lastIndexOf('/');
    if (slash > 0 && !storage.exists(path.substring(0, slash))) {
      throw new NoSuchFileException(path, null, "its directory does not exist");
    }
  }

  /** Throws if another owner has renamed the fence. */
  private void checkOwner(IOException cause) throws IOException {
    String fence = fence();
    if (!storage.exists(fence)) {
      FencedException fenced =
          new FencedException(fence + " is gone: another owner has taken over");
      fenced.initCause(cause);
      throw fenced;
    }
  }

  private String fence() throws FencedException {
    return Storage.join(parent, OWNER + owner());
  }

  private long owner() throws FencedException {
    return epoch.orElseThrow(
        () -> new FencedException("Nobody owns " + storage + " yet, so nothing is changed there"));
  }

  private long next() {
    return serial.incrementAndGet();
  }

  private boolean isOwn(String path) throws FencedException {
    return isBelow(staging(), path);
  }

  private static boolean isBelow(String directory, String path) {
    return path.startsWith(directory)
        && (path.length() == directory.length() || path.charAt(directory.length()) == '/');
  }

  private static Optional<Long> number(String name, String prefix) {
    if (!name.startsWith(prefix)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(name.substring(prefix.length())));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  @FunctionalInterface
  private interface FileAction {
    void run() throws IOException;
  }

  /** A file that is written in the fence and gets its name when it is closed. */
  private final class PassingFile extends ForwardingAppendFile {
    private final String path;
    private final String passing;
    private boolean failed;
    private boolean closed;

    PassingFile(String path, AppendFile file) {
      super(file);
      this.path = path;
      this.passing = file.path();
    }

    @Override
    public String path() {
      return path;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      attempt(() -> super.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
      attempt(super::flush);
    }

    @Override
    public void sync() throws IOException {
      attempt(super::sync);
    }

    private void attempt(FileAction action) throws IOException {
      try {
        action.run();
      } catch (IOException | RuntimeException | Error e) {
        failed = true;
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      super.close();
      if (failed) {
        storage.discard(passing);
        return;
      }
      try {
        storage.rename(passing, path);
      } catch (NoSuchFileException e) {
        checkOwner(e);
        throw e;
      }
    }
  }
}
