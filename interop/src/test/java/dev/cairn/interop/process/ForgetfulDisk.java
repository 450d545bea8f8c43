package dev.cairn.interop.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileUtil;
import org.opentest4j.TestAbortedException;

/**
 * An ext4 file system on a loop device whose power can be cut. A cut loses all that was not synced.
 * Needs Linux, root, loop devices and Python, which makes the system call.
 *
 * <p>A power cut is ext4's shutdown without a last write of its journal. If the shutdown interrupts
 * a sync, the kernel may report it as done, so no sync may be under way. By default ext4 syncs a
 * file that replaces another one by itself; this disk does not ({@code noauto_da_alloc}). One
 * thread.
 */
public final class ForgetfulDisk implements AutoCloseable {
  private static final String OPTIONS = "loop,noauto_da_alloc,commit=300";
  private static final long COMMAND_SECONDS_MAX = 120;

  /** EXT4_IOC_SHUTDOWN, and EXT4_GOING_FLAGS_NOLOGFLUSH as its argument. */
  private static final String SHUTDOWN =
      """
      import fcntl, os, struct, sys
      directory = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECTORY)
      fcntl.ioctl(directory, 0x8004587D, struct.pack("=I", 2))
      os.close(directory)
      """;

  private final Path path;
  private Path image;

  private ForgetfulDisk(Path image, Path path) {
    this.image = image;
    this.path = path;
  }

  /**
   * Makes a disk, with its files below {@code directory}.
   *
   * @throws TestAbortedException if this machine does not allow it, so that the test is skipped
   */
  public static ForgetfulDisk make(Path directory, int megabytes) throws IOException {
    Path image = directory.resolve("disk.image");
    ForgetfulDisk disk =
        new ForgetfulDisk(image, Files.createDirectories(directory.resolve("disk")));
    try {
      run("truncate", "--size=" + megabytes + "M", image.toString());
      run("mkfs.ext4", "-q", "-F", "-m", "0", image.toString());
      disk.mount();
    } catch (IOException e) {
      throw new TestAbortedException(
          "Needs a disk whose power can be cut (Linux, root, loop devices, ext4): "
              + e.getMessage());
    }
    return disk;
  }

  /** Returns the root directory of the file system. */
  public Path path() {
    return path;
  }

  /** Cuts the power. From now on each access fails, until {@link #restore}. */
  public void cut() throws IOException {
    run("python3", "-c", SHUTDOWN, path.toString());
  }

  /** Brings the power back. No process may have a file open. */
  public void restore() throws IOException {
    unmount();
    if (!run("losetup", "--associated", image.toString()).isEmpty()) {
      // Another process has a newer mount namespace, which still holds the stopped file system.
      Path copy = image.resolveSibling("copy-of-" + image.getFileName());
      run("cp", "--sparse=always", image.toString(), copy.toString());
      Files.delete(image);
      image = copy;
    }
    mount();
  }

  private void mount() throws IOException {
    run("mount", "-t", "ext4", "-o", OPTIONS, image.toString(), path.toString());
  }

  private void unmount() throws IOException {
    run("umount", path.toString());
  }

  @Override
  public void close() throws IOException {
    unmount();
    FileUtil.fullyDelete(path.toFile());
    Files.delete(image);
  }

  /** Runs a command and returns its output. */
  private static String run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes()).strip();
    try {
      if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(List.of(command) + " does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
    if (process.exitValue() != 0) {
      throw new IOException(command[0] + " fails: " + output);
    }
    return output;
  }
}
