package dev.cairn.engine.storage;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The bytes of one file in memory, in pieces of 64 KiB, so that a growing file is never copied as a
 * whole. One thread appends; any number read the flushed bytes.
 *
 * <p>Bytes that have been written never change, and the array of pieces is replaced rather than
 * changed where a reader may look; so a reader that took the array after it read {@link #flushed}
 * needs no lock.
 */
final class MemoryFile implements MemoryTree.Node {
  private static final int PIECE_BITS = 16;
  private static final int PIECE_SIZE = 1 << PIECE_BITS;
  private static final int FIRST_SIZE = 1 << 10;

  private volatile byte[][] pieces = {new byte[FIRST_SIZE]};
  private volatile long written;
  private volatile long flushed;
  private volatile long synced;
  private volatile boolean everSynced;
  private volatile long modifiedMillis;
  private volatile long sealed = Long.MAX_VALUE; // the final length of a sealed file

  MemoryFile(long modifiedMillis) {
    this.modifiedMillis = modifiedMillis;
  }

  private MemoryFile(byte[][] pieces, long length, long synced, long modifiedMillis) {
    this.pieces = pieces;
    this.written = length;
    this.flushed = length;
    this.synced = synced;
    this.modifiedMillis = modifiedMillis;
  }

  long written() {
    return written;
  }

  long length() {
    return Math.min(flushed, sealed);
  }

  @Override
  public long modifiedMillis() {
    return modifiedMillis;
  }

  byte[][] pieces() {
    return pieces;
  }

  void append(byte[] bytes, int offset, int length) {
    int done = 0;
    long end = written;
    while (done < length) {
      int index = (int) (end >>> PIECE_BITS);
      int at = (int) end & (PIECE_SIZE - 1);
      int count = Math.min(length - done, PIECE_SIZE - at);
      System.arraycopy(bytes, offset + done, piece(index, at + count), at, count);
      end += count;
      done += count;
    }
    written = end;
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

  synchronized void flush(long nowMillis) {
    modifiedMillis = nowMillis;
    flushed = written;
  }

  /**
   * Ends the file after its flushed bytes, which are durable from now on, and returns their length.
   * Calls of {@link #flush} and {@link #sync} that check {@link #isSealed} under this object's
   * monitor come before or fail.
   */
  synchronized long seal() {
    if (!isSealed()) {
      sealed = flushed;
      synced = flushed;
    }
    return sealed;
  }

  boolean isSealed() {
    return sealed != Long.MAX_VALUE;
  }

  /** Makes the bytes durable. Returns true the first time: then the name must follow. */
  synchronized boolean sync(long nowMillis) {
    flush(nowMillis);
    synced = flushed;
    boolean first = !everSynced;
    everSynced = true;
    return first;
  }

  /** Makes the flushed bytes durable. */
  synchronized void syncFlushed() {
    synced = Math.max(synced, flushed);
  }

  /** Releases the unused memory of the last piece. */
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
    return afterKill(length);
  }

  /**
   * Returns the file as it may be after its process was killed: with the flushed bytes and, by
   * chance, a part of the written bytes after them, which a full buffer may have pushed out.
   */
  MemoryFile afterKill(RandomGenerator random) {
    long certain = flushed;
    long length = certain + random.nextLong(written - certain + 1);
    return afterKill(length);
  }

  private MemoryFile afterKill(long length) {
    MemoryFile copy = new MemoryFile(pieces, length, Math.min(synced, length), modifiedMillis);
    copy.everSynced = everSynced;
    return sealedAsThis(copy);
  }

  /** Returns the file with its synced bytes only; shares the bytes. */
  MemoryFile afterPowerCut() {
    long length = synced;
    return sealedAsThis(new MemoryFile(pieces, length, length, modifiedMillis));
  }

  /** Returns the file with its synced bytes and, by chance, any part of the rest. */
  MemoryFile afterPowerCut(RandomGenerator random) {
    long durable = synced;
    UnsyncedBytes rest = new UnsyncedBytes(random, durable, written);
    byte[][] source = pieces;
    int count = (int) ((rest.end() + PIECE_SIZE - 1) >>> PIECE_BITS);
    byte[][] copy = Arrays.copyOf(source, count);
    for (int i = (int) (durable >>> PIECE_BITS); i < count; i++) {
      copy[i] = Arrays.copyOf(source[i], PIECE_SIZE);
    }
    rest.eachLost(
        (from, to) -> {
          for (long at = from; at < to; ) {
            long end = Math.min(to, (at | (PIECE_SIZE - 1)) + 1);
            int start = (int) at & (PIECE_SIZE - 1);
            Arrays.fill(copy[(int) (at >>> PIECE_BITS)], start, start + (int) (end - at), (byte) 0);
            at = end;
          }
        });
    return sealedAsThis(new MemoryFile(copy, rest.end(), rest.end(), modifiedMillis));
  }

  private MemoryFile sealedAsThis(MemoryFile copy) {
    copy.sealed = sealed;
    return copy;
  }
}
