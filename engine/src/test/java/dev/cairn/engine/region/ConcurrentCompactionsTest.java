package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFileHook;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Compactions of one store that run at the same time. */
class ConcurrentCompactionsTest {
  @AutoClose
  private final RegionHarness harness =
      new RegionHarness(
          TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of("TTL", "100"))));

  ConcurrentCompactionsTest() throws IOException {} // as making a region does

  /**
   * A minor compaction begins and ends while the first one waits for the lock under which it
   * chooses its files. The minor one runs in a thread that has this lock, because it asks what
   * there is to compact.
   */
  @Test
  void theFirstCompactionChoosesNoFileThatAnotherHasReplaced() throws Exception {
    CountDownLatch isChoosing = new CountDownLatch(1);
    CountDownLatch isLocked = new CountDownLatch(1);
    harness.closeCleanly();
    harness.listenWith(
        new EngineListener() {
          @Override
          public void expiredFilesDropped(String region, String family, int files, long bytes) {
            isChoosing.countDown();
            Waiting.until(isLocked);
          }
        });
    harness.open();
    flushedPut("expired");
    harness.clock.advance(101_000);
    flushedPut("a");
    flushedPut("b");
    FutureTask<Void> first = new FutureTask<>(() -> compact(true));
    Thread firstThread = new Thread(first, "test-first");
    FutureTask<List<byte[]>> asking = new FutureTask<>(() -> harness.region().familiesToCompact());
    Thread asker = new Thread(asking, "test-asker");
    AtomicBoolean hasLooked = new AtomicBoolean();
    try {
      firstThread.start();
      Waiting.until(isChoosing);
      flushedPut("c");
      flushedPut("d");
      flushedPut("e");
      harness.clock.atLook(
          () -> {
            if (Thread.currentThread() == asker && !hasLooked.getAndSet(true)) {
              isLocked.countDown();
              Waiting.until(() -> first.isDone() || waitsForLockOfCompactions(firstThread));
              compactUnchecked();
              assertThat(storeFiles()).as("a, b, and the result").isEqualTo(3);
            }
          });
      asker.start();
      asking.get();
      first.get();
    } finally {
      isLocked.countDown();
    }
    assertThat(hasLooked).isTrue();
    assertThat(storeFiles()).isEqualTo(1);
    assertThat(harness.dump())
        .containsExactly("a/f:q=v", "b/f:q=v", "c/f:q=v", "d/f:q=v", "e/f:q=v");
  }

  private static boolean waitsForLockOfCompactions(Thread thread) {
    ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId());
    return info != null
        && info.getThreadState() == Thread.State.BLOCKED
        && String.valueOf(info.getLockName()).contains("Compactor");
  }

  /** Otherwise minor ones would follow each other, and a major one would never have its turn. */
  @Test
  void noMinorCompactionBeginsBesideOneThatWasNotTheFirst() throws Exception {
    CountDownLatch firstBegun = new CountDownLatch(1);
    CountDownLatch endFirst = new CountDownLatch(1);
    CountDownLatch besideBegun = new CountDownLatch(1);
    CountDownLatch endBeside = new CountDownLatch(1);
    List<String> modes = new CopyOnWriteArrayList<>();
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public void begin(Rewrite rewrite) {
            if (rewrite.isFlush()) {
              return;
            }
            modes.add(rewrite.mode() + " of " + rewrite.inputs().size());
            if (modes.size() == 1) {
              firstBegun.countDown();
              Waiting.until(endFirst);
            } else if (modes.size() == 2) {
              besideBegun.countDown();
              Waiting.until(endBeside);
            }
          }
        });
    harness.open();
    FutureTask<Void> first = new FutureTask<>(() -> compact(true));
    FutureTask<Void> beside = new FutureTask<>(() -> compact(false));
    FutureTask<Void> next = new FutureTask<>(() -> compact(true));
    Thread waiter = new Thread(next, "test-next");
    try {
      threeFiles("a");
      new Thread(first, "test-first").start();
      Waiting.until(firstBegun);
      threeFiles("b");
      new Thread(beside, "test-beside").start();
      Waiting.until(besideBegun);
      endFirst.countDown();
      first.get();
      waiter.start();
      Waiting.untilWaitingOrDone(waiter);
      threeFiles("c");
      assertThat(harness.region().familiesToCompact()).isEmpty();
      harness.region().compact(false);
      assertThat(storeFiles()).as("one of the first, and the others").isEqualTo(7);
      endBeside.countDown();
      beside.get();
      next.get();
    } finally {
      endFirst.countDown();
      endBeside.countDown();
    }
    assertThat(modes).containsExactly("MAJOR of 3", "MINOR of 3", "MAJOR of 5");
    assertThat(storeFiles()).isEqualTo(1);
    assertThat(harness.dump()).hasSize(9);
    threeFiles("d");
    assertThat(harness.region().familiesToCompact()).containsExactly(F);
  }

  private void flushedPut(String row) throws IOException {
    harness.put(row, "q", "v");
    harness.region().flush();
  }

  private void threeFiles(String row) throws IOException {
    for (int i = 0; i < 3; i++) {
      flushedPut(row + i);
    }
  }

  private Void compact(boolean major) throws IOException {
    harness.region().compact(major);
    return null;
  }

  private void compactUnchecked() {
    try {
      compact(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int storeFiles() {
    return harness.region().stores().get(0).view().files().size();
  }
}
