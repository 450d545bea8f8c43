package dev.cairn.engine.region;

import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Multi-version concurrency control of one region: hands out write numbers, which are the sequence
 * numbers of cells and log entries, and tells readers up to which of them everything is complete.
 *
 * <p>A write begins, puts its cells into the memstores, makes the log safe, and completes. The read
 * point is the highest number up to which every write has completed; so a reader sees all of a
 * write or nothing, and a write that has returned is seen by every reader after it. Thread-safe.
 */
final class Mvcc {
  private final ArrayDeque<Write> pending = new ArrayDeque<>();
  private long lastBegun;
  private volatile long readPoint;
  private IOException failure;

  /** Begins with everything up to {@code sequence} complete. */
  Mvcc(long sequence) {
    this.lastBegun = sequence;
    this.readPoint = sequence;
  }

  /** A write that has begun. */
  static final class Write {
    private final long number;
    private boolean complete;

    private Write(long number) {
      this.number = number;
    }

    /** Returns the number of the write. */
    long number() {
      return number;
    }
  }

  /**
   * Begins a write.
   *
   * @throws IOException if one has failed: this one could never be seen
   */
  synchronized Write begin() throws IOException {
    if (failure != null) {
      throw failed();
    }
    Write write = new Write(++lastBegun);
    pending.addLast(write);
    return write;
  }

  /** Says that a write is done, or that it put nothing anywhere. */
  synchronized void complete(Write write) {
    write.complete = true;
    long reached = readPoint;
    while (!pending.isEmpty() && pending.peekFirst().complete) {
      reached = pending.pollFirst().number;
    }
    if (reached != readPoint) {
      readPoint = reached;
      notifyAll();
    }
  }

  /** Says that a write can never complete; whoever waits or begins another one is told. */
  synchronized void fail(IOException cause) {
    if (failure == null) {
      failure = cause;
    }
    notifyAll();
  }

  /** Returns once every write up to {@code number} has completed. */
  void await(long number) throws IOException {
    if (readPoint >= number) {
      return;
    }
    synchronized (this) {
      boolean interrupted = false;
      try {
        while (readPoint < number) {
          if (failure != null) {
            throw failed();
          }
          try {
            wait();
          } catch (InterruptedException e) {
            // The write is in the log already: it has to be seen through before the thread may
            // stop.
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private IOException failed() {
    return new IOException("A write before this one failed: " + failure.getMessage(), failure);
  }

  /** Returns the number up to which everything is complete. */
  long readPoint() {
    return readPoint;
  }

  /** Returns the highest number handed out. */
  synchronized long lastBegun() {
    return lastBegun;
  }
}
