package dev.cairn.torture.cluster;

import dev.cairn.torture.scheduler.Machine;
import java.util.Optional;

/** Freezes a machine when it next reaches a chosen {@link Instant}. */
final class FreezePoint {
  private final Machine machine;
  private Optional<Instant> awaited = Optional.empty();
  private Runnable whenFrozen = () -> {};

  FreezePoint(Machine machine) {
    this.machine = machine;
  }

  /** Freezes the machine when it next reaches {@code instant}, and runs {@code whenFrozen}. */
  void await(Instant instant, Runnable whenFrozen) {
    this.awaited = Optional.of(instant);
    this.whenFrozen = whenFrozen;
  }

  /** Cancels {@link #await}, if the machine has not reached the instant. */
  void cancel() {
    awaited = Optional.empty();
  }

  /** Tells whether the machine is to freeze at {@code instant}. */
  boolean awaits(Instant instant) {
    return awaited.filter(instant::equals).isPresent();
  }

  /** Reports that the machine has reached {@code instant}. */
  void reached(Instant instant) {
    if (awaited.isPresent() && awaited.get() == instant) {
      awaited = Optional.empty();
      machine.freeze();
      whenFrozen.run();
      machine.pause(1); // returns after the machine thaws
    }
  }
}
