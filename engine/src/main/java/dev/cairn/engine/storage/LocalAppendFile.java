package dev.cairn.engine.storage;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A file being appended to on the local disk.
 *
 * <p>It writes through a stream, not a {@code FileChannel}: a channel closes itself when a thread
 * that uses it is interrupted, and one interrupted handler must not end a log.
 */
final class LocalAppendFile implements AppendFile {
  private static final int BUFFER_SIZE_MIN = 4 << 10;
  private static final int BUFFER_SIZE_MAX = 64 << 10;

  private final String path;
  private final Path directory;
  private final FileOutputStream out;
  private final Optional<LocalSeal> seal;
  private byte[] buffer = new byte[0];
  private int buffered;
  private long position;
  private boolean nameSynced;
  private boolean failed;
  private boolean closed;

  /**
   * Opens a file.
   *
   * @param seal the marker that takes the file away from this writer; empty if the file is not
   *     fenced
   */
  LocalAppendFile(String path, Path file, Optional<LocalSeal> seal) throws IOException {
    this.path = path;
    this.directory = file.getParent();
    this.seal = seal;
    this.out = new FileOutputStream(file.toFile());
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    checkUsable();
    if (length > BUFFER_SIZE_MAX - buffered) {
      drain();
    }
    if (length >= BUFFER_SIZE_MAX) {
      writeOut(bytes, offset, length);
    } else {
      reserve(buffered + length);
      System.arraycopy(bytes, offset, buffer, buffered, length);
      buffered += length;
    }
    position += length;
  }

  @Override
  public void flush() throws IOException {
    checkUsable();
    drain();
    checkNotSealed();
  }

  @Override
  public void sync() throws IOException {
    syncContent();
    try {
      if (!nameSynced) {
        LocalStorage.syncDirectory(directory);
        nameSynced = true;
      }
    } catch (IOException e) {
      throw failure("sync", e);
    }
    checkNotSealed();
  }

  /** Syncs the content, but not the name: the caller syncs the directory. */
  void syncContent() throws IOException {
    checkUsable();
    drain();
    try {
      out.getFD().sync();
    } catch (IOException e) {
      throw failure("sync", e);
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    try {
      if (!failed) {
        drain();
        checkNotSealed();
      }
    } finally {
      closed = true;
      buffer = new byte[0];
      out.close();
    }
  }

  /** Small files get by with a small buffer: a server may hold many of them open. */
  private void reserve(int size) {
    if (size > buffer.length) {
      int larger = Math.max(BUFFER_SIZE_MIN, Math.max(buffer.length * 4, size));
      buffer = Arrays.copyOf(buffer, Math.min(BUFFER_SIZE_MAX, larger));
    }
  }

  private void drain() throws IOException {
    if (buffered > 0) {
      writeOut(buffer, 0, buffered);
      buffered = 0;
    }
  }

  /** Writes in pieces, because the platform copies each piece outside the heap. */
  private void writeOut(byte[] bytes, int offset, int length) throws IOException {
    try {
      for (int done = 0; done < length; ) {
        int piece = Math.min(length - done, 8 * BUFFER_SIZE_MAX);
        out.write(bytes, offset + done, piece);
        done += piece;
      }
    } catch (IOException e) {
      throw failure("write to", e);
    }
  }

  /**
   * Throws if the file is sealed. Called after the bytes are flushed or synced: {@link LocalSeal}.
   */
  private void checkNotSealed() throws SealedFileException {
    if (seal.isPresent() && !seal.get().isAbsent()) {
      failed = true;
      throw new SealedFileException(path);
    }
  }

  private IOException failure(String what, IOException cause) {
    failed = true;
    IOException told = LocalErrors.of(path, directory, cause);
    return told instanceof DiskFullException
        ? told
        : new IOException("Could not " + what + " " + path + ": " + cause.getMessage(), cause);
  }

  private void checkUsable() throws IOException {
    if (closed) {
      throw new IOException(path + " is closed");
    }
    if (failed) {
      throw new IOException(path + " is in an unknown state since a write or sync of it failed");
    }
  }
}
