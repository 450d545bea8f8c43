package dev.cairn.server.coordination;

import dev.cairn.engine.time.Clock;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Tells how long a session certainly lives. The time counts from when this server sent the last
 * request that the quorum has answered: the quorum does not end the session before the timeout has
 * passed since then. Measured on this server's monotonic clock, and on its wall clock, too, because
 * the monotonic clock of a virtual machine may stand still while the machine is suspended. A wall
 * clock that is set forward ends the lease early, until the quorum answers again. Also keeps the
 * state of the session for operators. Thread-safe.
 */
public final class SessionLease {
  /** The lease is a tenth shorter than the timeout, because clocks run at unequal speeds. */
  private static final int MARGIN = 10;

  private static final long PERIOD_MIN_MILLIS = 50;

  private final Clock clock;
  private final int timeoutMillis;
  private final long openedNanos;
  private final LongAdder losses = new LongAdder();
  private volatile End end;
  private volatile boolean isConnected = true;

  /** The time at which {@link #endIfOver} last found the lease over, on the monotonic clock. */
  private OptionalLong ended = OptionalLong.empty();

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
    this.openedNanos = sent.nanos;
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
   * Tells whether the session may be over. If so, neither answers to earlier requests nor a wall
   * clock that is set back renew the lease. The lease then stays over unless the quorum answers a
   * later request of the session.
   */
  public synchronized boolean endIfOver() {
    if (!isOver()) {
      return false;
    }
    long now = clock.nanoTime();
    if (end.nanos - now > 0) { // only the wall clock shows that it is over
      end = new End(now, end.millis);
    }
    ended = OptionalLong.of(now);
    return true;
  }

  /** Records that the connection to the quorum is lost. The session may live on. */
  public void disconnected() {
    isConnected = false;
    losses.increment();
  }

  /** Records that the connection to the quorum is back. */
  public void connected() {
    isConnected = true;
  }

  /** Tells whether there is a connection to the quorum. */
  public boolean isConnected() {
    return isConnected;
  }

  /** Returns how often the connection was lost. */
  public long losses() {
    return losses.sum();
  }

  /** Returns how long ago the session was opened, milliseconds. */
  public long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - openedNanos);
  }

  /** Returns how long ago the last request was sent that the quorum has answered, milliseconds. */
  public long silentMillis() {
    long sent = end.nanos - TimeUnit.MILLISECONDS.toNanos(leaseMillis());
    return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - sent);
  }

  private long leaseMillis() {
    return timeoutMillis - timeoutMillis / MARGIN;
  }

  /**
   * Records that the quorum has answered a request of the session.
   *
   * @param sent when it was sent, or before
   */
  public synchronized void confirmed(Sent sent) {
    if (ended.isPresent() && sent.nanos - ended.getAsLong() <= 0) {
      return;
    }
    End later = end(sent);
    if (later.nanos - end.nanos > 0) {
      end = later;
    }
  }

  private End end(Sent sent) {
    long millis = leaseMillis();
    return new End(sent.nanos + TimeUnit.MILLISECONDS.toNanos(millis), sent.millis + millis);
  }
}
