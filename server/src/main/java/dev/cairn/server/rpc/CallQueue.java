package dev.cairn.server.rpc;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.rpc.service.HandlerPool;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A bounded queue of calls and the handler threads that answer them. A handler starts when a call
 * waits and all others are busy, up to a limit, and ends when it had nothing to do for a minute.
 *
 * <p>Waking a thread costs more than answering a short call, so at most one handler at a time is on
 * its way to the queue: it wakes the next only if it leaves calls behind when it takes one. The
 * handler that fell asleep last wakes first, because its caches are warm. Thread-safe.
 */
final class CallQueue {
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final String name;
  private final int capacity;
  private final int maxHandlers;
  private final HandlerPool pool;
  private final ThreadFactory threadFactory;
  private final Clock clock;

  private final Queue<Task> calls = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();

  /** The number of waiting tasks that are {@link Dropping}, which take no call's place. */
  private final AtomicInteger dropping = new AtomicInteger();

  private final AtomicInteger active = new AtomicInteger();

  /** 1 while a handler has been woken, or looks for a call, and has not found one yet. */
  private final AtomicInteger searching = new AtomicInteger();

  private final Object lock = new Object();
  private final ArrayDeque<Handler> idle = new ArrayDeque<>(); // guarded by lock
  private int handlers; // guarded by lock
  private int started; // guarded by lock
  private volatile boolean closed;

  /** The handlers that have not ended. */
  private final Set<Handler> all = ConcurrentHashMap.newKeySet();

  /** A call in a queue. */
  interface Task {
    /** Answers the call; throws nothing. */
    void run();

    /** Releases the memory of the call, because it will not be answered. */
    void drop();

    /** Hears which handlers will answer the call, before it is queued. */
    default void queued(HandlerPool handlers) {}
  }

  /**
   * Creates an empty queue without threads.
   *
   * @param name the prefix of the threads' names
   * @param capacity the most calls that wait
   * @param maxHandlers the most threads
   * @param clock tells how long a handler has had nothing to do
   */
  CallQueue(String name, int capacity, int maxHandlers, ThreadFactory threadFactory, Clock clock) {
    this.name = name;
    this.capacity = capacity;
    this.maxHandlers = maxHandlers;
    this.pool = new HandlerPool(name, maxHandlers);
    this.threadFactory = threadFactory;
    this.clock = clock;
  }

  /** Adds a call; false if the queue is full or closed. Never blocks. */
  boolean offer(Task call) {
    if (closed) {
      return false;
    }
    if (waiting.incrementAndGet() > capacity) {
      waiting.decrementAndGet();
      return false;
    }
    add(call);
    return true;
  }

  /**
   * Lets a handler drop a call for which the queue has no room, so that the caller need not wait
   * for that. If as many calls wait to be dropped as may wait to be answered, the caller drops it:
   * so the memory of refused calls is bounded, too.
   */
  void drop(Task call) {
    if (dropping.incrementAndGet() > capacity) {
      dropping.decrementAndGet();
      call.drop();
      return;
    }
    add(new Dropping(call));
  }

  private record Dropping(Task call) implements Task {
    @Override
    public void run() {
      call.drop();
    }

    @Override
    public void drop() {
      call.drop();
    }
  }

  private void add(Task call) {
    calls.add(call);
    wakeOne();
    if (closed) {
      dropWaiting();
    }
  }

  /** A task was taken from the queue. */
  private void left(Task task) {
    (task instanceof Dropping ? dropping : waiting).decrementAndGet();
  }

  /** Returns the number of calls that wait to be answered. */
  int waiting() {
    return Math.max(0, waiting.get());
  }

  /** Returns the number of calls that are being answered. */
  int active() {
    return active.get();
  }

  /** Returns the calls that handlers are answering, about as they are at the moment. */
  List<Task> running() {
    return all.stream()
        .flatMap(handler -> Optional.ofNullable(handler.task.get()).stream())
        .toList();
  }

  /** Returns the prefix of its threads' names. */
  String name() {
    return name;
  }

  /** Returns the most calls that wait. */
  int capacity() {
    return capacity;
  }

  /** Returns its threads as one. */
  HandlerPool pool() {
    return pool;
  }

  /** Returns the most threads. */
  int handlersMax() {
    return maxHandlers;
  }

  /** Returns the number of threads. */
  int handlers() {
    synchronized (lock) {
      return handlers;
    }
  }

  /**
   * Accepts no more calls, forgets those that wait, and waits until the running ones have ended;
   * they are not interrupted, because an interrupt would close the files that they use.
   *
   * @return whether they ended in time
   */
  boolean close(long timeoutMillis) {
    closed = true;
    dropWaiting();
    synchronized (lock) {
      for (Handler handler : idle) {
        handler.wake();
      }
      idle.clear();
    }
    try {
      return await(lock, () -> handlers == 0, timeoutMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return handlers() == 0;
    }
  }

  /** Waits on a monitor until a condition holds; returns whether it does. */
  static boolean await(Object monitor, BooleanSupplier condition, long timeoutMillis)
      throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    synchronized (monitor) {
      while (!condition.getAsBoolean() && left > 0) {
        long step = Math.min(left, TimeUnit.MILLISECONDS.toNanos(20));
        TimeUnit.NANOSECONDS.timedWait(monitor, step);
        left -= step;
      }
      return condition.getAsBoolean();
    }
  }

  private void dropWaiting() {
    for (Task call = calls.poll(); call != null; call = calls.poll()) {
      left(call);
      call.drop();
    }
  }

  private void wakeOne() {
    while (searching.compareAndSet(0, 1)) {
      if (wakeIdleOrStart()) {
        return;
      }
      searching.set(0);
      // All are busy, and will look at the queue again, unless one fell asleep meanwhile.
      synchronized (lock) {
        if (idle.isEmpty() || calls.isEmpty()) {
          return;
        }
      }
    }
  }

  private boolean wakeIdleOrStart() {
    Handler handler;
    synchronized (lock) {
      handler = idle.pollFirst();
      if (handler == null) {
        if (handlers >= maxHandlers || closed) {
          return false;
        }
        handlers++;
        handler = new Handler(++started);
        all.add(handler);
      }
    }
    try {
      handler.wakeOrStart();
    } catch (OutOfMemoryError e) {
      // The system has no more threads. The call is in the queue: another handler gets to it.
      if (handlers() == 0) {
        throw e;
      }
      return false;
    }
    return true;
  }

  /** One thread. */
  private final class Handler implements Runnable {
    private final int number;
    private volatile Thread thread;
    private volatile boolean woken;

    /** The call that it answers, for {@link #running}. Written without a fence, to save time. */
    private final AtomicReference<Task> task = new AtomicReference<>();

    Handler(int number) {
      this.number = number;
    }

    void wakeOrStart() {
      if (thread != null) {
        wake();
        return;
      }
      woken = true;
      boolean running = false;
      try {
        Thread created = threadFactory.newThread(this);
        thread = created;
        created.start();
        running = true;
      } finally {
        if (!running) {
          searching.set(0);
          ended();
        }
      }
    }

    void wake() {
      woken = true;
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      Thread.currentThread().setName(name + "-" + number);
      boolean search = true; // the thread that woke or started this handler has set the mark for it
      boolean retired = false;
      try {
        while (!closed) {
          Task call = calls.poll();
          if (search) {
            searching.set(0);
            search = false;
          }
          if (call != null) {
            left(call);
            if (!calls.isEmpty()) {
              wakeOne();
            }
            answer(call);
          } else if (sleep()) {
            search = true;
          } else {
            retired = true;
            return;
          }
        }
      } finally {
        if (!retired) {
          ended();
        }
      }
    }

    private void answer(Task call) {
      active.incrementAndGet();
      task.lazySet(call);
      try {
        call.run();
      } finally {
        task.lazySet(null);
        active.decrementAndGet();
      }
    }

    /**
     * Waits to be woken; false if that did not happen for so long that the thread must end, and is
     * no longer counted.
     */
    private boolean sleep() {
      synchronized (lock) {
        woken = false;
        idle.addFirst(this);
      }
      if (!calls.isEmpty() || closed) {
        wakeOne(); // a call came between the look at the queue and now
      }
      // A call often leaves a permit behind, for example if it waits for the log's thread. Then
      // parking returns at once, which does not show how long there was nothing to do.
      long until = clock.nanoTime() + IDLE_NANOS;
      while (!woken && !closed) {
        LockSupport.parkNanos(this, Math.max(1, until - clock.nanoTime()));
        if (!woken && until - clock.nanoTime() <= 0) {
          synchronized (lock) {
            // Leaving the idle ones and the count is one step. Otherwise a call that comes in
            // between would find neither a sleeper to wake nor a free place for a new handler.
            if (idle.remove(this)) {
              all.remove(this);
              handlers--;
              lock.notifyAll();
              return false;
            }
          }
        }
      }
      return true;
    }

    private void ended() {
      all.remove(this);
      synchronized (lock) {
        handlers--;
        lock.notifyAll();
      }
    }
  }
}
