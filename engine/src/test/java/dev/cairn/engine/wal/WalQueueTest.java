package dev.cairn.engine.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.Wal.DurabilityListener;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the notifications of the log's thread, also when a listener throws. */
class WalQueueTest {
  private final WalQueue queue =
      new WalQueue(
          new WalConfig("WALs/s", "oldWALs", "s", SyncLevel.SYNCED, 1 << 20, 32), Clock.SYSTEM);
  private final List<String> told = new ArrayList<>();
  private final RuntimeException first = new IllegalStateException("first");
  private final Error second = new AssertionError("second");

  /** Two who throw wait between others. */
  private void wait(List<Throwable> thrown) throws IOException {
    for (int i = 0; i < 5; i++) {
      String name = "w" + i;
      Throwable fault = i % 2 == 1 ? thrown.get(i / 2) : null;
      long txid = queue.append(Entries.of(Entries.REGION, i + 1, "v"));
      queue.whenDurable(
          txid,
          SyncLevel.SYNCED,
          new DurabilityListener() {
            @Override
            public void durable() {
              tell(name + " safe", fault);
            }

            @Override
            public void notDurable(IOException cause) {
              tell(name + " " + cause.getClass().getSimpleName(), fault);
            }
          });
    }
  }

  private void tell(String what, Throwable fault) {
    told.add(what);
    if (fault instanceof Error error) {
      throw error;
    } else if (fault instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private static List<String> toAll(String what) {
    return List.of("w0 " + what, "w1 " + what, "w2 " + what, "w3 " + what, "w4 " + what);
  }

  @Test
  void allAreServedThoughTwoOfThemThrow() throws IOException {
    wait(List.of(first, second));
    WalQueue.Work work = queue.take(0).orElseThrow();
    assertThatThrownBy(() -> queue.done(work, SyncLevel.SYNCED)).isSameAs(first);
    assertThat(first.getSuppressed()).containsExactly(second);
    assertThat(told).isEqualTo(toAll("safe"));
  }

  @Test
  void theEndServesAllThoughTwoOfThemThrow() throws IOException {
    wait(List.of(second, first));
    assertThatThrownBy(queue::ended).isSameAs(second);
    assertThat(told).isEqualTo(toAll("safe"));
  }

  @Test
  void aStallSendsAllAwayThoughTwoOfThemThrow() throws IOException {
    wait(List.of(first, first));
    CompletableFuture<Void> roll = queue.requestRoll();
    WalStalledException cause = new WalStalledException("WALs/s", new IOException("full"));
    assertThatThrownBy(() -> queue.stall(cause)).isSameAs(first);
    assertThat(told).isEqualTo(toAll("WalStalledException"));
    assertThat(roll).isCompletedExceptionally();
  }

  @Test
  void aFailureReachesAllThoughTwoOfThemThrow() throws IOException {
    wait(List.of(first, second));
    CompletableFuture<Void> roll = queue.requestRoll();
    WalFailedException cause = new WalFailedException("WALs/s/1", new IOException("broken"));
    assertThatThrownBy(() -> queue.fail(cause)).isSameAs(first);
    assertThat(told).isEqualTo(toAll("WalFailedException"));
    assertThat(roll).isCompletedExceptionally();
  }
}
