package dev.cairn.engine.storage;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The bytes of one file in memory, in pieces of 64 KiB, so that a growing file is never copied as a
 * whole. One thread appends; any number read what has been flushed.
 *
 * <p>Bytes that have been flushed never change, and the array of pieces is replaced rather than
 * changed where a reader may look; so a reader that took the array after it read {@link #flushed}
 * needs no lock.
 */
final class MemoryFile {
  private static final int PIECE_BITS = 16;
  private static final int PIECE_SIZE = 1 << PIECE_BITS;
  private static final int FIRST_SIZE = 1 << 10;
  private static final int SECTOR_SIZE = 512;

  private volatile byte[][] pieces = {new byte[FIRST_SIZE]};
  private long written;
  private volatile long flushed;
  private volatile long synced;
  private volatile boolean nameSynced;
  private volatile long modifiedMillis;

  MemoryFile(long modifiedMillis) {
    this.modifiedMillis = modifiedMillis;
  }

  private MemoryFile(byte[][] pieces, long length, long modifiedMillis) {
    this.pieces = pieces;
    this.written = length;
    this.flushed = length;
    this.synced = length;
    this.nameSynced = true;
    this.modifiedMillis = modifiedMillis;
  }

  long written() {
    return written;
  }

  long length() {
    return flushed;
  }

  long modifiedMillis() {
    return modifiedMillis;
  }

  byte[][] pieces() {
    return pieces;
  }

  void append(byte[] bytes, int offset, int length) {
    int done = 0;
    while (done < length) {
      int index = (int) (written >>> PIECE_BITS);
      int at = (int) written & (PIECE_SIZE - 1);
      int count = Math.min(length - done, PIECE_SIZE - at);
      System.arraycopy(bytes, offset + done, piece(index, at + count), at, count);
      written += count;
      done += count;
    }
  }

  /** Returns piece {@code index} with room for {@code size} bytes. */
  private byte[] piece(int index, int size) {
    byte[][] current = pieces;
    if (index == current.length) {
      current = Arrays.copyOf(current, current.length * 2);
      pieces = current;
    }
    if (current[index] == null) {
      // Behind everything flushed: no reader looks here yet.
      current[index] = new byte[PIECE_SIZE];
    } else if (current[index].length < size) {
      int larger = Math.min(PIECE_SIZE, Math.max(size, current[index].length * 4));
      current = current.clone();
      current[index] = Arrays.copyOf(current[index], larger);
      pieces = current;
    }
    return current[index];
  }

  void flush(long nowMillis) {
    modifiedMillis = nowMillis;
    flushed = written;
  }

  void sync(long nowMillis) {
    flush(nowMillis);
    synced = flushed;
    nameSynced = true;
  }

  /** The name has been made durable without the bytes: by a rename. */
  void syncName() {
    nameSynced = true;
  }

  /** Gives back what the last piece does not need. */
  void trim() {
    byte[][] current = pieces;
    int count = (int) ((written + PIECE_SIZE - 1) >>> PIECE_BITS);
    byte[][] trimmed = Arrays.copyOf(current, count);
    int rest = (int) written & (PIECE_SIZE - 1);
    if (rest != 0) {
      trimmed[count - 1] = Arrays.copyOf(trimmed[count - 1], rest);
    }
    pieces = trimmed;
  }

  static int read(
      byte[][] pieces, long fileLength, long position, byte[] target, int offset, int wanted) {
    if (position >= fileLength) {
      return -1;
    }
    int length = (int) Math.min(wanted, fileLength - position);
    int done = 0;
    while (done < length) {
      int at = (int) (position + done) & (PIECE_SIZE - 1);
      int count = Math.min(length - done, PIECE_SIZE - at);
      byte[] piece = pieces[(int) ((position + done) >>> PIECE_BITS)];
      System.arraycopy(piece, at, target, offset + done, count);
      done += count;
    }
    return length;
  }

  /** Returns the file as it is after its process was killed; shares the bytes. */
  MemoryFile afterKill() {
    long length = flushed;
    MemoryFile copy = new MemoryFile(pieces, length, modifiedMillis);
    copy.synced = Math.min(synced, length);
    copy.nameSynced = nameSynced;
    return copy;
  }

  /** Tells whether the file's name survives a power cut. */
  boolean survivesPowerCut() {
    return nameSynced;
  }

  /** Returns the file with only what was synced; shares the bytes. */
  MemoryFile afterPowerCut() {
    long length = synced;
    return new MemoryFile(pieces, length, modifiedMillis);
  }

  /**
   * Returns the file with what was synced and, as real disks do it, some of the rest: the length
   * grown by a random part of it, and in that part random sectors that were never written and read
   * as zeros.
   */
  MemoryFile afterPowerCut(RandomGenerator random) {
    long durable = synced;
    long length = durable + random.nextLong(flushed - durable + 1);
    byte[][] source = pieces;
    int shared = (int) (durable >>> PIECE_BITS);
    int count = (int) ((length + PIECE_SIZE - 1) >>> PIECE_BITS);
    byte[][] copy = Arrays.copyOf(source, count);
    for (int i = shared; i < count; i++) {
      copy[i] = Arrays.copyOf(source[i], PIECE_SIZE);
    }
    boolean holes = random.nextBoolean();
    for (long at = durable; holes && at < length; at = (at / SECTOR_SIZE + 1) * SECTOR_SIZE) {
      if (random.nextInt(4) == 0) {
        int from = (int) at & (PIECE_SIZE - 1);
        Arrays.fill(
            copy[(int) (at >>> PIECE_BITS)],
            from,
            (from / SECTOR_SIZE + 1) * SECTOR_SIZE,
            (byte) 0);
      }
    }
    return new MemoryFile(copy, length, modifiedMillis);
  }
}
