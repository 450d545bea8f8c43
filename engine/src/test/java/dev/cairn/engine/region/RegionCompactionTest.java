package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.retention.CompactionCursor;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.CompactionProgress;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreFileHook;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegionCompactionTest {
  @AutoClose private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness =
        new RegionHarness(TableSchema.of(TableName.parse("t"), FamilySchema.of("f"))); // VERSIONS 1
  }

  @Test
  void overwrittenVersionsGoWhenAMinorCompactionCoversAllFiles() throws IOException {
    for (int round = 0; round < 3; round++) {
      harness.put("r", "q", "v" + round);
      harness.region().flush();
    }
    List<String> before = harness.dump();

    harness.region().compact(false);

    assertThat(harness.dump()).isEqualTo(before).containsExactly("r/f:q=v2");
    assertThat(harness.region().stores().get(0).view().files().get(0).reader().info().entryCount())
        .isEqualTo(1);
    long compacted = harness.region().statistics().lastMajorCompactionMillis();
    assertThat(compacted).isPositive();
    harness.put("r", "q", "later");
    harness.region().flush();
    assertThat(harness.region().statistics().lastMajorCompactionMillis()).isEqualTo(compacted);
  }

  @Test
  void aMinorCompactionOfSomeFilesKeepsVersionsAndMarkers() throws IOException {
    harness.put("big", "q", "x".repeat(3 << 20));
    harness.region().flush();
    for (int round = 0; round < 3; round++) {
      harness.put("r", "q", "v" + round);
      harness.mutate(List.of(deleteOf("s", F, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY)));
      harness.region().flush();
    }

    harness.region().compact(false);

    assertThat(harness.region().statistics().storeFiles()).isEqualTo(2);
    assertThat(harness.region().stores().get(0).view().files().get(1).reader().info().entryCount())
        .isEqualTo(6);
  }

  @Test
  void closingStopsACompactionBeforeItReplacesFiles() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicBoolean armed = new AtomicBoolean();
    List<String> ends = new CopyOnWriteArrayList<>();
    harness.closeCleanly();
    harness.listenWith(
        new EngineListener() {
          @Override
          public void compactionStopped(String region, String family) {
            ends.add("stopped");
          }

          @Override
          public void compactionFailed(String region, String family, Throwable cause) {
            ends.add("failed");
          }
        });
    harness.failWith(
        (operation, path) -> {
          if (armed.get() && operation == StorageOperation.CREATE && path.contains(".tmp")) {
            writing.countDown();
            Waiting.until(go);
          }
          return false;
        });
    harness.open();
    threeFiles();
    List<String> before = storeFiles();
    armed.set(true);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    FutureTask<Void> closing =
        new FutureTask<>(
            () -> {
              harness.region().close(false);
              return null;
            });
    Thread closer = new Thread(closing, "test-closer");
    try {
      Future<?> compaction =
          threads.submit(
              () -> {
                harness.region().compact(true);
                return null;
              });
      Waiting.until(writing);
      closer.start();
      Waiting.untilWaitingOrDone(closer);
      go.countDown();
      closing.get();
      assertThatThrownBy(compaction::get).hasCauseInstanceOf(RegionClosedException.class);
    } finally {
      go.countDown();
      threads.shutdownNow();
    }
    assertThat(storeFiles()).isEqualTo(before);
    assertThat(ends).as("nothing failed").containsExactly("stopped");
  }

  @Test
  void aCompactionThatClosingStoppedIsDoneWhenClosingIsGivenUp() throws Exception {
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch flushing = new CountDownLatch(1);
    CountDownLatch fail = new CountDownLatch(1);
    AtomicInteger created = new AtomicInteger(Integer.MIN_VALUE);
    harness.closeCleanly();
    harness.failWith(
        (operation, path) -> {
          if (operation != StorageOperation.CREATE || !path.contains(".tmp")) {
            return false;
          }
          int n = created.incrementAndGet();
          if (n == 1) {
            writing.countDown();
            Waiting.until(go);
          } else if (n == 2) {
            flushing.countDown();
            Waiting.until(fail);
          }
          return n == 2;
        });
    harness.open();
    threeFiles();
    harness.put("unflushed", "q", "v");
    List<String> before = harness.dump();
    created.set(0);
    FutureTask<Void> compaction =
        new FutureTask<>(
            () -> {
              harness.region().compact(true);
              return null;
            });
    FutureTask<Boolean> closing = new FutureTask<>(() -> harness.region().close(false));
    Thread compacting = new Thread(compaction, "test-compaction");
    try {
      compacting.start();
      Waiting.until(writing);
      new Thread(closing, "test-closer").start();
      Waiting.until(flushing);
      go.countDown();
      Waiting.untilWaitingOrDone(compacting);
      assertThat(compaction.isDone()).isFalse();
      fail.countDown();
      assertThatThrownBy(closing::get).hasCauseInstanceOf(IOException.class);
      compaction.get();
    } finally {
      go.countDown();
      fail.countDown();
    }
    assertThat(harness.dump()).isEqualTo(before);
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResultThatCannotBeOpenedNeverComesBack(boolean cannotBeWithdrawnEither) throws IOException {
    AtomicBoolean armed = new AtomicBoolean();
    Set<String> moved = ConcurrentHashMap.newKeySet();
    harness.closeCleanly();
    harness.failWith(
        (operation, path) -> {
          String name = Storage.name(path).replaceFirst("^f\\.", ""); // as a file being written
          boolean published = !path.contains("/.tmp/");
          boolean rename = operation == StorageOperation.RENAME;
          if (armed.get() && rename && !published) {
            moved.add(name);
          }
          return armed.get()
              && published
              && moved.contains(name)
              && (operation == StorageOperation.OPEN || rename && cannotBeWithdrawnEither);
        });
    harness.open();
    threeFiles();
    List<String> before = harness.dump();
    armed.set(true);
    assertThatThrownBy(() -> harness.region().compact(false)).hasMessageContaining("OPEN");
    if (cannotBeWithdrawnEither) {
      assertThatThrownBy(() -> harness.region().compact(false)).hasMessageContaining("remove");
    }
    assertThat(harness.dump()).isEqualTo(before);
    armed.set(false);

    for (int row = 0; row < 3; row++) {
      harness.mutate(
          List.of(deleteOf("r" + row, F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN)));
    }
    harness.region().flush();
    harness.region().compact(true);
    assertThat(harness.dump()).isEmpty();
    harness.closeCleanly();
    harness.open();
    assertThat(harness.dump()).isEmpty();
  }

  /** Does something once, in the middle of the next major compaction, in its thread. */
  private void duringMajor(Action actions) throws IOException {
    AtomicBoolean done = new AtomicBoolean();
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public void begin(Rewrite rewrite) throws IOException {
            if (rewrite.mode() == CompactionCursor.Mode.MAJOR && !done.getAndSet(true)) {
              actions.run();
            }
          }
        });
    harness.open();
  }

  private interface Action {
    void run() throws IOException;
  }

  private void threeMoreFiles() throws IOException {
    for (int round = 0; round < 3; round++) {
      harness.put("s", "q", "w" + round);
      harness.mutate(
          List.of(deleteOf("r0", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN)));
      harness.region().flush();
    }
  }

  @Test
  void aMinorCompactionMergesNewerFilesWhileAMajorOneRuns() throws IOException {
    duringMajor(
        () -> {
          assertThat(harness.region().familiesToCompact()).isEmpty();
          threeMoreFiles();
          assertThat(harness.region().familiesToCompact()).containsExactly(F);
          harness.region().compact(false);
          assertThat(harness.region().statistics().storeFiles()).isEqualTo(4);
          assertThat(harness.region().compactionProgress())
              .extracting(CompactionProgress::major)
              .containsExactly(true);
        });
    threeFiles();
    harness.region().compact(true);
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(2);
    List<StoreFile> files = harness.region().stores().get(0).view().files();
    assertThat(files.get(0).maxSequence()).isLessThan(files.get(1).maxSequence());
    List<String> expected = List.of("r1/f:q=v", "r2/f:q=v", "s/f:q=w2");
    assertThat(newest()).isEqualTo(expected);
    harness.powerCut();
    assertThat(harness.region().stores().get(0).view().files())
        .extracting(StoreFile::name)
        .containsExactly(files.get(0).name(), files.get(1).name());
    assertThat(newest()).isEqualTo(expected);
    harness.region().compact(true);
    assertThat(newest()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theResultOfTheMinorCompactionCountsIfTheMajorOneIsLost(boolean isPowerCut)
      throws IOException {
    duringMajor(
        () -> {
          threeMoreFiles();
          harness.region().compact(false);
          throw new IOException("lost");
        });
    threeFiles();
    assertThatThrownBy(() -> harness.region().compact(true)).hasMessage("lost");
    List<String> expected = List.of("r1/f:q=v", "r2/f:q=v", "s/f:q=w2");
    assertThat(newest()).isEqualTo(expected);
    if (isPowerCut) {
      harness.powerCut();
    } else {
      harness.closeCleanly();
      harness.open();
    }
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(4);
    assertThat(newest()).isEqualTo(expected);
    harness.region().compact(true);
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(1);
    assertThat(newest()).isEqualTo(expected);
  }

  @Test
  void closingStopsBothCompactions() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch majorBegun = new CountDownLatch(1);
    CountDownLatch bothBegun = new CountDownLatch(2);
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public void begin(Rewrite rewrite) {
            if (!rewrite.isFlush()) {
              majorBegun.countDown();
              bothBegun.countDown();
              Waiting.until(go);
            }
          }
        });
    harness.open();
    try {
      threeFiles();
      Future<?> major = threads.submit(() -> compact(true));
      Waiting.until(majorBegun);
      threeMoreFiles();
      Future<?> minor = threads.submit(() -> compact(false));
      Waiting.until(bothBegun);
      List<String> before = storeFiles();
      FutureTask<Boolean> closing = new FutureTask<>(() -> harness.region().close(false));
      Thread closer = new Thread(closing, "test-closer");
      closer.start();
      Waiting.untilWaitingOrDone(closer);
      go.countDown();
      assertThat(closing.get()).isTrue();
      assertThatThrownBy(major::get).hasCauseInstanceOf(RegionClosedException.class);
      assertThatThrownBy(minor::get).hasCauseInstanceOf(RegionClosedException.class);
      assertThat(storeFiles()).isEqualTo(before);
    } finally {
      go.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void aMajorCompactionWaitsForAMinorOneAndIsNext() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    List<String> modes = new CopyOnWriteArrayList<>();
    harness.closeCleanly();
    harness.hookFilesWith(
        new StoreFileHook() {
          @Override
          public void begin(Rewrite rewrite) {
            if (!rewrite.isFlush()) {
              modes.add(rewrite.mode() + " of " + rewrite.inputs().size());
              begun.countDown();
              Waiting.until(go);
            }
          }
        });
    harness.open();
    harness.put("big", "q", "x".repeat(3 << 20));
    harness.region().flush();
    threeFiles();
    FutureTask<Void> minor = new FutureTask<>(() -> compact(false));
    FutureTask<Void> major = new FutureTask<>(() -> compact(true));
    Thread waiter = new Thread(major, "test-major");
    try {
      new Thread(minor, "test-minor").start();
      Waiting.until(begun);
      waiter.start();
      Waiting.untilWaitingOrDone(waiter);
      assertThat(major.isDone()).isFalse();
      go.countDown();
      minor.get();
      major.get();
    } finally {
      go.countDown();
    }
    assertThat(modes).containsExactly("MINOR of 3", "MAJOR of 2");
    assertThat(harness.region().statistics().storeFiles()).isEqualTo(1);
  }

  private Void compact(boolean major) throws IOException {
    harness.region().compact(major);
    return null;
  }

  /** Returns the cells that a scan of one version returns. */
  private List<String> newest() throws IOException {
    List<String> cells = new ArrayList<>();
    TableHarness.read(harness.region(), ScanRequest.builder().build(), cells);
    return cells;
  }

  private void threeFiles() throws IOException {
    for (int round = 0; round < 3; round++) {
      harness.put("r" + round, "q", "v");
      harness.region().flush();
    }
  }

  private List<String> storeFiles() throws IOException {
    return harness.memory().list(harness.directory() + "/f").stream()
        .map(Storage.FileInfo::name)
        .toList();
  }
}
