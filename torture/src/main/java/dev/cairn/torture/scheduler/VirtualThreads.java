package dev.cairn.torture.scheduler;

import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Virtual threads, which all run on the driver's thread. A switch takes less than a microsecond.
 *
 * <p>A virtual thread hands the rest of its work to its executor whenever it may continue. Here,
 * each has an executor of its own that keeps the work until the thread has the baton. Java has no
 * public way to choose the executor, so this needs {@code --add-opens java.base/java.lang}. Before
 * Java 24, a virtual thread that parks within {@code synchronized} keeps the driver's thread, so
 * this needs Java 24.
 */
final class VirtualThreads implements ThreadSwitch {
  private static final int JAVA_MIN = 24;

  /** Creates a virtual thread with an executor; empty if this Java cannot. */
  private static final Optional<Method> FACTORY = factory();

  private static Optional<Method> factory() {
    if (Runtime.version().feature() < JAVA_MIN) {
      return Optional.empty();
    }
    try {
      Method factory =
          Class.forName("java.lang.ThreadBuilders")
              .getDeclaredMethod(
                  "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
      factory.setAccessible(true);
      return Optional.of(factory);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      return Optional.empty();
    }
  }

  /** Tells whether this Java has them, and allows to choose their executor. */
  static boolean areAvailable() {
    return FACTORY.isPresent();
  }

  private volatile Thread driver;

  @Override
  public ThreadHandle create(SimulatedThread owner) {
    return new Handle(owner);
  }

  @Override
  public void resumeDriver() {
    // The driver continues when the last holder parks.
  }

  @Override
  public void awaitDriver(Supplier<SimulatedThread> holder) {
    driver = Thread.currentThread();
    for (SimulatedThread now = holder.get(); now != null; now = holder.get()) {
      Handle handle = (Handle) now.handle();
      handle.run();
      if (holder.get() == now) {
        awaitMonitor(now, handle);
      }
    }
  }

  /**
   * Waits until a holder that waits for a monitor can continue. Monitors of static state belong to
   * the whole process: a thread of another scheduler may have this one.
   */
  private static void awaitMonitor(SimulatedThread holder, Handle handle) {
    long begun = System.nanoTime();
    while (handle.rest.isEmpty()) {
      Thread.State state = holder.thread().getState();
      boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
      if (waits || System.nanoTime() - begun > ThreadSwitch.STUCK_NANOS) {
        throw ThreadSwitch.stuck(holder);
      }
      LockSupport.parkNanos(holder, TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  private final class Handle implements ThreadHandle, Executor {
    private final SimulatedThread owner;
    private final Thread thread;

    /** Written by another thread than the driver when the holder receives a monitor. */
    private volatile Optional<Runnable> rest = Optional.empty();

    private boolean begun;
    private boolean resuming;

    private Handle(SimulatedThread owner) {
      this.owner = owner;
      try {
        this.thread = (Thread) FACTORY.orElseThrow().invoke(null, this, "simulated", 0, owner);
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("No virtual thread can be created", e);
      }
    }

    @Override
    public Thread thread() {
      return thread;
    }

    @Override
    public void proceed() {
      // The driver continues the holder.
    }

    /** Runs the thread until it parks, on the driver's thread. */
    private void run() {
      resuming = true;
      if (!begun) {
        begun = true;
        thread.start();
      } else if (rest.isEmpty()) {
        LockSupport.unpark(thread);
      }
      resuming = false;
      Runnable next =
          rest.orElseThrow(() -> new IllegalStateException(owner.taskName() + " cannot continue"));
      rest = Optional.empty();
      next.run();
    }

    /**
     * Receives the rest of the thread's work: it has been started, unparked or interrupted, or it
     * has received a monitor. Only the holder waits for monitors; then any thread calls this.
     */
    @Override
    public void execute(Runnable work) {
      boolean hasBaton = owner.hasBaton();
      rest = Optional.of(work);
      if (hasBaton) {
        LockSupport.unpark(driver);
      } else if (!resuming) {
        owner.wake();
      }
    }

    @Override
    public void end() {
      if (begun) {
        run();
      }
    }
  }
}
