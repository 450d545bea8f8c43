package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.SessionLease;
import dev.cairn.server.regionserver.membership.ServerState;
import dev.cairn.server.regionserver.membership.ServingLease;
import dev.cairn.server.rpc.ManualClock;
import org.apache.hadoop.hbase.regionserver.RegionServerAbortedException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.junit.jupiter.api.Test;

/** A server answers while its session certainly lives, and not after it has aborted. */
class ServingLeaseTest {
  private final ManualClock clock = new ManualClock();
  private final SessionLease session =
      new SessionLease(clock, SessionLease.Sent.now(clock), 10_000);
  private final ServerState state = new ServerState(new ServerName("host", 16020, 1));
  private final ServingLease lease = new ServingLease(state, session::isOver);

  @Test
  void answersWhileTheSessionLives() {
    clock.advanceMillis(8_999);
    assertThatCode(lease::check).doesNotThrowAnyException();
  }

  @Test
  void answersWhileItStops() {
    state.advance(ServerState.Stage.STOPPING); // its regions are its own until they are closed
    assertThatCode(lease::check).doesNotThrowAnyException();
  }

  @Test
  void refusesOnceTheSessionMayBeOver() {
    clock.advanceMillis(9_000);
    assertThatThrownBy(lease::check)
        .isInstanceOf(RegionServerStoppedException.class)
        .hasMessageContaining("host,16020,1");
    session.confirmed(SessionLease.Sent.now(clock));
    assertThatCode(lease::check).doesNotThrowAnyException();
  }

  @Test
  void refusesOnceTheServerHasAbortedThoughTheSessionLives() {
    state.advance(ServerState.Stage.ABORTED);
    assertThatThrownBy(lease::check).isInstanceOf(RegionServerAbortedException.class);
  }
}
