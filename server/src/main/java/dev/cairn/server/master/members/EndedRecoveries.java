package dev.cairn.server.master.members;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.master.members.ServerManager.Recovery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Remembers completed recoveries for a while, as HBase lists procedures. Owned by the loop. */
public final class EndedRecoveries {
  /** HBase lists a completed procedure for so long by default. */
  private static final Duration KEPT = Duration.ofMinutes(15);

  private static final int COUNT_MAX = 1_000;

  private final Clock clock;

  /** The oldest first. */
  private final Deque<Ended> ended = new ArrayDeque<>();

  /**
   * A completed recovery.
   *
   * @param endMillis when it was complete, milliseconds since 1970
   */
  public record Ended(Recovery recovery, long endMillis) {}

  EndedRecoveries(Clock clock) {
    this.clock = clock;
  }

  void add(Recovery recovery) {
    ended.addLast(new Ended(recovery, clock.currentTimeMillis()));
    if (ended.size() > COUNT_MAX) {
      ended.removeFirst();
    }
  }

  /** Returns the recoveries that are remembered, the oldest first. */
  List<Ended> all() {
    long first = clock.currentTimeMillis() - KEPT.toMillis();
    ended.removeIf(one -> one.endMillis() < first);
    return List.copyOf(ended);
  }
}
