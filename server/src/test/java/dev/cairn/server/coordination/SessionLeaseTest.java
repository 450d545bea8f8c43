package dev.cairn.server.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.coordination.SessionLease.Sent;
import dev.cairn.server.rpc.ManualClock;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A session lives for its timeout after the last request that was answered, less a margin. */
class SessionLeaseTest {
  private final ManualClock clock = new ManualClock();
  private final SessionLease lease = new SessionLease(clock, Sent.now(clock), 10_000);

  @Test
  void endsBeforeTheSessionCan() {
    clock.advanceMillis(8_999);
    assertThat(lease.isOver()).isFalse();
    clock.advanceMillis(1);
    assertThat(lease.isOver()).isTrue();
  }

  @Test
  void countsFromWhenARequestWasSentNotFromItsAnswer() {
    Sent sent = Sent.now(clock);
    clock.advanceMillis(8_000);
    lease.confirmed(sent);
    clock.advanceMillis(1_000);
    assertThat(lease.isOver()).isTrue();
  }

  @Test
  void isRenewedByEachAnswer() {
    Sent late = Sent.now(clock);
    clock.advanceMillis(8_000);
    lease.confirmed(Sent.now(clock));
    clock.advanceMillis(8_000);
    assertThat(lease.isOver()).isFalse();
    lease.confirmed(late);
    assertThat(lease.isOver()).isFalse();
  }

  @Test
  void endsWhileTheMonotonicClockOfASuspendedMachineStandsStill() {
    AtomicLong millis = new AtomicLong(5_000);
    Clock suspended =
        new Clock() {
          @Override
          public long currentTimeMillis() {
            return millis.get();
          }

          @Override
          public long nanoTime() {
            return 7;
          }
        };
    SessionLease own = new SessionLease(suspended, Sent.now(suspended), 10_000);
    millis.addAndGet(8_999);
    assertThat(own.isOver()).isFalse();
    millis.addAndGet(1);
    assertThat(own.isOver()).isTrue();
  }

  @Test
  void onceEndedIsNotRenewedByAnEarlierRequest() {
    clock.advanceMillis(8_500);
    Sent early = Sent.now(clock);
    assertThat(lease.endIfOver()).isFalse();
    clock.advanceMillis(500);
    assertThat(lease.endIfOver()).isTrue();
    lease.confirmed(early);
    assertThat(lease.isOver()).isTrue();
    clock.advanceMillis(1);
    lease.confirmed(Sent.now(clock));
    assertThat(lease.isOver()).isFalse();
  }

  @Test
  void onceEndedStaysSoIfTheWallClockIsSetBack() {
    AtomicLong millis = new AtomicLong(5_000);
    Clock moved =
        new Clock() {
          @Override
          public long currentTimeMillis() {
            return millis.get();
          }

          @Override
          public long nanoTime() {
            return 7;
          }
        };
    SessionLease own = new SessionLease(moved, Sent.now(moved), 10_000);
    millis.addAndGet(60_000);
    assertThat(own.endIfOver()).isTrue();
    millis.addAndGet(-60_000);
    assertThat(own.isOver()).isTrue();
  }

  @Test
  void reportsTheAgeAndTheSilenceOfTheSession() {
    clock.advanceMillis(3_000);
    lease.confirmed(Sent.now(clock));
    clock.advanceMillis(2_000);
    assertThat(lease.ageMillis()).isEqualTo(5_000);
    assertThat(lease.silentMillis()).isEqualTo(2_000);
    clock.advanceMillis(60_000);
    assertThat(lease.endIfOver()).isTrue();
    assertThat(lease.silentMillis()).isEqualTo(62_000);
  }
}
