package dev.cairn.coprocessor.measure;

import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.regionserver.hooked.HookTimes.Visit;
import java.io.IOException;

/**
 * A call of a hook of all classes of a region that have it, from the first class to the last. A
 * hook may lead to another one: the calls of a thread are nested, and the time of the outer one
 * contains that of the inner one. For one thread.
 */
public final class HookCall implements AutoCloseable {
  private static final ThreadLocal<Calls> CALLS = ThreadLocal.withInitial(Calls::new);

  private final Calls calls;
  private final HookCall outer; // null if it is the outermost
  private final RegionMeter region;
  private final String hook;
  private HookTimes.Counter counter; // null before the first class
  private long beginNanos; // of the current class
  private long firstNanos;
  private long waitedNanos;
  private long pausedNanos;
  private boolean failed;

  /** The calls of a thread. */
  private static final class Calls {
    private HookCall innermost; // null if there is none
    private HookTimes times; // of the slot
    private HookTimes.Slot slot; // null before the first call

    HookTimes.Slot slot(HookTimes of) {
      if (of != times) {
        slot = of.slot();
        times = of;
      }
      return slot;
    }
  }

  /** A time that does not count for the call. Ends when it is closed. */
  @FunctionalInterface
  public interface Pause extends AutoCloseable {
    /** Outside of calls. */
    Pause NONE = () -> {};

    @Override
    void close();
  }

  private HookCall(Calls calls, RegionMeter region, String hook) {
    this.calls = calls;
    this.outer = calls.innermost;
    this.region = region;
    this.hook = hook;
  }

  static HookCall begin(RegionMeter region, String hook) {
    Calls calls = CALLS.get();
    HookCall call = new HookCall(calls, region, hook);
    calls.innermost = call;
    return call;
  }

  /** Ends the class before, and begins another one, if a call of the thread concerns its region. */
  public static void reached(ClassMeter next) {
    HookCall call = CALLS.get().innermost;
    if (call != null && call.region == next.region()) {
      call.begin(next);
    }
  }

  private void begin(ClassMeter next) {
    long now = region.clock().nanoTime();
    if (counter == null) {
      firstNanos = now;
      waitedNanos = PhaseTimes.waitedNanos();
    } else {
      count(now);
    }
    counter = next.counter(hook);
    beginNanos = now;
    if (outer == null) {
      calls.slot(region.times()).enter(new Visit(region.table(), next.className(), hook, now));
    }
  }

  private void count(long now) {
    counter.add(now - beginNanos - pausedNanos, failed);
    failed = false;
    pausedNanos = 0;
  }

  /** Takes note that the current class of the thread's call has failed. */
  public static void currentFailed() {
    HookCall call = CALLS.get().innermost;
    if (call != null) {
      call.failed = true;
    }
  }

  /** Code of a class. */
  @FunctionalInterface
  public interface Code<T> {
    /** Runs it. */
    T run() throws IOException;
  }

  /** Runs code of the current class, and counts its failure. */
  public <T> T measured(Code<T> code) throws IOException {
    boolean done = false;
    try {
      T result = code.run();
      done = true;
      return result;
    } finally {
      failed = !done;
    }
  }

  private boolean isScanner() {
    return hook.equals(HookTimes.CLIENT_SCANNER) || hook.equals(HookTimes.REWRITE_SCANNER);
  }

  /** Begins work of the engine for a scanner of a hook, whose own time alone counts. */
  public static Pause pause() {
    HookCall call = CALLS.get().innermost;
    if (call == null || !call.isScanner()) {
      return Pause.NONE;
    }
    long begin = call.region.clock().nanoTime();
    return () -> call.pausedNanos += call.region.clock().nanoTime() - begin;
  }

  @Override
  public void close() {
    calls.innermost = outer;
    if (counter == null) {
      return; // no class has the hook
    }
    long now = region.clock().nanoTime();
    long paused = pausedNanos;
    count(now);
    if (outer == null) {
      calls.slot(region.times()).leave();
      PhaseTimes.ranHooks(firstNanos, now, paused, waitedNanos);
    }
  }
}
