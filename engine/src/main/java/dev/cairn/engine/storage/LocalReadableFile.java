package dev.cairn.engine.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * A file on the local disk, open for reading by any number of threads.
 *
 * <p>Reads go through a {@link FileChannel}, which needs no lock. A channel closes itself, for all
 * threads, when a thread is interrupted inside a read; and it could not be opened again if the file
 * has been renamed or deleted since. Therefore there is a second handle, of a kind that interrupts
 * do not affect: after such an event the file is read through it, one thread at a time.
 */
final class LocalReadableFile implements ReadableFile {
  private static final int PIECE_SIZE_MAX = 1 << 20;

  private final String path;
  private final long length;
  private final FileChannel channel;
  private final RandomAccessFile standby; // guarded by itself
  private volatile boolean closed;

  /**
   * Opens a file.
   *
   * @param sealedLength the file's length if it is sealed
   */
  LocalReadableFile(String path, Path file, OptionalLong sealedLength) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      this.standby = new RandomAccessFile(file.toFile(), "r");
      this.length = Math.min(standby.length(), sealedLength.orElse(Long.MAX_VALUE));
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public int read(long position, byte[] target, int offset, int wanted) throws IOException {
    if (closed) {
      throw new IOException(path + " is closed");
    }
    if (position < 0) {
      throw new IOException("Cannot read " + path + " at position " + position);
    }
    if (position >= length) {
      return -1;
    }
    int limit = (int) Math.min(Math.min(wanted, PIECE_SIZE_MAX), length - position);
    // A thread that comes interrupted would close the channel without reading.
    boolean interrupted = Thread.interrupted();
    try {
      return channel.read(ByteBuffer.wrap(target, offset, limit), position);
    } catch (ClosedChannelException e) {
      if (closed) {
        throw new IOException(path + " was closed while it was read", e);
      }
      interrupted |= Thread.interrupted();
      return readStandby(position, target, offset, limit);
    } catch (IOException e) {
      throw new IOException(
          "Could not read " + path + " at " + position + ": " + e.getMessage(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private int readStandby(long position, byte[] target, int offset, int limit) throws IOException {
    synchronized (standby) {
      standby.seek(position);
      return standby.read(target, offset, limit);
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    try (RandomAccessFile first = standby) {
      channel.close();
    }
  }
}
