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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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
 * <p>A marker without a length fences the writer, but the file is not sealed: its sealer is at work
 * and has the marker locked, or it stopped and the next sealer finishes. A reader waits for the one
 * at work ({@link #finalLength}): bytes that the writer adds meanwhile may lie after the final
 * length, although they are in the file.
 */
class LocalSeal {
  private static final String SUFFIX = ".sealed";
  private static final int TEXT_MAX = 20; // 19 digits of a long and the line feed
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /**
   * Guards the locks on markers: a process has at most one lock on a file, and loses it when it
   * closes any handle of that file.
   */
  private static final Object MARKERS = new Object();

  // Not a Path, whose check creates an exception for each absent file.
  private final File file;
  private final File marker;

  /**
   * The state of a marker.
   *
   * @param length the final length; empty if the marker is absent or not complete
   * @param isLocked whether a sealer in another process is at work
   */
  private record State(OptionalLong length, boolean isLocked) {
    static final State ABSENT = new State(OptionalLong.empty(), false);
  }

  /** Creates the view of the marker of {@code file}, for its writer or its sealer. */
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
   * Seals the file, or finishes an interrupted seal. Returns the file's final length; the bytes up
   * to that length are on the device.
   *
   * @param path the name of the file in messages
   * @throws NoSuchFileException if there is no such file
   */
  long seal(String path, FilePermissions permissions) throws IOException {
    if (!file.isFile()) {
      throw file.exists()
          ? new IOException(path + " is a directory, where a file was expected")
          : new NoSuchFileException(path);
    }
    boolean interrupted = Thread.interrupted(); // it would close the channels
    try {
      synchronized (MARKERS) {
        permissions.createFileIfMissing(marker.toPath());
        try (FileChannel channel =
                FileChannel.open(
                    marker.toPath(), StandardOpenOption.READ, StandardOpenOption.WRITE);
            FileLock lock = channel.lock()) {
          OptionalLong known = read(channel);
          if (known.isPresent()) {
            return known.getAsLong();
          }
          LocalStorage.syncDirectory(file.toPath().getParent());
          long length = syncedLength();
          byte[] text = (length + "\n").getBytes(StandardCharsets.US_ASCII);
          channel.write(ByteBuffer.wrap(text), 0);
          channel.truncate(text.length);
          channel.force(true);
          return length;
        }
      }
    } catch (IOException e) {
      throw LocalErrors.of(marker.toString(), file.toPath().getParent(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Returns the final length of a file; empty if it is not sealed, also if another process is about
   * to seal it.
   */
  static OptionalLong length(Path file) throws IOException {
    return state(marker(file)).length();
  }

  /**
   * Returns the final length of a file; empty if it is not sealed. Waits for the end of a seal that
   * is under way. So if the result is empty, the length that a seal determines after this call
   * includes all bytes that were in the file before it.
   */
  static OptionalLong finalLength(Path file) throws IOException {
    Path marker = marker(file);
    boolean interrupted = false;
    try {
      while (true) {
        State state = state(marker);
        if (!state.isLocked()) {
          return state.length();
        }
        // Does not block on the lock, because readers of other markers would wait for it, too.
        interrupted |= Thread.interrupted();
        LockSupport.parkNanos(MARKERS, POLL_NANOS);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static State state(Path marker) throws IOException {
    if (!marker.toFile().exists()) {
      return State.ABSENT;
    }
    boolean interrupted = Thread.interrupted();
    try {
      synchronized (MARKERS) {
        try (FileChannel channel = FileChannel.open(marker, StandardOpenOption.READ)) {
          OptionalLong length = read(channel);
          if (length.isPresent()) {
            return new State(length, false);
          }
          try (FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
            return new State(read(channel), lock == null);
          }
        } catch (NoSuchFileException e) {
          return State.ABSENT; // deleted since
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

  /** Determines the final length, and syncs the content up to it. */
  long syncedLength() throws IOException {
    try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.WRITE)) {
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
