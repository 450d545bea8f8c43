package dev.cairn.server.bulkload;

import dev.cairn.engine.storage.LocalSync;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Supplier;

/** The files of the local disk, for a root directory on it. */
public final class LocalSourceFiles implements SourceFiles {
  private final Path root;
  private final Supplier<SourceFiles> others;

  /**
   * Creates it for a root directory.
   *
   * @param others moves files from other file systems; requested with the first such file
   */
  public LocalSourceFiles(Path root, Supplier<SourceFiles> others) {
    this.root = root;
    this.others = others;
  }

  @Override
  public Transfer take(String source, String target, Mode mode) throws IOException {
    if (!LocalFiles.isLocal(source)) {
      Transfer transfer = others.get().take(source, target, mode);
      LocalSync.SYSTEM.file(LocalFiles.path(target)); // Hadoop's local file system does not sync.
      return transfer;
    }
    Path from = LocalFiles.path(source);
    Path to = LocalFiles.path(target);
    if (!Files.isRegularFile(from)) {
      throw new NoSuchFileException(source);
    }
    Files.createDirectories(to.getParent());
    if (mode == Mode.MOVE && !from.startsWith(root)) {
      LocalSync.SYSTEM.file(from); // Its writer may not have done so.
      try {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        // Hadoop's checksums of the file
        Files.deleteIfExists(from.resolveSibling("." + from.getFileName() + ".crc"));
        return Transfer.MOVED;
      } catch (AtomicMoveNotSupportedException e) {
        // The file is on another disk, so copy it.
      }
    }
    Path beside = to.resolveSibling(to.getFileName() + ".copying");
    Files.copy(from, beside, StandardCopyOption.REPLACE_EXISTING);
    LocalSync.SYSTEM.file(beside);
    Files.move(beside, to, StandardCopyOption.ATOMIC_MOVE);
    return Transfer.COPIED;
  }

  @Override
  public void giveBack(String target, String source) throws IOException {
    Path to = LocalFiles.path(source);
    if (Files.exists(to)) {
      throw new IOException("Cannot move " + target + " back to " + source + ", which exists");
    }
    Files.createDirectories(to.getParent());
    Files.move(LocalFiles.path(target), to);
  }

  @Override
  public void delete(String target) throws IOException {
    Files.deleteIfExists(LocalFiles.path(target));
  }
}
