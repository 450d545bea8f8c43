package dev.cairn.server.regionserver.hooked;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hooked.HookTimes.Visit;
import dev.cairn.server.regionserver.hooked.HookedWork.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tasks of one kind on regions with hooks, as {@link HookedThreads} describes. Thread-safe. */
final class HookedTasks {
  private static final Logger LOG = LoggerFactory.getLogger(HookedTasks.class);

  private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Kind kind;
  private final Executor threads;
  private final Clock clock;
  private final HookTimes times;
  private final IntSupplier limit;
  private final List<Task> waiting = new ArrayList<>(); // guarded by this, as are the next two
  private final Set<Task> running = new HashSet<>(); // without overdue ones
  private final Set<Task> overdue = new HashSet<>();

  HookedTasks(Kind kind, Executor threads, Clock clock, HookTimes times, IntSupplier limit) {
    this.kind = kind;
    this.threads = threads;
    this.clock = clock;
    this.times = times;
    this.limit = limit;
  }

  /** A task, once it has begun. */
  private final class Task implements Runnable {
    private final TableName table;
    private final Runnable work;
    private volatile long begunNanos = Long.MAX_VALUE; // before it has begun

    Task(TableName table, Runnable work) {
      this.table = table;
      this.work = work;
    }

    @Override
    public void run() {
      begunNanos = clock.nanoTime();
      try {
        work.run();
      } finally {
        ended(this);
      }
    }

    /**
     * Returns a hook of the table that has run for longer than a time, if the task has, too. The
     * task runs this hook, or may wait for a lock that the hook holds.
     */
    Optional<Visit> visit(long nanos) {
      long now = clock.nanoTime();
      return begunNanos == Long.MAX_VALUE || now - begunNanos <= nanos
          ? Optional.empty()
          : times.running().stream()
              .filter(visit -> visit.table().equals(table) && now - visit.sinceNanos() > nanos)
              .findFirst();
    }
  }

  /** Runs a task when there is room. */
  void add(TableName table, Runnable work) {
    synchronized (this) {
      waiting.add(new Task(table, work));
    }
    begin();
  }

  private long overdue(TableName table) {
    return overdue.stream().filter(task -> task.table.equals(table)).count();
  }

  /** Tells whether a task of a table and a hook of a flush have both run for more than a second. */
  synchronized boolean isHeld(TableName table) {
    return Stream.concat(running.stream(), overdue.stream())
        .anyMatch(
            task ->
                task.table.equals(table)
                    && task.visit(HELD_NANOS).filter(Visit::isOfFlush).isPresent());
  }

  private void ended(Task task) {
    synchronized (this) {
      running.remove(task);
      overdue.remove(task);
    }
    begin();
  }

  private void begin() {
    for (Optional<Task> next = next(); next.isPresent(); next = next()) {
      Task task = next.get();
      boolean begun = false;
      try {
        threads.execute(task);
        begun = true;
      } finally {
        if (!begun) {
          synchronized (this) {
            running.remove(task);
          }
        }
      }
    }
  }

  /** Takes the next task; prefers tables without running tasks. */
  private synchronized Optional<Task> next() {
    int most = limit.getAsInt();
    if (waiting.isEmpty() || running.size() >= most) {
      return Optional.empty();
    }
    Set<TableName> busy = new HashSet<>();
    running.forEach(task -> busy.add(task.table));
    overdue.forEach(task -> busy.add(task.table));
    Optional<Task> next =
        waiting.stream()
            .filter(task -> !busy.contains(task.table))
            .findFirst()
            .or(() -> waiting.stream().filter(task -> overdue(task.table) < most).findFirst());
    next.ifPresent(
        task -> {
          waiting.remove(task);
          running.add(task);
        });
    return next;
  }

  /** Finds tasks that have become overdue, and begins others; tells whether any runs or waits. */
  boolean check() {
    boolean any;
    synchronized (this) {
      for (Iterator<Task> tasks = running.iterator(); tasks.hasNext(); ) {
        Task task = tasks.next();
        Optional<Visit> visit = task.visit(HookedThreads.OVERDUE_NANOS);
        if (visit.isPresent()) {
          tasks.remove();
          overdue.add(task);
          LOG.warn(
              "The hook {} of {} does not return and holds up table {} ({}); other tables go on",
              visit.get().hook(),
              visit.get().className(),
              task.table,
              kind);
        }
      }
      any = !running.isEmpty() || !waiting.isEmpty();
    }
    begin();
    return any;
  }
}
