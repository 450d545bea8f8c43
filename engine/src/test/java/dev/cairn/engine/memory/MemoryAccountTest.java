package dev.cairn.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryAccountTest {
  private static final long MB = 1 << 20;

  private final MemoryAccount account = new MemoryAccount(8 * MB, 2, Clock.SYSTEM);

  @Test
  void lendsUpToItsLimit() {
    assertThat(account.tryBorrow(7 * MB)).isTrue();
    assertThat(account.tryBorrow(MB)).isFalse();
    account.giveBack(7 * MB);
    assertThat(account.tryBorrow(MB)).isTrue();
    assertThat(account.borrowedBytes()).isEqualTo(MB);
  }

  @Test
  void keepsAReserveForSmallLoans() {
    assertThat(account.largestLoan()).isEqualTo(6 * MB);
    assertThat(account.tryBorrow(6 * MB)).isTrue();
    assertThat(account.tryBorrow(2 * MB)).isFalse();
    assertThat(account.tryBorrow(MB)).isTrue();
    for (int i = 0; i < MB / MemoryAccount.SMALL_BYTES; i++) {
      assertThat(account.tryBorrow(MemoryAccount.SMALL_BYTES)).isTrue();
    }
    assertThat(account.tryBorrow(1)).isFalse();
  }

  @Test
  void waitersThatHoldLittleLeaveRoomForTheLargestLoan() {
    assertThat(account.tryBorrow(account.mostHeldByWaiter())).isTrue();
    assertThat(account.tryBorrow(account.mostHeldByWaiter())).as("a second thread").isTrue();
    assertThat(account.tryBorrow(account.largestLoan())).isTrue();
  }

  @Test
  void grantsWaitingLoansInOrder() {
    List<String> granted = new ArrayList<>();
    account.tryBorrow(6 * MB);
    account.borrowLater(5 * MB, () -> granted.add("first"));
    account.borrowLater(MB, () -> granted.add("second"));
    assertThat(account.tryBorrow(MB)).as("a large loan that comes later").isFalse();
    assertThat(account.tryBorrow(1000)).as("a small loan").isTrue();
    assertThat(granted).isEmpty();

    account.giveBack(6 * MB);

    assertThat(granted).containsExactly("first", "second");
    assertThat(account.borrowedBytes()).isEqualTo(6 * MB + 1000);
  }

  @Test
  void aCancelledLoanMakesWayForTheNext() {
    List<String> granted = new ArrayList<>();
    account.tryBorrow(5 * MB);
    MemoryAccount.Waiter large = account.borrowLater(6 * MB, () -> granted.add("large"));
    MemoryAccount.Waiter little = account.borrowLater(MB, () -> granted.add("little"));

    assertThat(large.cancel()).isTrue();

    assertThat(granted).containsExactly("little");
    assertThat(little.cancel()).as("granted already").isFalse();
  }

  @Test
  void aThreadWaitsUntilMemoryIsGivenBack() {
    account.tryBorrow(7 * MB);
    CompletableFuture<Boolean> borrowed =
        CompletableFuture.supplyAsync(() -> account.borrow(2 * MB, in(60)));
    awaitWaiting(1);
    account.giveBack(7 * MB);
    assertThat(borrowed.join()).isTrue();
    assertThat(account.borrowedBytes()).isEqualTo(2 * MB);
  }

  @Test
  void aWaitEndsAtItsDeadline() {
    account.tryBorrow(7 * MB);
    assertThat(account.borrow(2 * MB, System.nanoTime())).isFalse();
    assertThat(account.borrowedBytes()).isEqualTo(7 * MB);
    assertThat(account.snapshot().waiting()).isZero();
  }

  @Test
  void limitsTheNumberOfWaitingThreads() {
    account.tryBorrow(7 * MB);
    CompletableFuture<Boolean> one =
        CompletableFuture.supplyAsync(() -> account.borrow(MB, in(60)));
    CompletableFuture<Boolean> two =
        CompletableFuture.supplyAsync(() -> account.borrow(MB, in(60)));
    awaitWaiting(2);
    assertThat(account.borrow(MB, in(60))).as("a third").isFalse();
    account.giveBack(7 * MB);
    assertThat(one.join() && two.join()).isTrue();
  }

  @Test
  void refusesWhatCanNeverBeLent() {
    assertThat(account.borrow(8 * MB, in(60))).isFalse();
    assertThatThrownBy(() -> account.borrowLater(7 * MB, () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void noticesThatMoreIsGivenBackThanWasBorrowed() {
    account.tryBorrow(MB);
    assertThatThrownBy(() -> account.giveBack(2 * MB)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void tellsItsObserverInSteps() {
    AtomicLong seen = new AtomicLong();
    account.observe(seen::set);
    account.tryBorrow(1000);
    assertThat(seen).hasValue(0);
    account.tryBorrow(MB);
    assertThat(seen).hasValue(MB + 1000);
    account.giveBack(MB);
    assertThat(seen).hasValue(1000);
  }

  @Test
  void manyThreadsNeverHaveMoreThanTheLimit() {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    AtomicLong held = new AtomicLong();
    AtomicLong most = new AtomicLong();
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    MemoryAccount many = new MemoryAccount(8 * MB, 8, Clock.SYSTEM);
    for (int i = 0; i < 4; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int j = 0; j < 5_000; j++) {
                  long bytes = random.nextLong(1, 4 * MB);
                  boolean waits = random.nextInt(4) == 0;
                  if (waits ? many.borrow(bytes, in(60)) : many.tryBorrow(bytes)) {
                    long now = held.addAndGet(bytes);
                    most.accumulateAndGet(now, Math::max);
                    held.addAndGet(-bytes);
                    many.giveBack(bytes);
                  }
                }
              }));
    }
    threads.forEach(CompletableFuture::join);
    assertThat(most.get()).as("seed %d", seed).isLessThanOrEqualTo(8 * MB);
    assertThat(many.borrowedBytes()).as("seed %d", seed).isZero();
    assertThat(many.snapshot().waiting()).as("seed %d", seed).isZero();
  }

  private static long in(int seconds) {
    return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
  }

  private void awaitWaiting(int count) {
    Waiting.until(() -> account.snapshot().waiting() >= count);
  }

  @Test
  void aLoanThatStandingLoansLeaveNoRoomForHoldsUpNoOthers() {
    MemoryAccount busy = new MemoryAccount(64 << 20, 1, Clock.SYSTEM);
    for (int i = 0; i < 512; i++) {
      assertThat(busy.tryBorrowStanding(32 << 10)).isTrue();
    }
    MemoryAccount.Waiter largest = busy.borrowLater(busy.largestLoan(), () -> {});
    assertThat(busy.tryBorrow(1 << 20)).isTrue();
    MemoryAccount.Waiter second = busy.borrowLater(1 << 20, () -> {});
    assertThat(second.isGranted()).isTrue();
    assertThat(largest.isGranted()).isFalse();

    busy.giveBack(2 << 20);
    for (int i = 0; i < 512; i++) {
      busy.giveBackStanding(32 << 10);
    }
    assertThat(largest.isGranted()).isTrue();
    busy.giveBack(busy.largestLoan());
    assertThat(busy.borrowedBytes()).isZero();
  }
}
