package dev.cairn.server.master.loop;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * Runs the actions of lanes on an executor. Of each lane, at most {@link Lane#threads} actions run
 * at a time; they begin in the order in which they came. Thread-safe.
 */
public final class LaneQueues {
  private final Executor threads;

  /** The lanes that have running actions. Guarded by itself. */
  private final Map<Lane, LaneState> busy = new HashMap<>();

  /** True if no further action may begin. Guarded by {@code busy}. */
  private boolean closed;

  /** The waiting actions of a lane, and the number of running ones. */
  private static final class LaneState {
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private int running;
  }

  /**
   * Creates queues without actions.
   *
   * @param threads runs each task at once, on a thread of its own
   */
  public LaneQueues(Executor threads) {
    this.threads = threads;
  }

  /** Stops beginning actions, including those that wait. */
  public void close() {
    synchronized (busy) {
      closed = true;
    }
  }

  /**
   * Runs {@code action} as soon as its lane has a thread for it. Does nothing once closed.
   *
   * @throws java.util.concurrent.RejectedExecutionException if the executor takes no tasks any more
   */
  public void execute(Lane lane, Runnable action) {
    synchronized (busy) {
      if (closed) {
        return;
      }
      LaneState state = busy.computeIfAbsent(lane, ignored -> new LaneState());
      if (state.running == lane.threads()) {
        state.waiting.add(action);
        return;
      }
      state.running++;
    }
    threads.execute(() -> runAll(lane, action));
  }

  private void runAll(Lane lane, Runnable first) {
    Runnable action = first;
    try {
      while (action != null) {
        action.run();
        action = next(lane);
      }
    } finally {
      if (action != null) {
        continueAfterError(lane);
      }
    }
  }

  private void continueAfterError(Lane lane) {
    Runnable action = next(lane);
    if (action != null) {
      threads.execute(() -> runAll(lane, action));
    }
  }

  /** Returns the action that the calling thread runs next; null if there is none. */
  private Runnable next(Lane lane) {
    synchronized (busy) {
      LaneState state = busy.get(lane);
      Runnable action = closed ? null : state.waiting.poll();
      if (action == null && --state.running == 0) {
        busy.remove(lane);
      }
      return action;
    }
  }
}
