package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Regions that close while a flush or compaction of large cells waits for memory. */
@Timeout(60)
class LargeCellCloseTest {
  private static final int LARGE = 600 << 10;

  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final MemoryAccount account = new MemoryAccount(16L << 20, 0, harness.clock);

  LargeCellCloseTest() throws IOException {}

  @BeforeEach
  void open() throws IOException {
    harness.closeCleanly();
    harness.borrowFrom(account);
    harness.open();
  }

  @AfterEach
  void giveBack() {
    account.giveBack(account.borrowedBytes());
  }

  @Test
  void closingEndsTheWaitOfAFlush_whichEnds() throws IOException {
    harness.put("large", "q", "x".repeat(LARGE));
    harness.clock.stop(); // so that the wait has no other end
    takeAll();
    CompletableFuture<Boolean> flush = CompletableFuture.supplyAsync(this::flush);
    Waiting.until(() -> account.snapshot().waiting() == 1);

    harness.closeCleanly();

    assertThat(flush.join()).isTrue();
    harness.open();
    assertThat(harness.get("large", "q")).hasSize(LARGE);
  }

  @Test
  void closingEndsTheWaitOfACompaction_whichIsNotDone() throws IOException {
    for (int i = 0; i < 3; i++) {
      harness.put("large", "q" + i, "x".repeat(LARGE));
      harness.region().flush();
    }
    harness.clock.stop();
    takeAll();
    CompletableFuture<Void> compaction = CompletableFuture.runAsync(this::compact);
    Waiting.until(() -> account.snapshot().waiting() == 1);

    harness.closeCleanly();

    assertThat(compaction.handle((done, e) -> e).join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasRootCauseInstanceOf(RegionClosedException.class);
    harness.open();
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(3);
  }

  private void takeAll() {
    while (account.tryBorrow(1 << 20)) {
      // until no large loan is left
    }
  }

  private boolean flush() {
    try {
      return harness.region().flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void compact() {
    try {
      harness.region().compact(true);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
