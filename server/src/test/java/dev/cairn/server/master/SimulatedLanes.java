package dev.cairn.server.master;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Optional;
import java.util.PriorityQueue;

/** Lanes and a clock that one thread turns: actions run in the order in which they were begun. */
public final class SimulatedLanes implements MasterLoop.Lanes, Clock {
  /** The lane whose actions are held back until this is empty; empty if no lane is held. */
  public Optional<Lane> held = Optional.empty();

  private final Deque<Runnable> actions = new ArrayDeque<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final PriorityQueue<Alarm> alarms =
      new PriorityQueue<>(Comparator.comparingLong(Alarm::atNanos).thenComparing(Alarm::number));
  private long nanos = Duration.ofDays(20_000).toNanos();
  private long setBackMillis;
  private long numbers;

  private record Alarm(long atNanos, long number, Runnable event) {}

  @Override
  public void execute(Lane lane, Runnable action) {
    (held.equals(Optional.of(lane)) ? waiting : actions).add(action);
  }

  @Override
  public void after(Duration delay, Runnable event) {
    alarms.add(new Alarm(nanos + delay.toNanos(), numbers++, event));
  }

  @Override
  public long currentTimeMillis() {
    return nanos / 1_000_000 - setBackMillis;
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  void setBack(Duration by) {
    setBackMillis += by.toMillis();
  }

  /** Lets time pass while an action waits. */
  void pass(Duration time) {
    nanos += time.toNanos();
  }

  /** Runs the next action. Returns whether there was one. */
  public boolean runAction() {
    if (held.isEmpty()) {
      actions.addAll(waiting);
      waiting.clear();
    }
    Runnable action = actions.poll();
    if (action == null) {
      return false;
    }
    action.run();
    return true;
  }

  /** Forgets the actions that have not begun: who asked for them is dead. */
  void dropActions() {
    actions.clear();
    waiting.clear();
  }

  /** Lets time pass until the next alarm. Returns false if there is none within {@code most}. */
  public boolean passTime(Duration most) {
    Alarm next = alarms.peek();
    if (next == null || next.atNanos() > nanos + most.toNanos()) {
      return false;
    }
    alarms.remove();
    nanos = Math.max(nanos, next.atNanos());
    next.event().run();
    return true;
  }
}
