package dev.cairn.server.rpc;

import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * How much of a network thread's time goes to answering calls before it looks at its connections
 * again. Calls beyond it go to the handlers: so a connection that sends many calls at once holds up
 * no other one, and more calls than one processor can answer make use of several. Confined to the
 * network thread.
 */
final class QuickBudget implements Runnable {
  /**
   * Some sixty gets, or twenty scans of fifty rows: more than a round brings in while the thread
   * keeps up, and little beside what else a call may wait for. A single call may take more, as the
   * longest short scans do: then it is the round's last.
   */
  static final long NANOS_PER_ROUND = TimeUnit.MICROSECONDS.toNanos(1000);

  private final Executor networkThread;
  private long spentNanos;
  private boolean running;

  /**
   * Creates the budget of a thread.
   *
   * @param networkThread runs a task after it has looked at all connections that were ready
   */
  QuickBudget(Executor networkThread) {
    this.networkThread = networkThread;
  }

  /** Tells whether one more call may be answered in this round. */
  boolean isLeft() {
    return spentNanos < NANOS_PER_ROUND;
  }

  /**
   * Takes off what a call took: all of it, so that a round exceeds its time by one call at most.
   */
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
