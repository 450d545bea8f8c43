package dev.cairn.server.regionserver.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.junit.jupiter.api.Test;

class NonceManagerTest {
  private final ManualClock clock = new ManualClock();
  private final NonceManager nonces = new NonceManager(clock, 1_000, 500);

  @Test
  void aRepeatIsToldWhatCameOutTheFirstTime() throws IOException {
    first(1).done(new NonceManager.Remembered(false, new CellBuffer()));
    assertThat(nonces.admit(7, 1, 1))
        .isInstanceOfSatisfying(
            NonceManager.Admission.Repeated.class,
            repeated -> assertThat(repeated.outcome().processed()).isFalse());
  }

  @Test
  void aRepeatOverACrashIsKnownWhileItIsYoung() throws IOException {
    long now = clock.currentTimeMillis();
    nonces.recovered(new Nonce(7, 1), now - 500);
    nonces.recovered(new Nonce(7, 2), now - 1_500);
    assertThat(nonces.admit(7, 1, 1)).isInstanceOf(NonceManager.Admission.Recovered.class);
    first(2);
  }

  @Test
  void whatFailedBeginsAnew() throws IOException {
    first(1).failed();
    first(1);
  }

  @Test
  void aRepeatWaitsForTheFirst_butNotForever() throws IOException {
    NonceManager waiting = new NonceManager(Clock.SYSTEM, 1_000, 500);
    assertThat(waiting.admit(7, 1, 1)).isInstanceOf(NonceManager.Admission.First.class);
    assertThatThrownBy(() -> waiting.admit(7, 1, 1)).isInstanceOf(RegionTooBusyException.class);
  }

  @Test
  void nobodyWaitsForWhatIsPostponed_andItsOutcomeIsRememberedThen() throws IOException {
    CompletableFuture<CellBuffer> outcome = new CompletableFuture<>();
    first(1).postponed(outcome);
    assertThatThrownBy(() -> nonces.admit(7, 1, Long.MAX_VALUE))
        .isInstanceOf(RegionTooBusyException.class)
        .hasMessageContaining("room");
    outcome.complete(new CellBuffer());
    assertThat(nonces.admit(7, 1, 1)).isInstanceOf(NonceManager.Admission.Repeated.class);

    CompletableFuture<CellBuffer> never = new CompletableFuture<>();
    first(2).postponed(never);
    never.completeExceptionally(new IOException("the log failed"));
    first(2);
  }

  @Test
  void theSameNumberOfAnotherClientIsAnother() throws IOException {
    first(1);
    assertThat(nonces.admit(8, 1, 1)).isInstanceOf(NonceManager.Admission.First.class);
  }

  @Test
  void oldOnesAreForgotten() throws IOException {
    done(1);
    clock.advanceMillis(1_000);
    assertThat(nonces.isExpiryDue()).isFalse();
    clock.advanceMillis(1);
    assertThat(nonces.isExpiryDue()).isTrue();
    nonces.expire();
    assertThat(nonces.size()).isZero();
  }

  @Test
  void theOldestGoWhenTheyAreTooMany() throws IOException {
    for (int nonce = 1; nonce <= 10; nonce++) {
      done(nonce);
    }
    assertThat(nonces.size()).isEqualTo(3);
    assertThat(nonces.admit(7, 10, 1)).isInstanceOf(NonceManager.Admission.Repeated.class);
    first(1);
  }

  private void done(long nonce) throws IOException {
    first(nonce).done(new NonceManager.Remembered(true, new CellBuffer()));
  }

  private NonceManager.Admission.First first(long nonce) throws IOException {
    return (NonceManager.Admission.First) nonces.admit(7, nonce, 1);
  }
}
