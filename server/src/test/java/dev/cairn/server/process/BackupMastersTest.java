package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.coordination.ClusterState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BackupMastersTest {
  private static final ServerName SELF = new ServerName("one", 16000, 1);
  private static final ServerName BACKUP = new ServerName("two", 16000, 1);
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final Time clock = new Time();

  /** The time at which the backup master ends. */
  private Duration backupEnds = Duration.ofSeconds(39);

  @Test
  void theActiveMasterEndsAfterABackupThatTakesLong() {
    assertThat(masters(SELF, false).awaitEnd(PATIENCE)).isTrue();
    assertThat(clock.passed()).isBetween(backupEnds, PATIENCE);
  }

  @Test
  void itDoesNotWaitForeverForOneThatHangs() {
    backupEnds = Duration.ofDays(1);
    assertThat(masters(SELF, false).awaitEnd(PATIENCE)).isFalse();
    assertThat(clock.passed()).isBetween(PATIENCE, PATIENCE.plusSeconds(1));
  }

  @Test
  void aBackupTakesOverAtOnceIfTheClusterIsNotShutDown() {
    assertThat(masters(SELF, true).awaitEnd(PATIENCE)).isTrue();
    assertThat(clock.passed()).isZero();
  }

  @Test
  void aBackupItselfDoesNotWait() {
    assertThat(masters(BACKUP, false).awaitEnd(PATIENCE)).isTrue();
    assertThat(clock.passed()).isZero();
  }

  private BackupMasters masters(ServerName self, boolean up) {
    return new BackupMasters(() -> state(up), self, clock);
  }

  private ClusterState state(boolean up) {
    boolean ended = clock.passed().compareTo(backupEnds) >= 0;
    return new ClusterState(
        Optional.empty(),
        Optional.of(SELF),
        ended ? List.of() : List.of(BACKUP),
        Optional.empty(),
        Set.of(),
        up);
  }

  /** Time passes only in parked threads. */
  private static final class Time implements Clock {
    private long nanos;

    Duration passed() {
      return Duration.ofNanos(nanos);
    }

    @Override
    public long currentTimeMillis() {
      return passed().toMillis();
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public void park(long most) {
      nanos += most;
    }
  }
}
