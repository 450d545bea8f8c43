package dev.cairn.engine.memstore;

import dev.cairn.engine.cell.Bytes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * Lists the nonces of changes that must not be made twice, in roughly the order of the changes.
 * Each segment has a list for its cells. A flush writes the list into its store file, and a
 * compaction keeps it. So each later owner of the cells knows which changes were made. Thread-safe.
 */
public final class NonceList {
  /** The maximum number of nonces in a store file, which keeps the newest ones. */
  public static final int FILE_MAX = 1 << 18;

  private static final int LONGS = 3;
  private static final int ENTRY_BYTES = LONGS * Long.BYTES;
  private static final int FIRST_LENGTH = 8 * LONGS;
  private static final int OBJECT_BYTES = 48;

  private long[] values = {};
  private int length;

  /** Receives nonces. */
  @FunctionalInterface
  public interface Receiver {
    /**
     * Receives the nonce of one change.
     *
     * @param group distinguishes the client's nonces from those of others
     * @param writeMillis when the change was made, milliseconds since 1970
     */
    void receive(long group, long number, long writeMillis);
  }

  private record Key(long group, long number) {}

  /** Adds the nonce of one change; see {@link Receiver#receive}. */
  public synchronized void add(long group, long number, long writeMillis) {
    if (length == values.length) {
      values = Arrays.copyOf(values, Math.max(FIRST_LENGTH, 2 * length));
    }
    values[length++] = group;
    values[length++] = number;
    values[length++] = writeMillis;
  }

  /** Passes all nonces on, oldest first. */
  public synchronized void forEach(Receiver receiver) {
    for (int i = 0; i < length; i += LONGS) {
      receiver.receive(values[i], values[i + 1], values[i + 2]);
    }
  }

  /** Returns the heap size of the list in bytes. */
  public synchronized long heapBytes() {
    return length == 0 ? 0 : OBJECT_BYTES + (long) values.length * Long.BYTES;
  }

  /**
   * Encodes the nonces for a store file: the newest ones without duplicates, at most {@link
   * #FILE_MAX}.
   *
   * @param sinceMillis leaves out changes before this time, milliseconds since 1970
   */
  public synchronized byte[] toBytes(long sinceMillis) {
    Set<Key> kept = new HashSet<>();
    byte[] bytes = new byte[Math.min(length / LONGS, FILE_MAX) * ENTRY_BYTES];
    int at = bytes.length;
    for (int i = length - LONGS; i >= 0 && at > 0; i -= LONGS) {
      if (values[i + 2] >= sinceMillis && kept.add(new Key(values[i], values[i + 1]))) {
        at -= ENTRY_BYTES;
        for (int part = 0; part < LONGS; part++) {
          Bytes.putLong(bytes, at + part * Long.BYTES, values[i + part]);
        }
      }
    }
    return Arrays.copyOfRange(bytes, at, bytes.length);
  }

  /**
   * Decodes the bytes that {@link #toBytes} has returned, and passes on their nonces.
   *
   * @throws IllegalArgumentException if the bytes have another format
   */
  public static void read(byte[] bytes, Receiver receiver) {
    if (bytes.length % ENTRY_BYTES != 0) {
      throw new IllegalArgumentException("A list of nonces cannot have " + bytes.length + " bytes");
    }
    for (int at = 0; at < bytes.length; at += ENTRY_BYTES) {
      receiver.receive(
          Bytes.getLong(bytes, at),
          Bytes.getLong(bytes, at + Long.BYTES),
          Bytes.getLong(bytes, at + 2 * Long.BYTES));
    }
  }
}
