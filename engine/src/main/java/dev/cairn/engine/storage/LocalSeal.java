package dev.cairn.engine.storage;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * The marker of a sealed file on the local disk: {@code .NAME.sealed} beside the file {@code NAME},
 * with the file's final length in decimal digits and a line feed.
 *
 * <p>The operating system cannot take an open file away from its writer. So the writer looks for
 * the marker after each flush and sync, before it reports success. The sealer first creates the
 * marker and syncs its name, and only then reads the file's length. If the writer sees no marker,
 * its bytes were in the file before the marker existed, and the length includes them.
 *
 * <p>The writer knows the file by the path at which it was created. If the file or a directory
 * above it was renamed, the marker lies elsewhere. So the writer also looks for the file itself,
 * after the marker: a file that is still at its path was not sealed under another one.
 *
 * <p>A marker without a length fences the writer, but the file is not sealed: its sealer stopped,
 * and the next sealer finishes.
 */
class LocalSeal {
  private static final String SUFFIX = ".sealed";
  private static final int TEXT_MAX = 20; // 19 digits of a long and the line feed

  /**
   * Guards the locks on markers: a process has at most one lock on a file, and loses it when it
   * closes any handle of that file.
   */
  private static final Object MARKERS = new Object();

  // Not a Path, whose check creates an exception for each absent file.
  private final File file;
  private final File marker;

  /** Creates the view of the marker for the writer of {@code file}. */
  LocalSeal(Path file) {
    this.file = file.toFile();
    this.marker = marker(file).toFile();
  }

  /** Tells whether the file is certainly neither sealed nor being sealed. */
  boolean isAbsent() {
    return !marker.exists() && file.exists(); // in this order
  }

  /** Tells whether a file's name is that of a marker. */
  static boolean isMarker(String name) {
    return name.startsWith(".") && name.endsWith(SUFFIX) && name.length() > SUFFIX.length() + 1;
  }

  /** Returns the name of the file that the marker {@code name} belongs to. */
  static String fileOf(String name) {
    return name.substring(1, name.length() - SUFFIX.length());
  }

  /**
   * Seals a file, or finishes an interrupted seal. Returns the file's final length; the bytes up to
   * that length are on the device.
   *
   * @throws NoSuchFileException if there is no such file
   */
  static long seal(String path, Path file, FilePermissions permissions) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw Files.exists(file)
          ? new IOException(path + " is a directory, where a file was expected")
          : new NoSuchFileException(path);
    }
    Path marker = marker(file);
    boolean interrupted = Thread.interrupted(); // it would close the channels
    try {
      synchronized (MARKERS) {
        permissions.createFileIfMissing(marker);
        try (FileChannel channel =
                FileChannel.open(marker, StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          OptionalLong known = read(channel);
          if (known.isPresent()) {
            return known.getAsLong();
          }
          LocalStorage.syncDirectory(file.getParent());
          long length = syncedLength(file);
          byte[] text = (length + "\n").getBytes(StandardCharsets.US_ASCII);
          channel.write(ByteBuffer.wrap(text), 0);
          channel.truncate(text.length);
          channel.force(true);
          return length;
        }
      }
    } catch (IOException e) {
      throw LocalErrors.of(marker.toString(), file.getParent(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the final length of a file; empty if it is not sealed. */
  static OptionalLong length(Path file) throws IOException {
    Path marker = marker(file);
    if (!marker.toFile().exists()) {
      return OptionalLong.empty();
    }
    boolean interrupted = Thread.interrupted();
    try {
      synchronized (MARKERS) {
        try (FileChannel channel = FileChannel.open(marker, StandardOpenOption.READ)) {
          return read(channel);
        } catch (NoSuchFileException e) {
          return OptionalLong.empty(); // deleted since
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Copies the seal of {@code source}, if any, to {@code target}, before the file moves. */
  static void copy(Path source, Path target) throws IOException {
    Path from = marker(source);
    Path to = marker(target);
    if (!from.toFile().exists()) {
      drop(target);
      return;
    }
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    boolean interrupted = Thread.interrupted();
    try (FileChannel copied = FileChannel.open(to, StandardOpenOption.WRITE)) {
      copied.force(true);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Removes the marker of a file that does not exist. */
  static void drop(Path file) throws IOException {
    Path marker = marker(file);
    if (marker.toFile().exists()) {
      Files.deleteIfExists(marker);
    }
  }

  private static Path marker(Path file) {
    return file.resolveSibling("." + file.getFileName() + SUFFIX);
  }

  private static long syncedLength(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      long length = channel.size();
      channel.force(true);
      return length;
    }
  }

  /** Returns the length in a marker; empty if the marker is not complete. */
  private static OptionalLong read(FileChannel channel) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(TEXT_MAX);
    int count = channel.read(text, 0);
    long length = 0;
    for (int i = 0; i < count; i++) {
      byte digit = text.get(i);
      if (digit == '\n' && i > 0) {
        return OptionalLong.of(length);
      }
      if (digit < '0' || digit > '9') {
        break;
      }
      length = length * 10 + digit - '0';
    }
    return OptionalLong.empty();
  }
}
