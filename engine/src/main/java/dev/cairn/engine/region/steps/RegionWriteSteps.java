package dev.cairn.engine.region.steps;

import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.write.ExplicitRowLocks;
import dev.cairn.engine.region.write.WriteParts;
import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Implements writes in steps for one open region, with the parts that its writes in one call use.
 */
public final class RegionWriteSteps implements WriteSteps {
  private final WriteParts parts;
  private final ExplicitRowLocks locks;
  private final RegionGate gate;
  private final Admission admission;

  /** The number of open visits of each thread. */
  private final ConcurrentMap<Thread, Integer> inside = new ConcurrentHashMap<>();

  /** Decides whether the region takes writes. */
  @FunctionalInterface
  public interface Admission {
    /** Returns normally if the region takes writes now. */
    void check() throws IOException;
  }

  /**
   * Creates the steps.
   *
   * @param admission called before a write begins
   */
  public RegionWriteSteps(
      WriteParts parts, ExplicitRowLocks locks, RegionGate gate, Admission admission) {
    this.parts = parts;
    this.locks = locks;
    this.gate = gate;
    this.admission = admission;
  }

  @Override
  public RegionGate.Visit enter() throws RegionClosedException {
    Thread thread = Thread.currentThread();
    RegionGate.Visit visit = enterAgain(thread);
    if (visit == null) {
      visit = gate.enter();
      inside.merge(thread, 1, Integer::sum);
    }
    return counted(thread, visit);
  }

  /**
   * Enters if the thread is inside. In one step with the count: another thread may end the last
   * visit at the same time, and leaves the gate after the count has gone down.
   */
  private RegionGate.Visit enterAgain(Thread thread) {
    RegionGate.Visit[] again = new RegionGate.Visit[1];
    inside.computeIfPresent(
        thread,
        (key, visits) -> {
          again[0] = gate.enterAgain();
          return visits + 1;
        });
    return again[0];
  }

  private RegionGate.Visit counted(Thread thread, RegionGate.Visit visit) {
    AtomicBoolean ended = new AtomicBoolean();
    return () -> {
      if (!ended.getAndSet(true)) {
        inside.computeIfPresent(thread, (key, visits) -> visits == 1 ? null : visits - 1);
        visit.close();
      }
    };
  }

  @Override
  public ExplicitRowLocks locks() {
    return locks;
  }

  @Override
  public SteppedWrite begin() throws IOException {
    RegionGate.Visit visit = enter();
    boolean begun = false;
    try {
      admission.check();
      SteppedWrite write = new SteppedWrite(parts, locks, visit);
      begun = true;
      return write;
    } finally {
      if (!begun) {
        visit.close();
      }
    }
  }
}
