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
 * The permissions of new files and folders on the local disk. Has no effect on a file system
 * without POSIX permissions. Immutable.
 */
public final class FilePermissions {
  private static final Set<PosixFilePermission> EXECUTE =
      EnumSet.of(
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_EXECUTE);

  /** The permissions from the highest bit to the lowest: rwx of owner, group and others. */
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
   * Returns the permissions under a umask: it is removed from 0777 for folders and from 0666 for
   * files.
   *
   * @param umask the rights to remove from group and others, 0 to 077; the owner keeps all rights
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
   * Returns the permissions for new files and folders in {@code path}. If that folder exists, group
   * and others get the rights that they have on it; otherwise {@link #OWNER_ONLY}. In a folder
   * where everybody may write, as in {@code /tmp}, others may still not write new files.
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

  /** Returns the umask that yields these permissions, octal. */
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
   * @throws FileAlreadyExistsException if the path exists
   */
  public void createFile(Path path) throws IOException {
    Files.createFile(path, attributes(path, file));
    widen(path, file);
  }

  /** Creates an empty file unless it exists. An existing file keeps its permissions. */
  public void createFileIfMissing(Path path) throws IOException {
    if (!Files.exists(path)) {
      try {
        createFile(path);
      } catch (FileAlreadyExistsException e) {
        return; // another process has just created it
      }
    }
  }

  /**
   * Creates a folder.
   *
   * @throws FileAlreadyExistsException if the path exists
   */
  public void createFolder(Path path) throws IOException {
    Files.createDirectory(path, attributes(path, folder));
    widen(path, folder);
  }

  /** Creates a folder and its parents, unless they exist. */
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

  /** Replaces the text of a small file; creates the file if it is missing. */
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

  /** Grants group and others the rights that the umask of the process has removed. */
  private void widen(Path path, Set<PosixFilePermission> permissions) throws IOException {
    if (known(path) && !folder.equals(OWNER_ONLY.folder)) {
      try {
        Files.setPosixFilePermissions(path, permissions);
      } catch (IOException e) {
        if (!Files.exists(path)) {
          throw e;
        }
        // Some file systems do not let permissions be set: theirs stay.
      }
    }
  }
}
