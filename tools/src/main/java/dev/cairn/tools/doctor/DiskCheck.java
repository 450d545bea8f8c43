package dev.cairn.tools.doctor;

import dev.cairn.tools.doctor.Finding.Area;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/**
 * Checks the file system of a folder that the server writes to.
 *
 * @param folder the folder, which need not exist yet
 * @param what the role of the folder, for people
 * @param roomKey the key of {@code roomMin}
 * @param roomMin the free bytes below which the disk is considered almost full
 */
public record DiskCheck(Path folder, String what, String roomKey, long roomMin) {
  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");
  private static final Set<String> NETWORK = Set.of("nfs", "nfs4", "cifs", "smb3", "9p", "sshfs");
  private static final Set<String> CONTAINER = Set.of("overlay", "aufs");
  private static final double GIGABYTE = 1 << 30;

  /** Adds the findings. */
  public void run(Diagnosis diagnosis) {
    FileStore store;
    long free;
    try {
      store = Files.getFileStore(existing());
      free = store.getUsableSpace();
    } catch (IOException e) {
      diagnosis.problem(
          Area.MACHINE,
          "The file system of " + what + " cannot be read: " + e.getMessage(),
          folder.toString(),
          "Mount the file system, or name another folder.");
      return;
    }
    space(free, diagnosis);
    type(store.type(), diagnosis);
  }

  private Path existing() {
    Path path = folder;
    while (path.getParent() != null && !Files.exists(path)) {
      path = path.getParent();
    }
    return path;
  }

  private void space(long free, Diagnosis diagnosis) {
    String fact = String.format(Locale.ROOT, "%.1f GB are free for %s", free / GIGABYTE, what);
    if (free < roomMin) {
      diagnosis.problem(
          Area.MACHINE,
          fact + ".",
          folder.toString(),
          "Free some space, or move the folder to a larger disk (" + roomKey + ").");
    } else {
      diagnosis.ok(Area.MACHINE, fact + " (" + folder + ").");
    }
  }

  /** Adds a finding on the type of the file system. */
  void type(String type, Diagnosis diagnosis) {
    if (IN_MEMORY.contains(type)) {
      diagnosis.problem(
          Area.MACHINE,
          "The file system of " + what + " is " + type + ": its data is gone after a reboot.",
          folder.toString(),
          "Put the folder on a disk (hbase.rootdir).");
    } else if (NETWORK.contains(type) || type.startsWith("fuse")) {
      diagnosis.advise(
          Area.MACHINE,
          "The file system of " + what + " is " + type + ", whose syncs and locks may be weaker.",
          folder.toString(),
          "Prefer a local disk.");
    } else if (CONTAINER.contains(type)) {
      diagnosis.advise(
          Area.MACHINE,
          "The folder of "
              + what
              + " lies in a container's own layer, and goes with the container.",
          folder.toString(),
          "Mount a volume there if the data is to stay.");
    } else {
      diagnosis.ok(Area.MACHINE, "The file system of " + what + " is " + type + ".");
    }
  }
}
