package dev.cairn.engine.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * The permissions of files and folders that are made on the local disk. A file system without
 * permissions makes them as it does. Immutable.
 */
public final class FilePermissions {
  private static final Set<PosixFilePermission> EXECUTE =
      EnumSet.of(
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_EXECUTE);

  /** From the bit of most weight to that of least: rwx of owner, group and others. */
  private static final PosixFilePermission[] BITS = PosixFilePermission.values();

  /** 0700 for folders, 0600 for files. */
  public static final FilePermissions OWNER_ONLY = ofUmask(077);

  private final Set<PosixFilePermission> folder;
  private final Set<PosixFilePermission> file;

  private FilePermissions(Set<PosixFilePermission> folder) {
    this.folder = EnumSet.copyOf(folder);
    this.file = EnumSet.copyOf(folder);
    this.file.removeAll(EXECUTE);
  }

  /**
   * Returns the permissions that a umask leaves of 0777 for folders and of 0666 for files.
   *
   * @param umask what group and others may not do, 0 to 077; what the owner may do stays
   */
  public static FilePermissions ofUmask(int umask) {
    Set<PosixFilePermission> left = EnumSet.noneOf(PosixFilePermission.class);
    for (int bit = 0; bit < BITS.length; bit++) {
      if ((umask & 077 & 1 << (BITS.length - 1 - bit)) == 0) {
        left.add(BITS[bit]);
      }
    }
    return new FilePermissions(left);
  }

  /**
   * Returns the permissions for new files and folders in {@code path}: if that folder exists, what
   * it lets group and others do; else {@link #OWNER_ONLY}. Where everybody may write, as in {@code
   * /tmp}, others still may not write what is made.
   */
  public static FilePermissions inside(Path path) throws IOException {
    if (!known(path)) {
      return OWNER_ONLY;
    }
    try {
      Set<PosixFilePermission> found = Files.getPosixFilePermissions(path);
      found.addAll(OWNER_ONLY.folder);
      found.remove(PosixFilePermission.OTHERS_WRITE);
      return new FilePermissions(found);
    } catch (NoSuchFileException e) {
      return OWNER_ONLY;
    }
  }

  /** Returns the umask that leaves these permissions, octal. */
  public String umask() {
    int umask = 0;
    for (int bit = 0; bit < BITS.length; bit++) {
      if (!folder.contains(BITS[bit])) {
        umask |= 1 << (BITS.length - 1 - bit);
      }
    }
    return "%03o".formatted(umask);
  }

  /**
   * Creates an empty file.
   *
   * @throws FileAlreadyExistsException if there is something of that name
   */
  public void createFile(Path path) throws IOException {
    Files.createFile(path, attributes(path, file));
    widen(path, file);
  }

  /**
   * Creates an empty file if there is none of that name; one that is there keeps its permissions.
   */
  public void createFileIfMissing(Path path) throws IOException {
    if (!Files.exists(path)) {
      try {
        createFile(path);
      } catch (FileAlreadyExistsException e) {
        return; // somebody else has just made it
      }
    }
  }

  /**
   * Creates a folder.
   *
   * @throws FileAlreadyExistsException if there is something of that name
   */
  public void createFolder(Path path) throws IOException {
    Files.createDirectory(path, attributes(path, folder));
    widen(path, folder);
  }

  /** Creates a folder and those above it, unless they are there. */
  public void createFolders(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      if (path.getParent() != null) {
        createFolders(path.getParent());
      }
      try {
        createFolder(path);
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(path)) {
          throw e;
        }
      }
    }
  }

  /** Replaces the text of a small file, which is created if it is missing. */
  public void write(Path path, CharSequence text) throws IOException {
    createFileIfMissing(path);
    Files.writeString(path, text);
  }

  private static boolean known(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return known(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  /** Gives group and others what the umask of the process has taken from them. */
  private void widen(Path path, Set<PosixFilePermission> permissions) throws IOException {
    if (known(path) && !folder.equals(OWNER_ONLY.folder)) {
      try {
        Files.setPosixFilePermissions(path, permissions);
      } catch (IOException e) {
        if (!Files.exists(path)) {
          throw e;
        }
        // A file system that has its own idea of permissions keeps it.
      }
    }
  }
}
