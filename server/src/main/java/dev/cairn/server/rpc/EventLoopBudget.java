package dev.cairn.server.rpc;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Limits the time that a network thread spends on answering calls before it returns to its
 * connections. Calls beyond the budget go to the handlers, so one connection with many calls does
 * not hold up the others, and more calls than one processor can answer use several. Confined to the
 * network thread.
 */
final class EventLoopBudget implements Runnable {
  /**
   * About sixty gets, or twenty scans of fifty rows: more than one round brings in while the thread
   * keeps up, and short beside the other delays of a call. One call may take longer, as the longest
   * short scans do; it is then the last of its round.
   */
  static final long NANOS_PER_ROUND = TimeUnit.MICROSECONDS.toNanos(1000);

  private final Executor networkThread;
  private long spentNanos;
  private boolean running;

  /**
   * Creates the budget of a thread.
   *
   * @param networkThread runs a task after it has visited all connections that were ready
   */
  EventLoopBudget(Executor networkThread) {
    this.networkThread = networkThread;
  }

  /** Tells whether one more call may be answered in this round. */
  boolean isLeft() {
    return spentNanos < NANOS_PER_ROUND;
  }

  /** Deducts the whole time of a call, so a round exceeds its budget by one call at most. */
  void spend(long nanos) {
    spentNanos += nanos;
    if (!running) {
      running = true;
      networkThread.execute(this);
    }
  }

  /** Begins the next round. */
  @Override
  public void run() {
    spentNanos = 0;
    running = false;
  }
}
