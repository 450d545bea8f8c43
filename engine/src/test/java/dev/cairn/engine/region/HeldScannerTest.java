package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.explain.Explanation;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.RegionRead.ReadStoppedException;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TestFilter;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.time.PhaseTimes;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests which flushed memory open scans keep. */
@Timeout(120)
class HeldScannerTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"), FamilySchema.of("f", Map.of("VERSIONS", "3", "BLOCKSIZE", "256")));
  private static final ScanRequest ALL = ScanRequest.builder().build();
  private static final int ROWS = 10;

  private RegionHarness harness;
  private final List<RegionRead> scans = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
    writeRows("first");
  }

  @AfterEach
  void close() throws Exception {
    scans.forEach(RegionRead::close);
    harness.close();
  }

  private void writeRows(String value) throws IOException {
    List<Mutation> rows = new ArrayList<>();
    for (int row = 0; row < ROWS; row++) {
      CellBuffer cells = new CellBuffer();
      for (String qualifier : List.of("a", "b")) {
        cells.add(
            Cell.put(row(row), F, Bytes.utf8(qualifier), Cell.LATEST_TIMESTAMP, Bytes.utf8(value)));
      }
      rows.add(Mutation.put(row(row), cells));
    }
    harness.mutateTogether(rows);
  }

  private static byte[] row(int row) {
    return Bytes.utf8("r" + row);
  }

  @Test
  void aThousandIdleScansKeepNoFlushedMemory() throws IOException {
    for (int i = 0; i < 1000; i++) {
      RegionRead scan = harness.scan(ALL);
      scans.add(scan);
      switch (i % 4) {
        case 0 -> {} // not started
        case 1 -> assertThat(read(scan, ReadBudget.WHOLE_ROWS)).hasSize(2);
        case 2 -> assertThat(read(scan, new ReadBudget(1, -1, Long.MAX_VALUE, true))).hasSize(1);
        default -> assertThat(read(scan, new ReadBudget(-1, 1, Long.MAX_VALUE, true))).hasSize(1);
      }
      if (i % 100 == 50) {
        writeRows("later " + i);
      }
    }
    WeakReference<MemStoreSegment> segment = new WeakReference<>(store().view().active());
    harness.region().flush();
    assertThat(harness.region().statistics().flushedBytesInUse()).isZero();
    Waiting.untilCollected(segment);
    for (int i = 0; i < scans.size(); i++) {
      int begun = i % 4 == 0 ? 0 : i % 4 == 1 ? 2 : 1;
      String value = i <= 50 ? "first" : "later " + ((i - 51) / 100 * 100 + 50);
      List<String> rest = rest(scans.get(i));
      assertThat(rest).hasSize(2 * ROWS - begun).allMatch(cell -> cell.endsWith("=" + value));
    }
  }

  @Test
  void anIdleScanFollowsSeveralFlushes() throws IOException {
    RegionRead scan = opened(ALL);
    assertThat(read(scan, ReadBudget.WHOLE_ROWS)).containsExactly("r0/a=first", "r0/b=first");
    for (int flush = 0; flush < 5; flush++) {
      writeRows("later " + flush);
      harness.region().flush();
      assertThat(harness.region().statistics().flushedBytesInUse()).isZero();
    }
    harness.region().compact(true);
    assertThat(rest(scan)).hasSize(2 * ROWS - 2).allMatch(cell -> cell.endsWith("=first"));
    int files = harness.openFiles();
    scan.close();
    assertThat(harness.openFiles()).as("the first flush's file is compacted").isLessThan(files);
  }

  @Test
  void aFlushKeepsWhatOpenScansSee() throws IOException {
    RegionRead scan = opened(ALL);
    RegionRead raw = opened(ScanRequest.builder().raw(true).maxVersions(10).build());
    long now = harness.clock.currentTimeMillis();
    harness.put("r0", F, "a", now, "second");
    harness.put("r0", F, "a", now, "third");
    RegionRead laterRaw = opened(ScanRequest.builder().raw(true).maxVersions(10).build());
    RegionHarness.done(
        harness.mutate(
            List.of(
                RegionHarness.deleteOf(
                    "r1", F, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY))));
    harness.region().flush();
    assertThat(rest(scan)).contains("r1/a=first", "r0/a=first").hasSize(2 * ROWS);
    assertThat(rest(raw)).hasSize(2 * ROWS);
    assertThat(rest(laterRaw)).contains("r0/a=third").hasSize(2 * ROWS + 1);
    assertThat(harness.dump()).hasSize(2 * ROWS - 2);
  }

  @Test
  void afterTheScanIsClosedAFlushDropsWhatNoScanSees() throws IOException {
    opened(ALL).close();
    RegionHarness.done(
        harness.mutate(
            List.of(
                RegionHarness.deleteOf(
                    "r1", F, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY))));
    harness.region().flush();
    assertThat(rest(opened(ScanRequest.builder().raw(true).build()))).hasSize(2 * ROWS - 2 + 1);
  }

  @Test
  void cellsThatExpireWhileAScanIsOpenStayForIt() throws IOException {
    harness.alter(TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of("TTL", "100"))));
    harness.clock.stop();
    writeRows("mortal");
    RegionRead scan = opened(ALL);
    assertThat(read(scan, ReadBudget.WHOLE_ROWS)).hasSize(2);
    harness.clock.advance(200_000);
    harness.region().flush();
    assertThat(harness.dump()).isEmpty();
    assertThat(rest(scan)).hasSize(2 * ROWS - 2).allMatch(cell -> cell.endsWith("=mortal"));
  }

  @Test
  void aRunningCallKeepsItsMemory_whichCountsUntilTheCallEnds() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch flushed = new CountDownLatch(1);
    RegionRead scan =
        opened(ScanRequest.builder().filter(new WaitingFilter(inside, flushed)).build());
    CompletableFuture<List<String>> call = readAsync(scan);
    inside.await();
    long before = harness.region().memStoreBytes();
    harness.region().flush();
    long held = harness.region().statistics().flushedBytesInUse();
    flushed.countDown();
    assertThat(held).isEqualTo(before);
    assertThat(call.get(60, TimeUnit.SECONDS)).hasSize(2);
    assertThat(harness.region().statistics().flushedBytesInUse()).isZero();
    assertThat(rest(scan)).hasSize(2 * ROWS - 2);
  }

  @Test
  void aRunningCallReleasesItsMemoryAtTheEndOfARow() throws Exception {
    CountDownLatch inFirstRow = new CountDownLatch(1);
    CountDownLatch inSecondRow = new CountDownLatch(1);
    CountDownLatch flushed = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    ScanFilter slow =
        new WaitingFilter(inFirstRow, flushed) {
          @Override
          public Decision filterCell(Cell cell) throws IOException {
            if (cell.rowEquals(row(1), 0, 2)) {
              await(inSecondRow, done);
            }
            super.filterCell(cell);
            return Decision.SKIP;
          }
        };
    RegionRead scan = opened(ScanRequest.builder().filter(slow).build());
    CompletableFuture<List<String>> call = readAsync(scan);
    inFirstRow.await();
    harness.region().flush();
    long held = harness.region().statistics().flushedBytesInUse();
    flushed.countDown();
    inSecondRow.await();
    long heldInSecondRow = harness.region().statistics().flushedBytesInUse();
    done.countDown();
    assertThat(held).isPositive();
    assertThat(heldInSecondRow).isZero();
    assertThat(call.get(60, TimeUnit.SECONDS)).isEmpty();
    assertThat(scan.statistics().rowsScanned()).isEqualTo(ROWS);
  }

  private static CompletableFuture<List<String>> readAsync(RegionRead scan) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return read(scan, ReadBudget.WHOLE_ROWS);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void anExplainedScanKeepsItsMemory_whichCountsUntilItIsClosed() throws IOException {
    try (Explanation explanation = harness.explain(ALL, 5, 5)) {
      harness.region().flush();
      assertThat(harness.region().statistics().flushedBytesInUse()).isPositive();
      assertThat(explanation.next(Long.MAX_VALUE)).isPresent();
    }
    assertThat(harness.region().statistics().flushedBytesInUse()).isZero();
  }

  @Test
  void aCallThatFailsEndsTheScan() throws IOException {
    RegionRead scan = opened(ScanRequest.builder().filter(new FailingFilter()).build());
    assertThatThrownBy(() -> read(scan, ReadBudget.WHOLE_ROWS)).isInstanceOf(IOException.class);
    harness.region().flush();
    assertThat(harness.region().statistics().flushedBytesInUse()).isZero();
    assertThatThrownBy(() -> read(scan, ReadBudget.WHOLE_ROWS))
        .isInstanceOf(IllegalStateException.class);
    scan.close();
  }

  @Test
  void closingTheRegionEndsItsScans() throws IOException {
    RegionRead scan = opened(ALL);
    assertThat(read(scan, ReadBudget.WHOLE_ROWS)).hasSize(2);
    WeakReference<MemStoreSegment> segment = new WeakReference<>(store().view().active());
    harness.region().close(true);
    assertThatThrownBy(() -> read(scan, ReadBudget.WHOLE_ROWS))
        .isInstanceOf(RegionClosedException.class);
    Waiting.untilCollected(segment);
    scan.close();
  }

  @Test
  void closingTheRegionEndsItsExplanations() throws IOException {
    harness.region().flush();
    writeRows("second");
    try (Explanation explanation = harness.explain(ALL, 5, 5)) {
      assertThat(explanation.next(Long.MAX_VALUE)).isPresent();
      harness.region().close(true);
      assertThatThrownBy(() -> explanation.next(Long.MAX_VALUE))
          .isInstanceOf(RegionClosedException.class);
      assertThat(harness.openFiles()).isZero();
      assertThat(explanation.report().statistics().rowsScanned()).isPositive();
    }
  }

  @Test
  void anExplanationThatCannotBeginKeepsNothing() throws IOException {
    ScanRequest rawColumn = ALL.toBuilder().raw(true).family(F, FamilySelection.of(F)).build();
    assertThatThrownBy(() -> harness.explain(rawColumn, 5, 5))
        .isInstanceOf(IllegalArgumentException.class);
    harness.region().flush();
    assertThat(harness.region().statistics().flushedBytesInUse()).isZero();
  }

  @Test
  void figuresFromBeforeAFlushAreKept() throws IOException {
    for (boolean tracked : new boolean[] {false, true}) {
      writeRows("new");
      RegionRead scan =
          opened(tracked ? ALL.toBuilder().observer(ScanObserver.METRICS).build() : ALL);
      assertThat(read(scan, ReadBudget.WHOLE_ROWS)).hasSize(2);
      long looked = scan.statistics().reads().memoryBytesLookedAt();
      assertThat(looked > 0).isEqualTo(tracked);
      harness.region().flush();
      assertThat(scan.statistics().reads().memoryBytesLookedAt()).isEqualTo(looked);
      assertThat(rest(scan)).hasSize(2 * ROWS - 2);
      assertThat(scan.statistics().reads().memoryBytesLookedAt()).isEqualTo(looked);
      assertThat(scan.statistics().rowsScanned()).isEqualTo(ROWS);
      assertThat(scan.statistics().cells(CellOutcome.RETURNED)).isEqualTo(2 * ROWS);
      scan.close();
      assertThat(scan.statistics().rowsScanned()).isEqualTo(ROWS);
    }
  }

  @Test
  void scansDuringWritesAndFlushesSeeOneStateOfAllRows() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int reader = 0; reader < 2; reader++) {
        readers.add(threads.submit(() -> readStates(done)));
      }
      Future<?> flushes =
          threads.submit(
              () -> {
                while (!done.get()) {
                  harness.region().flush();
                  harness.region().compact(false);
                }
                return null;
              });
      for (int i = 0; i < 1000; i++) {
        writeRows("state " + i);
        if (harness.region().memStoreBytes() > 512 << 10) {
          harness.region().flush(); // the other thread may not come to it before writes are refused
        }
      }
      done.set(true);
      flushes.get(60, TimeUnit.SECONDS);
      for (Future<Integer> reader : readers) {
        assertThat(reader.get(60, TimeUnit.SECONDS)).isPositive();
      }
      assertThat(harness.region().statistics().flushedBytesInUse()).isZero();
    } finally {
      done.set(true);
      threads.shutdownNow();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  private int readStates(AtomicBoolean done) throws IOException {
    int scanned = 0;
    while (!done.get() || scanned == 0) {
      try (RegionRead scan = harness.scan(ALL)) {
        List<String> cells = new ArrayList<>();
        List<String> some = read(scan, new ReadBudget(1, -1, Long.MAX_VALUE, true));
        while (!some.isEmpty()) {
          cells.addAll(some);
          Thread.yield();
          some = read(scan, new ReadBudget(1, -1, Long.MAX_VALUE, true));
        }
        String value = cells.get(0).substring(cells.get(0).indexOf('='));
        assertThat(cells).hasSize(2 * ROWS).allMatch(cell -> cell.endsWith(value));
      }
      scanned++;
    }
    return scanned;
  }

  @Test
  void eachCallCountsTheBlocksThatItFindsInTheCache() throws IOException {
    harness.region().flush();
    rest(opened(ALL)); // fills the cache
    RegionRead scan = opened(ALL);
    long counted = 0;
    long blocks = 0;
    for (int call = 0; call <= ROWS; call++) {
      PhaseTimes times = new PhaseTimes();
      try (PhaseTimes.Current current = PhaseTimes.enter(() -> times)) {
        read(scan, new ReadBudget(2, -1, Long.MAX_VALUE, true));
      }
      counted += times.cachedBlocks();
      assertThat(times.phases()).as("waits").isEmpty();
      assertThat(scan.statistics().reads().cachedBlocks() - blocks)
          .as("call %d", call)
          .isEqualTo(times.cachedBlocks());
      blocks = scan.statistics().reads().cachedBlocks();
    }
    assertThat(counted).isGreaterThan(1);
  }

  private Store store() {
    return harness.region().stores().get(0);
  }

  private RegionRead opened(ScanRequest request) throws IOException {
    RegionRead scan = harness.scan(request);
    scans.add(scan);
    return scan;
  }

  /** Makes calls until one returns cells; returns these, or none at the end. */
  private static List<String> read(RegionRead scan, ReadBudget limits) throws IOException {
    CellBuffer out = new CellBuffer();
    ScanProgress progress;
    do {
      progress = scan.next(out, limits);
    } while (out.isEmpty() && progress != ScanProgress.END);
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < out.size(); i++) {
      Cell cell = out.get(i);
      cells.add(
          Bytes.utf8(cell.row())
              + "/"
              + Bytes.utf8(cell.qualifier())
              + "="
              + Bytes.utf8(cell.value()));
    }
    return cells;
  }

  private static List<String> rest(RegionRead scan) throws IOException {
    List<String> all = new ArrayList<>();
    for (List<String> some = read(scan, ReadBudget.WHOLE_ROWS);
        !some.isEmpty();
        some = read(scan, ReadBudget.WHOLE_ROWS)) {
      all.addAll(some);
    }
    return all;
  }

  /** Blocks at the first cell until the test releases it. */
  private static class WaitingFilter extends TestFilter {
    private final CountDownLatch inside;
    private final CountDownLatch goOn;

    WaitingFilter(CountDownLatch inside, CountDownLatch goOn) {
      this.inside = inside;
      this.goOn = goOn;
    }

    @Override
    public Decision filterCell(Cell cell) throws IOException {
      await(inside, goOn);
      return Decision.INCLUDE;
    }

    static void await(CountDownLatch inside, CountDownLatch goOn) throws IOException {
      inside.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  /** Fails at the first cell. */
  private static final class FailingFilter extends TestFilter {
    @Override
    public Decision filterCell(Cell cell) throws IOException {
      throw new IOException("for the test");
    }
  }

  @Test
  void aStoppedReadEndsItsCallBeforeTheNextRow() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    CompletableFuture<RegionRead> read = new CompletableFuture<>();
    TestFilter stopping =
        new TestFilter(
            cell -> {
              if (first.getAndSet(false)) {
                read.join().stop();
              }
              return false; // so the call goes on to the next row
            },
            false);
    RegionRead scan = harness.scan(ScanRequest.builder().filter(stopping).build());
    scans.add(scan);
    read.complete(scan);
    CellBuffer out = new CellBuffer();
    assertThatThrownBy(() -> scan.next(out, ReadBudget.WHOLE_ROWS))
        .isInstanceOf(ReadStoppedException.class);
    assertThatThrownBy(() -> scan.next(out, ReadBudget.WHOLE_ROWS)).isInstanceOf(Exception.class);
    assertThat(out.size()).isZero();
  }

  @Test
  void aReadThatIsStoppedBetweenTwoCallsReturnsNoMoreRows() throws Exception {
    RegionRead scan = harness.scan(ALL);
    scans.add(scan);
    CellBuffer out = new CellBuffer();
    assertThat(scan.next(out, ReadBudget.WHOLE_ROWS)).isEqualTo(ScanProgress.ROW_DONE);
    int cells = out.size();
    scan.stop();
    assertThatThrownBy(() -> scan.next(out, ReadBudget.WHOLE_ROWS))
        .isInstanceOf(ReadStoppedException.class);
    assertThat(out.size()).isEqualTo(cells);
  }
}
