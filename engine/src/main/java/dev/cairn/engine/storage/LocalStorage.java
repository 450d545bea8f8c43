package dev.cairn.engine.storage;

import dev.cairn.engine.storage.Storage.StorageSpace;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Files in a folder of the local disk.
 *
 * <p>A name survives a power cut once its directory has been synced, which this class does wherever
 * {@link Storage} promises it. Threads that get interrupted finish what they do and stay
 * interrupted; they never harm a file that others use.
 */
public final class LocalStorage implements Storage {
  private static final boolean CAN_SYNC_DIRECTORIES =
      !System.getProperty("os.name", "").startsWith("Windows");

  private final Path root;
  private final FilePermissions permissions;
  private final Object renaming = new Object(); // makes "is it there" and "move it there" one step

  /** Directories with a new child whose name may not be durable, since a sync failed. */
  private final Set<Path> unsynced = ConcurrentHashMap.newKeySet();

  /**
   * Opens the folder {@code root}; creates it if it is missing. New files and folders get the
   * {@linkplain FilePermissions#inside permissions of that folder}.
   *
   * @throws IOException if it cannot be created or is not a folder
   */
  public LocalStorage(Path root) throws IOException {
    this(root, FilePermissions.inside(root));
  }

  /**
   * Opens the folder {@code root}; creates it if it is missing.
   *
   * @param permissions the permissions of new files and folders
   * @throws IOException if it cannot be created or is not a folder
   */
  public LocalStorage(Path root, FilePermissions permissions) throws IOException {
    this.permissions = permissions;
    this.root = root.toAbsolutePath().normalize();
    if (Files.exists(this.root) && !Files.isDirectory(this.root)) {
      throw new NotDirectoryException(this.root + " is a file, where a data folder was expected");
    }
    createDirectories(this.root);
  }

  /** Returns the folder. */
  public Path root() {
    return root;
  }

  /**
   * Takes an exclusive lock, in the name of this process, on the file {@code path}, which is
   * created if it is missing and stays.
   *
   * @throws IOException naming the process that holds it, if one does
   */
  public StorageLock lock(String path) throws IOException {
    Path file = resolve(path);
    createDirectories(file.getParent());
    return LocalLock.take(file, permissions);
  }

  @Override
  public Optional<StorageSpace> space() throws IOException {
    FileStore disk = Files.getFileStore(root);
    return Optional.of(new StorageSpace(disk.getUsableSpace(), disk.getTotalSpace()));
  }

  @Override
  public AppendFile create(String path) throws IOException {
    return append(path);
  }

  /** Syncs the content before the move to {@code path}, and the name only after it. */
  @Override
  public void writeAll(String path, byte[] bytes) throws IOException {
    String beside = path + ".new";
    delete(beside);
    writeContent(beside, bytes);
    replace(beside, path);
  }

  @Override
  public void createAll(List<SmallFile> files) throws IOException {
    Set<Path> directories = new LinkedHashSet<>();
    for (SmallFile file : files) {
      writeContent(file.path(), file.content());
      directories.add(resolve(file.path()).getParent());
    }
    for (Path directory : directories) {
      syncDirectory(directory);
    }
  }

  /** Creates a file and syncs its content, but not its name. */
  private void writeContent(String path, byte[] bytes) throws IOException {
    try (LocalAppendFile file = append(path)) {
      file.write(bytes, 0, bytes.length);
      file.syncContent();
    }
  }

  private LocalAppendFile append(String path) throws IOException {
    return append(
        path,
        file -> {
          try {
            createFile(file);
          } catch (NoSuchFileException e) {
            createDirectories(file.getParent());
            createFile(file);
          }
        },
        file -> Optional.empty());
  }

  @Override
  public AppendFile createIn(String path) throws IOException {
    return append(path, this::createFile, file -> Optional.empty());
  }

  @Override
  public AppendFile createFenced(String path) throws IOException {
    return append(path, this::createFile, file -> Optional.of(new LocalSeal(file)));
  }

  /** Creates the empty file of a new name. */
  @FunctionalInterface
  private interface Creation {
    void create(Path file) throws IOException;
  }

  private LocalAppendFile append(
      String path, Creation creation, Function<Path, Optional<LocalSeal>> seal) throws IOException {
    StoragePaths.checkBelowRoot(path);
    Path file = resolve(path);
    try {
      creation.create(file);
    } catch (NoSuchFileException e) {
      throw withoutDirectory(path);
    } catch (FileAlreadyExistsException | DiskFullException e) {
      throw e;
    } catch (IOException e) {
      throw LocalErrors.of(path, root, e);
    }
    return append(path, file, seal.apply(file));
  }

  private void createFile(Path file) throws IOException {
    dropChecksums(file);
    LocalSeal.drop(file);
    permissions.createFile(file);
  }

  private static LocalAppendFile append(String path, Path file, Optional<LocalSeal> seal)
      throws IOException {
    try {
      return new LocalAppendFile(path, file, seal);
    } catch (IOException e) {
      Files.deleteIfExists(file); // it is ours, and no other process writes it
      throw e;
    }
  }

  @Override
  public long seal(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    return new LocalSeal(resolve(path)).seal(path, permissions);
  }

  @Override
  public ReadableFile open(String path) throws IOException {
    Path file = resolve(path);
    if (Files.isDirectory(file)) {
      throw new IOException(path + " is a directory, where a file was expected");
    }
    return new LocalReadableFile(path, file, LocalSeal.finalLength(file));
  }

  @Override
  public List<FileInfo> list(String directory) throws IOException {
    List<FileInfo> found = new ArrayList<>();
    Set<String> sealed = new HashSet<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(resolve(directory))) {
      for (Path child : children) {
        try {
          BasicFileAttributes attributes = Files.readAttributes(child, BasicFileAttributes.class);
          String name = child.getFileName().toString();
          if (LocalSeal.isMarker(name) && attributes.isRegularFile()) {
            sealed.add(LocalSeal.fileOf(name));
            continue;
          }
          found.add(
              new FileInfo(
                  Storage.join(directory, name),
                  attributes.isDirectory(),
                  attributes.isDirectory() ? 0 : attributes.size(),
                  attributes.lastModifiedTime().toMillis()));
        } catch (NoSuchFileException e) {
          continue; // deleted or renamed since the directory was read
        }
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (NotDirectoryException e) {
      throw new NotDirectoryException(directory + " is a file, where a directory was expected");
    }
    if (!sealed.isEmpty()) {
      showSealedLengths(found, sealed);
    }
    found.sort(Comparator.comparing(FileInfo::path));
    return found;
  }

  private void showSealedLengths(List<FileInfo> files, Set<String> sealed) throws IOException {
    for (int i = 0; i < files.size(); i++) {
      FileInfo file = files.get(i);
      if (sealed.contains(file.name())) {
        OptionalLong length = LocalSeal.length(resolve(file.path()));
        files.set(
            i,
            new FileInfo(
                file.path(),
                file.directory(),
                Math.min(file.length(), length.orElse(Long.MAX_VALUE)),
                file.modifiedMillis()));
      }
    }
  }

  @Override
  public boolean exists(String path) throws IOException {
    return isThere(resolve(path));
  }

  @Override
  public void syncDirectory(String path) throws IOException {
    Path directory = resolve(path);
    if (Files.isDirectory(directory)) {
      syncDirectory(directory);
    }
  }

  @Override
  public void syncContent(String path) throws IOException {
    boolean interrupted = Thread.interrupted(); // it would close the channel
    try (FileChannel file = FileChannel.open(resolve(path), StandardOpenOption.READ)) {
      file.force(true);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void createDirectories(String path) throws IOException {
    createDirectories(resolve(path));
  }

  @Override
  public void createDirectoryIn(String path) throws IOException {
    Path directory = resolveIn(path);
    if (!unsynced.isEmpty() || !Files.isDirectory(directory)) {
      createDirectory(directory);
    }
  }

  @Override
  public void createScratch(String path) throws IOException {
    Path directory = resolveIn(path);
    try {
      permissions.createFolder(directory);
    } catch (NoSuchFileException e) {
      throw withoutDirectory(path);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(directory)) {
        throw e;
      }
    } catch (IOException e) {
      throw LocalErrors.of(path, root, e);
    }
  }

  /** Returns the place of a directory whose parent must exist. */
  private Path resolveIn(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    Path directory = resolve(path);
    if (!Files.isDirectory(directory.getParent())) {
      throw withoutDirectory(path);
    }
    return directory;
  }

  private static NoSuchFileException withoutDirectory(String path) {
    return new NoSuchFileException(path, null, "its directory does not exist");
  }

  @Override
  public void rename(String from, String to) throws IOException {
    move(from, to, this::createDirectories);
  }

  @Override
  public void moveIn(String from, String to) throws IOException {
    move(from, to, directory -> {});
  }

  /** Prepares the directory in which a name is about to appear. */
  @FunctionalInterface
  private interface Preparation {
    void prepare(Path directory) throws IOException;
  }

  private void move(String from, String to, Preparation preparation) throws IOException {
    StoragePaths.checkBelowRoot(from);
    StoragePaths.checkBelowRoot(to);
    Path source = resolve(from);
    Path target = resolve(to);
    synchronized (renaming) {
      if (!isThere(source, LinkOption.NOFOLLOW_LINKS)) {
        throw new NoSuchFileException(from);
      }
      if (isThere(target, LinkOption.NOFOLLOW_LINKS)) {
        throw new FileAlreadyExistsException(to);
      }
      preparation.prepare(target.getParent());
      dropChecksums(target);
      LocalSeal.copy(source, target);
      move(source, target);
    }
    dropChecksums(source);
    LocalSeal.drop(source);
    syncParents(source, target);
  }

  @Override
  public void replace(String from, String to) throws IOException {
    StoragePaths.checkBelowRoot(from);
    StoragePaths.checkBelowRoot(to);
    Path source = resolve(from);
    Path target = resolve(to);
    synchronized (renaming) {
      if (Files.isDirectory(target)) {
        throw new IOException(to + " is a directory and cannot be replaced by the file " + from);
      }
      if (Files.isDirectory(source)) {
        throw new IOException(from + " is a directory, where a file was expected");
      }
      createDirectories(target.getParent());
      dropChecksums(target);
      LocalSeal.copy(source, target);
      move(source, target);
    }
    dropChecksums(source);
    LocalSeal.drop(source);
    syncParents(source, target);
  }

  @Override
  public boolean delete(String path) throws IOException {
    boolean found = discard(path);
    if (found) {
      syncDirectory(resolve(path).getParent());
    }
    return found;
  }

  @Override
  public boolean discard(String path) throws IOException {
    StoragePaths.checkBelowRoot(path);
    Path target = resolve(path);
    if (!isThere(target, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    Files.walkFileTree(target, new TreeDeleter());
    dropChecksums(target);
    LocalSeal.drop(target);
    return true;
  }

  @Override
  public String url(String path) {
    return "file:" + root.resolve(path);
  }

  /** Nothing to release: files and locks are closed by their owners. */
  @Override
  public void close() {}

  @Override
  public String toString() {
    return root.toString();
  }

  /**
   * Tells whether there is something; if the system cannot tell, neither can this. An answer "no"
   * to a question that failed would make a log's region look deleted, and its entries unwanted.
   */
  private static boolean isThere(Path path, LinkOption... options) throws IOException {
    try {
      Files.readAttributes(path, BasicFileAttributes.class, options);
      return true;
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      if (liesBelowFile(path)) {
        return false;
      }
      throw e;
    }
  }

  private static boolean liesBelowFile(Path path) {
    for (Path above = path.getParent(); above != null; above = above.getParent()) {
      if (Files.isRegularFile(above)) {
        return true;
      }
    }
    return false;
  }

  private Path resolve(String path) throws IOException {
    StoragePaths.check(path);
    return root.resolve(path);
  }

  /** Creates a directory and those above it, and syncs each one's name. */
  private void createDirectories(Path directory) throws IOException {
    if (unsynced.isEmpty() && Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.getParent();
    if (parent == null) {
      return;
    }
    createDirectories(parent);
    createDirectory(directory);
  }

  /** Creates a directory in one that exists, and syncs its name. */
  private void createDirectory(Path directory) throws IOException {
    Path parent = directory.getParent();
    boolean sync = unsynced.contains(parent);
    if (!Files.isDirectory(directory)) {
      try {
        permissions.createFolder(directory);
        sync = true;
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(directory)) {
          throw new FileAlreadyExistsException(
              directory + " is a file, where a directory is needed");
        }
        sync = true; // its creator may still be using it
      } catch (NoSuchFileException e) {
        throw Files.isDirectory(parent)
            ? new FileSystemException(
                directory.toString(),
                null,
                "the file system of "
                    + parent
                    + " does not allow new folders there; choose another folder")
            : e;
      } catch (IOException e) {
        throw LocalErrors.of(directory.toString(), parent, e);
      }
    }
    if (sync) {
      unsynced.add(parent);
      try {
        syncDirectory(parent);
        unsynced.remove(parent);
      } catch (IOException e) {
        unsynced.add(parent); // another thread may have taken it away
        throw e;
      }
    }
  }

  /**
   * Removes the checksums of a file that Hadoop's local file system may have left in {@code
   * .name.crc}: they would not fit the file any more. Without them Hadoop reads it unchecked.
   */
  private static void dropChecksums(Path file) throws IOException {
    Files.deleteIfExists(file.resolveSibling("." + file.getFileName() + ".crc"));
  }

  private static void move(Path source, Path target) throws IOException {
    try {
      Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException | FileAlreadyExistsException e) {
      throw e;
    } catch (IOException e) {
      throw LocalErrors.of(target.toString(), target.getParent(), e);
    }
  }

  private static void syncParents(Path source, Path target) throws IOException {
    syncDirectory(target.getParent());
    if (!source.getParent().equals(target.getParent())) {
      syncDirectory(source.getParent());
    }
  }

  /** Brings a directory's entries to the device. */
  static void syncDirectory(Path directory) throws IOException {
    if (!CAN_SYNC_DIRECTORIES) {
      return; // Windows keeps names by itself and cannot open directories
    }
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
          channel.force(true);
          return;
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        } catch (IOException e) {
          throw LocalErrors.of(directory.toString(), directory, e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Deletes the visited files; files that another thread deleted first are fine. */
  private static final class TreeDeleter extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (failure instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw failure;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException failure)
        throws IOException {
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
