package dev.cairn.server.coordination;

import dev.cairn.engine.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Tells how long a session certainly lives. The time counts from when this server sent the last
 * request that the quorum has answered: the quorum does not end the session before the timeout has
 * passed since then. Measured on this server's monotonic clock, and on its wall clock, too, because
 * the monotonic clock of a virtual machine may stand still while the machine is suspended. A wall
 * clock that is set forward ends the lease early, until the quorum answers again. Thread-safe.
 */
public final class SessionLease {
  /** The lease is a tenth shorter than the timeout, because clocks run at unequal speeds. */
  private static final int MARGIN = 10;

  private static final long PERIOD_MIN_MILLIS = 50;

  private final Clock clock;
  private final int timeoutMillis;
  private volatile End end;

  /** The end of the lease, on each clock; the earlier one counts. */
  private record End(long nanos, long millis) {}

  /**
   * Creates the lease of a session that lives.
   *
   * @param sent when the session's first request was sent, or before
   * @param timeoutMillis the timeout that the quorum has agreed to
   */
  public SessionLease(Clock clock, Sent sent, int timeoutMillis) {
    this.clock = clock;
    this.timeoutMillis = timeoutMillis;
    this.end = end(sent);
  }

  /**
   * The time at which a request was sent.
   *
   * @param nanos on the monotonic clock
   * @param millis on the wall clock, since 1970
   */
  public record Sent(long nanos, long millis) {
    /** Returns the present time. */
    public static Sent now(Clock clock) {
      return new Sent(clock.nanoTime(), clock.currentTimeMillis());
    }
  }

  /** Returns the time after which the quorum ends a session that is silent. */
  public Duration timeout() {
    return Duration.ofMillis(timeoutMillis);
  }

  /** Returns how often to renew the lease, so that it does not end while the quorum answers. */
  public long periodMillis() {
    return Math.max(PERIOD_MIN_MILLIS, timeoutMillis / MARGIN);
  }

  /** Tells whether the session may be over, so that another server may do this one's work. */
  public boolean isOver() {
    End present = end;
    return clock.nanoTime() - present.nanos >= 0 || clock.currentTimeMillis() >= present.millis;
  }

  /**
   * Records that the quorum has answered a request of the session.
   *
   * @param sent when it was sent, or before
   */
  public synchronized void confirmed(Sent sent) {
    End later = end(sent);
    if (later.nanos - end.nanos > 0) {
      end = later;
    }
  }

  private End end(Sent sent) {
    long millis = timeoutMillis - timeoutMillis / MARGIN;
    return new End(sent.nanos + TimeUnit.MILLISECONDS.toNanos(millis), sent.millis + millis);
  }
}
