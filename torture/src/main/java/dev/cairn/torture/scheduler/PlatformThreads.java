package dev.cairn.torture.scheduler;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Threads of the operating system. A switch takes it about 5 microseconds. */
final class PlatformThreads implements ThreadSwitch {
  private volatile Thread driver;

  @Override
  public ThreadHandle create(SimulatedThread owner) {
    return new Handle(owner);
  }

  @Override
  public void resumeDriver() {
    LockSupport.unpark(driver);
  }

  @Override
  public void awaitDriver(Supplier<SimulatedThread> holder) {
    driver = Thread.currentThread();
    long steps = -1;
    long since = System.nanoTime();
    for (SimulatedThread now = holder.get(); now != null; now = holder.get()) {
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(100));
      if (now.steps() != steps) {
        steps = now.steps();
        since = System.nanoTime();
      } else if (System.nanoTime() - since > STUCK_NANOS) {
        throw ThreadSwitch.stuck(now);
      }
    }
  }

  private static final class Handle extends Thread implements ThreadHandle {
    private final SimulatedThread owner;
    private boolean begun;

    private Handle(SimulatedThread owner) {
      super(owner, "simulated");
      this.owner = owner;
      setDaemon(true);
    }

    @Override
    public Thread thread() {
      return this;
    }

    @Override
    public void proceed() {
      if (!begun) {
        begun = true;
        start();
      } else {
        LockSupport.unpark(this);
      }
    }

    @Override
    public void end() {
      LockSupport.unpark(this);
    }

    @Override
    public void interrupt() {
      super.interrupt();
      owner.wake();
    }
  }
}
