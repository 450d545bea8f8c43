package dev.cairn.engine.wal.file;

import dev.cairn.engine.storage.ReadableFile;
import java.io.IOException;

/** A window over a log file that moves forward as the file is read. One thread. */
final class WalInput {
  private static final int WINDOW_SIZE = 256 << 10;
  private static final int WINDOW_KEPT_MAX = 4 << 20;

  private final ReadableFile file;
  private byte[] window = new byte[0];
  private long start;
  private int size;

  WalInput(ReadableFile file) {
    this.file = file;
  }

  /** Returns the bytes that {@link #load} gives indexes into; changes with each load. */
  byte[] bytes() {
    return window;
  }

  /**
   * Makes {@code length} bytes from {@code position} of the file available.
   *
   * @param limit where the readable part of the file ends
   * @param what the name of those bytes in messages
   * @return the index of the first of them in {@link #bytes}
   * @throws WalDamage if they would reach beyond {@code limit}
   */
  int load(long position, long length, long limit, String what) throws IOException, WalDamage {
    if (length > limit - position || length > Integer.MAX_VALUE - 8) {
      throw WalDamage.pastEnd(what, length, limit - position);
    }
    if (position < start || position + length > start + size) {
      fill(position, (int) length, limit);
    }
    return (int) (position - start);
  }

  /** Returns how many bytes at {@code position} are available without reading. */
  int loaded(long position) {
    return position < start || position > start + size ? 0 : (int) (start + size - position);
  }

  private void fill(long position, int length, long limit) throws IOException {
    int wanted = (int) Math.min(Math.max(length, WINDOW_SIZE), limit - position);
    if (window.length < wanted || window.length > WINDOW_KEPT_MAX) {
      window = new byte[Math.max(wanted, (int) Math.min(WINDOW_SIZE, limit))];
    }
    size = 0;
    start = position;
    file.readFully(position, window, 0, wanted);
    size = wanted;
  }
}
