package dev.cairn.interop.sidebyside;

import java.util.Map;
import java.util.TreeMap;

/**
 * Translates between the times of a server and those of the steps. Where a step leaves the time to
 * the server, each server takes its own. In the steps and in all answers the time of step
 * <em>n</em> is {@code base + n} instead. For that the steps of one side never share a millisecond.
 * One thread.
 */
final class Moments {
  /** How many steps there may be: times from base up to this much later are the servers'. */
  static final long STEPS_MAX = 100_000_000;

  private final long base;
  private final TreeMap<Long, Long> stepByStart = new TreeMap<>();
  private final TreeMap<Long, Long> startByStep = new TreeMap<>();
  private long end;

  Moments(long base) {
    this.base = base;
  }

  /** A step begins; waits until the millisecond of the one before is over. */
  void begin(long step) {
    long now = System.currentTimeMillis();
    while (now <= end) {
      Thread.onSpinWait();
      now = System.currentTimeMillis();
    }
    stepByStart.put(now, step);
    startByStep.put(step, now);
    end = Long.MAX_VALUE;
  }

  /** The step that was begun last is over. */
  void end() {
    end = System.currentTimeMillis();
  }

  /** Returns the steps' time for a time of the server. */
  long shown(long timestamp) {
    Map.Entry<Long, Long> step = stepByStart.floorEntry(timestamp);
    boolean ofServer = step != null && timestamp <= Math.min(end, System.currentTimeMillis());
    return ofServer ? base + step.getValue() : timestamp;
  }

  /** Returns a time of the server before which all of its times are from before {@code shown}. */
  long ofServer(long shown) {
    if (shown < base || shown >= base + STEPS_MAX) {
      return shown;
    }
    Map.Entry<Long, Long> start = startByStep.ceilingEntry(shown - base);
    return start == null ? System.currentTimeMillis() + 1 : start.getValue();
  }
}
