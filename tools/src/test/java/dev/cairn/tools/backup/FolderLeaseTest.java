package dev.cairn.tools.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class FolderLeaseTest {
  private static final FolderOwner FIRST = new FolderOwner("one", 11, 5);
  private static final FolderOwner SECOND = new FolderOwner("two", 12, 6);

  private long nowMillis = 1_000_000;
  private final Clock clock =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return nowMillis;
        }

        @Override
        public long nanoTime() {
          return nowMillis * 1_000_000;
        }

        @Override
        public boolean await(CompletableFuture<?> future, long nanos) {
          throw new UnsupportedOperationException();
        }
      };
  private final Storage storage = new MemoryStorage(clock);

  private FolderLease take(FolderOwner owner, boolean hasEnded) throws IOException {
    return FolderLease.take(
        FolderLease.Place.of(storage, "backups"), "create", owner, other -> hasEnded, clock);
  }

  @Test
  void whileAProcessHasAFolderOthersAreRefusedAndToldOfIt() throws IOException {
    try (FolderLease lease = take(FIRST, false)) {
      assertThatThrownBy(() -> take(SECOND, false))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("backups is in use: process 11 on one runs <backup create>")
          .hasMessageContaining("after 1970-01-01T00:19:40Z");
      lease.require();
    }
    try (FolderLease lease = take(SECOND, false)) {
      lease.require();
    }
    assertThat(storage.list("")).isEmpty();
  }

  @Test
  void theFolderOfAProcessThatHasEndedIsTakenAtOnce() throws IOException {
    FolderLease killed = take(FIRST, false);
    try (FolderLease next = take(SECOND, true)) {
      next.require();
      assertThatThrownBy(killed::require)
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("another process has taken backups");
      killed.close();
      next.require();
    }
  }

  @Test
  void aLeaseThatIsNotRenewedRunsOut() throws IOException {
    FolderLease first = take(FIRST, false);
    nowMillis += FolderLease.DURATION_MILLIS;
    first.renew();
    nowMillis += FolderLease.DURATION_MILLIS + FolderLease.SKEW_MILLIS - 1;
    assertThatThrownBy(() -> take(SECOND, false)).isInstanceOf(BackupException.class);
    nowMillis++;
    FolderLease second = take(SECOND, false);
    assertThatThrownBy(first::renew).isInstanceOf(BackupException.class);
    second.close();
    FolderLease third = take(FIRST, false);
    assertThatThrownBy(first::renew).as("has the same number").isInstanceOf(BackupException.class);
    third.renew();
  }

  @Test
  void aFrozenOwnerPublishesAndDeletesNothing() throws IOException {
    FolderLease frozen = take(FIRST, false);
    BackupFolder folder = new BackupFolder(storage, "backups", frozen);
    storage.writeAll("x/manifest", new byte[1]);
    nowMillis += FolderLease.DURATION_MILLIS + FolderLease.SKEW_MILLIS;
    try (FolderLease owner = take(SECOND, false)) {
      assertThatThrownBy(() -> folder.delete("x")).isInstanceOf(BackupException.class);
      assertThatThrownBy(folder::sweep).isInstanceOf(BackupException.class);
      new BackupFolder(storage, "backups", owner).sweep();
    }
    assertThat(storage.exists("x/manifest")).isTrue();
  }

  @Test
  void oneOfManyConcurrentProcessesTakesTheLease() throws Exception {
    int processes = 8;
    ExecutorService threads = Executors.newFixedThreadPool(processes);
    try {
      List<Callable<FolderLease>> attempts = new ArrayList<>();
      for (int i = 0; i < processes; i++) {
        FolderOwner owner = new FolderOwner("host", i, 1);
        attempts.add(() -> take(owner, false));
      }
      int taken = 0;
      for (Future<FolderLease> attempt : threads.invokeAll(attempts)) {
        try {
          attempt.get().require();
          taken++;
        } catch (java.util.concurrent.ExecutionException e) {
          assertThat(e).hasCauseInstanceOf(BackupException.class);
        }
      }
      assertThat(taken).isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void tellsRunningProcessesFromEndedOnes() {
    FolderOwner self = FolderOwner.current();
    assertThat(self.hasEnded()).isFalse();
    assertThat(new FolderOwner(self.host(), Long.MAX_VALUE, 1).hasEnded()).isTrue();
    assertThat(new FolderOwner(self.host(), self.process(), 1).hasEnded()).isTrue();
    assertThat(new FolderOwner("elsewhere", Long.MAX_VALUE, 1).hasEnded()).isFalse();
  }
}
