package dev.cairn.server.regionserver.hooked;

import dev.cairn.engine.schema.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The hooks that run in a process, and the counts of those that have run, by table, class and hook.
 * Thread-safe.
 */
public final class HookTimes {
  /** The name of the hook for scanners that hooks return for flushes and compactions. */
  public static final String REWRITE_SCANNER = "InternalScanner";

  /** The name of the hook for scanners that hooks return to clients. */
  public static final String CLIENT_SCANNER = "RegionScanner";

  private final Set<Slot> slots = ConcurrentHashMap.newKeySet();
  private final Map<TableName, Integer> open = new HashMap<>(); // guarded by this
  private final ConcurrentMap<Key, Counter> counters = new ConcurrentHashMap<>();

  /**
   * A hook that a thread runs.
   *
   * @param sinceNanos the clock's time of the call
   */
  public record Visit(TableName table, String className, String hook, long sinceNanos) {
    /** Tells whether the hook holds up a flush. */
    boolean isOfFlush() {
      return hook.contains("Flush") || hook.equals(REWRITE_SCANNER);
    }
  }

  /** The same hook of a class in all regions of a table. */
  public record Key(TableName table, String className, String hook) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byTable = table.toString().compareTo(other.table.toString());
      int byClass = byTable != 0 ? byTable : className.compareTo(other.className);
      return byClass != 0 ? byClass : hook.compareTo(other.hook);
    }
  }

  /** The calls of one hook. */
  public static final class Counter {
    private final LongAdder calls = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    /** Adds a call that took {@code time} nanoseconds. */
    public void add(long time, boolean failed) {
      calls.increment();
      nanos.add(time);
      if (failed) {
        failures.increment();
      }
    }

    /** Returns the counts so far. */
    public Totals totals() {
      return new Totals(calls.sum(), failures.sum(), nanos.sum());
    }
  }

  /**
   * The calls of one hook or several.
   *
   * @param failures the calls that threw an exception
   * @param nanos the time of all
   */
  public record Totals(long calls, long failures, long nanos) {
    /** No call. */
    public static final Totals NONE = new Totals(0, 0, 0);

    /** Returns the sum. */
    public Totals plus(Totals other) {
      return new Totals(calls + other.calls, failures + other.failures, nanos + other.nanos);
    }
  }

  /** Holds the outermost hook that a thread runs. Used by that thread. */
  public static final class Slot {
    private final Thread thread = Thread.currentThread();
    private volatile Visit visit; // null if it is in none

    private Slot() {}

    /** Records that the thread runs a hook, which replaces the previous one. */
    public void enter(Visit hook) {
      visit = hook;
    }

    /** Records that the thread runs no hook. */
    public void leave() {
      visit = null;
    }
  }

  /** Creates a slot for the calling thread, which must keep it. */
  public Slot slot() {
    Slot slot = new Slot();
    slots.removeIf(other -> other.thread == slot.thread || !other.thread.isAlive());
    slots.add(slot);
    return slot;
  }

  /** Returns the hooks that run, each the outermost one of its thread. */
  public List<Visit> running() {
    return slots.stream().flatMap(slot -> Optional.ofNullable(slot.visit).stream()).toList();
  }

  /** Returns the counter of a hook. */
  public Counter counter(TableName table, String className, String hook) {
    return counters.computeIfAbsent(new Key(table, className, hook), key -> new Counter());
  }

  /** Records that a region of a table has hooks, until {@link #closed}. */
  public synchronized void opened(TableName table) {
    open.merge(table, 1, Integer::sum);
  }

  /**
   * Records that a region has not opened after {@link #opened}. Keeps the counts of its table,
   * because they contain the failure.
   */
  public synchronized void abandoned(TableName table) {
    leave(table);
  }

  private boolean leave(TableName table) {
    boolean isLast = open.merge(table, -1, Integer::sum) <= 0;
    if (isLast) {
      open.remove(table);
    }
    return isLast;
  }

  /** Records that a region has closed; removes the counts of a table after its last region. */
  public synchronized void closed(TableName table) {
    if (leave(table)) {
      counters.keySet().removeIf(key -> key.table().equals(table));
    }
  }

  /** Returns all counts, in the order of tables, classes and hooks. */
  public Map<Key, Totals> totals() {
    Map<Key, Totals> totals = new TreeMap<>();
    counters.forEach((key, counter) -> totals.put(key, counter.totals()));
    return totals;
  }
}
