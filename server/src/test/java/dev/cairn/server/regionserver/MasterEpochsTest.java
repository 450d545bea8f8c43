package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.membership.MasterEpochs;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;

/** Tests that a region server obeys only the master with the highest epoch it knows. */
class MasterEpochsTest {
  private final MasterEpochs epochs = new MasterEpochs(Clock.SYSTEM);

  @Test
  void aMasterThatWasReplacedIsNotObeyed() throws IOException {
    epochs.obey(5);
    epochs.obey(5);
    epochs.obey(7);
    assertThatThrownBy(() -> epochs.obey(5)).isInstanceOf(DoNotRetryIOException.class);
    assertThatThrownBy(() -> epochs.beginWrite(6)).isInstanceOf(DoNotRetryIOException.class);
    epochs.beginWrite(7).close();
  }

  @Test
  void aNumberThatCannotBeATimeEndsNoMaster() throws IOException {
    long now = System.currentTimeMillis();
    epochs.obey(now);
    for (long garbage : new long[] {Long.MIN_VALUE, 2 * now + (1L << 42), Long.MAX_VALUE}) {
      assertThatThrownBy(() -> epochs.obey(garbage)).isInstanceOf(DoNotRetryIOException.class);
      assertThatThrownBy(() -> epochs.beginWrite(garbage))
          .isInstanceOf(DoNotRetryIOException.class);
    }
    epochs.obey(now);
  }

  @Test
  void theEpochOfAMasterWhoseClockWasAheadIsObeyed() throws IOException {
    epochs.obey(System.currentTimeMillis() + Duration.ofDays(3650).toMillis());
  }

  @Test
  void ordersWithoutAnEpochPass() throws IOException {
    epochs.obey(5);
    epochs.obey(MasterEpochs.NONE);
    epochs.obey(5);
  }

  @Test
  void aNewMasterReadsAllWritesOfTheOneBefore() throws IOException {
    MasterEpochs.Write late = epochs.beginWrite(5);
    CompletableFuture<Void> told =
        CompletableFuture.runAsync(
            () -> {
              try {
                epochs.obey(6);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Waiting.waitUntil(() -> !isAdmitted(5));
    assertThat(told).as("the order is answered after the write").isNotDone();
    late.close();
    told.join();
  }

  private boolean isAdmitted(long epoch) {
    try {
      epochs.beginWrite(epoch).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
