package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.scan.IndexReport;
import dev.cairn.engine.scan.IndexReport.Use;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanStatistics;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.condition.ValueRanges;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Searches of indexes read no more than they need, and end at their limits. */
class IndexSkipTest {
  private static final byte[] A = Bytes.utf8("a");
  private static final byte[] B = Bytes.utf8("b");
  private static final TableSchema PLAIN =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of()));
  private static final TableSchema INDEXED = PLAIN.with("cairn.index.i", "f:a, f:b");

  private RegionHarness harness;
  private IndexReport report;
  private ScanStatistics statistics;

  /** Takes the report of the search. */
  private final ScanObserver observer =
      new ScanObserver() {
        @Override
        public Family family(StoreSource source) {
          return source.trace();
        }

        @Override
        public void indexSought(IndexReport told) {
          report = told;
        }
      };

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(INDEXED);
  }

  @AfterEach
  void close() throws IOException {
    harness.close();
  }

  private static RowCondition equal(byte[] column, String value) {
    return RowCondition.column(F, column, ValueRanges.of(Bytes.utf8(value)));
  }

  private ScanRequest.Builder where(RowCondition condition) {
    return ScanRequest.builder().filter(new ValuedRows(condition, true)).observer(observer);
  }

  private List<String> rows(ScanRequest.Builder request) throws IOException {
    return rows(request, Long.MAX_VALUE);
  }

  /** Returns the rows of a scan, and takes its statistics. */
  private List<String> rows(ScanRequest.Builder request, long deadlineNanos) throws IOException {
    List<String> rows = new ArrayList<>();
    CellBuffer out = new CellBuffer();
    try (RegionRead read =
        harness.region().read(request.build(), new ReadBudget(-1, -1, deadlineNanos, true))) {
      while (read.next(out, ReadBudget.WHOLE_ROWS) != ScanProgress.END) {
        if (!out.isEmpty()) {
          rows.add(Bytes.utf8(out.get(0).row()));
        }
        out.clear();
      }
      statistics = read.statistics();
    }
    return rows;
  }

  private void put(String row, byte[] column, long time, String value) throws IOException {
    harness.mutate(List.of(RegionHarness.putOf(row, F, Bytes.utf8(column), time, value)));
  }

  /** Fills three files with even numbers from 10 to 98. */
  private void fill() throws IOException {
    for (int file = 0; file < 3; file++) {
      for (int i = 10 + 2 * file; i < 100; i += 6) {
        put("r" + i, A, 100 + file, "" + i);
      }
      harness.region().flush();
    }
  }

  private List<Use> uses() {
    return report.sources().stream().map(IndexReport.Source::use).toList();
  }

  private void assertNothingIsRead(int cachedBlocks) {
    assertThat(report.skipsRegion()).isTrue();
    assertThat(statistics.rowsScanned()).isZero();
    assertThat(statistics.cells()).isZero();
    assertThat(statistics.seeks()).isZero();
    assertThat(statistics.reads().diskBlocks()).isZero();
    assertThat(statistics.reads().cachedBlocks()).isEqualTo(cachedBlocks);
  }

  @Test
  void aRegionWithoutTheValueIsSkippedByItsBounds() throws IOException {
    fill();
    rows(where(equal(A, "09"))); // reads the roots
    assertThat(statistics.reads().diskBlocks()).isEqualTo(6);
    for (RowCondition condition :
        List.of(
            equal(A, "09"),
            equal(A, "981"),
            RowCondition.column(F, A, ValueRanges.lessThan(Bytes.utf8("10"))),
            RowCondition.column(F, A, ValueRanges.prefix(Bytes.utf8("x"))))) {
      assertThat(rows(where(condition))).isEmpty();
      assertThat(uses()).hasSize(3).containsOnly(Use.OUTSIDE_VALUES);
      assertNothingIsRead(0);
    }
  }

  @Test
  void aRegionWithoutTheValueIsSkippedByItsBloomFilters() throws IOException {
    fill();
    RowCondition between =
        RowCondition.column(
            F, A, ValueRanges.of(Bytes.utf8("55")).union(ValueRanges.of(Bytes.utf8("77"))));
    for (RowCondition condition : List.of(equal(A, "55"), between)) {
      assertThat(rows(where(condition))).isEmpty();
      assertThat(uses()).hasSize(3).containsOnly(Use.NOT_IN_BLOOM_FILTER);
    }
    rows(where(equal(A, "55")));
    assertNothingIsRead(3); // the Bloom filters, which are in the cache
    assertThat(rows(where(equal(A, "54")))).containsExactly("r54");
    assertThat(uses())
        .containsExactlyInAnyOrder(Use.SEARCHED, Use.NOT_IN_BLOOM_FILTER, Use.NOT_IN_BLOOM_FILTER);
    assertThat(report.skipsRegion()).isFalse();
  }

  @Test
  void aMemstoreIsSearchedButDoesNotKeepARegionFromBeingSkipped() throws IOException {
    fill();
    put("new", A, 200, "60");
    assertThat(rows(where(equal(A, "55")))).isEmpty();
    assertThat(report.sources())
        .extracting(IndexReport.Source::name, IndexReport.Source::use, IndexReport.Source::entries)
        .contains(tuple("", Use.SEARCHED, 0L));
    rows(where(equal(A, "55")));
    assertNothingIsRead(3);
  }

  @Test
  void aSecondSearchTakesItsChunksFromTheCache() throws IOException {
    fill();
    rows(where(equal(A, "09"))); // reads the roots
    RowCondition most = RowCondition.column(F, A, ValueRanges.atLeast(Bytes.utf8("9")));
    assertThat(rows(where(most))).hasSize(5);
    assertThat(statistics.reads().diskBlocks()).isEqualTo(6); // chunks, and blocks with rows
    assertThat(rows(where(most))).hasSize(5);
    assertThat(statistics.reads().diskBlocks()).isZero();
    assertThat(statistics.files(SourceMetrics.Use.READ)).isEqualTo(3);
  }

  @Test
  void filesThatTheTimeRangeLeavesOutAreNotAskedAndNeedNoIndex() throws IOException {
    harness.alter(PLAIN);
    put("old", A, 10, "v");
    harness.region().flush();
    harness.alter(INDEXED);
    put("new", A, 20, "v");
    harness.region().flush();
    put("newer", A, 30, "v");
    assertThat(rows(where(equal(A, "v")))).containsExactly("new", "newer", "old");
    assertThat(report.rows()).isEmpty(); // the first file has no index
    assertThat(rows(where(equal(A, "v")).timeRange(new TimeRange(15, 25)))).containsExactly("new");
    assertThat(report.rows()).contains(1);
    assertThat(uses())
        .containsExactlyInAnyOrder(Use.OUTSIDE_TIMES, Use.OUTSIDE_TIMES, Use.SEARCHED);
  }

  @Test
  void filesWithoutARowOfTheScanAreNotAsked() throws IOException {
    for (String row : List.of("a", "k")) {
      put(row, A, 10, "v");
      harness.region().flush();
    }
    assertThat(rows(where(equal(A, "v")).start(Bytes.utf8("c"), true))).containsExactly("k");
    assertThat(uses()).contains(Use.OUTSIDE_ROWS);
  }

  @Test
  void ofAConjunctionTheRarestColumnIsSearchedFirst() throws IOException {
    for (int i = 0; i < 800; i++) {
      put("r%03d".formatted(i), A, 10, "all");
      put("r%03d".formatted(i), B, 10, "" + i);
    }
    harness.region().flush();
    RowCondition both =
        RowCondition.all(
            List.of(RowCondition.column(F, A, ValueRanges.prefix(Bytes.utf8("a"))), equal(B, "7")));
    assertThat(rows(where(both))).containsExactly("r007");
    assertThat(report.sources())
        .extracting(IndexReport.Source::column, IndexReport.Source::use)
        .containsExactly(tuple("f:a", Use.NOT_NEEDED), tuple("f:b", Use.SEARCHED));
    assertThat(rows(where(RowCondition.all(List.of(equal(A, "all"), equal(B, "x")))))).isEmpty();
    assertThat(report.sources())
        .extracting(IndexReport.Source::column, IndexReport.Source::use)
        .containsExactly(tuple("f:a", Use.NOT_NEEDED), tuple("f:b", Use.OUTSIDE_VALUES));
  }

  @Test
  void aSearchWithoutMemoryForItsRowsGivesWayToAScanOfAllRows() throws IOException {
    MemoryAccount account = new MemoryAccount(4 << 20, 1, harness.clock);
    harness.closeCleanly();
    harness.borrowFrom(account);
    harness.open();
    List<String> all = IntStream.range(0, 800).mapToObj("r%03d"::formatted).toList();
    for (String row : all) {
      put(row, A, 10, "v");
    }
    long before = account.borrowedBytes();
    try (RegionRead open = harness.scan(where(equal(A, "v")).build())) {
      assertThat(report.rows()).contains(800);
      assertThat(account.borrowedBytes()).isBetween(before + 1, before + (256 << 10));
      assertThat(open.readPoint()).isPositive();
    }
    assertThat(account.borrowedBytes()).isEqualTo(before);
    assertThat(account.tryBorrow(2 << 20)).isTrue();
    assertThat(rows(where(equal(A, "v")))).isEqualTo(all);
    assertThat(report.rows()).isEmpty();
    assertThat(report.reasons())
        .containsExactly("f:a: the server has too little memory for the rows");
    account.giveBack(2 << 20);
    assertThat(account.borrowedBytes()).isEqualTo(before);
  }

  @Test
  void aSearchEndsAfterHalfOfTheTimeOfItsCall() throws IOException {
    fill();
    long now = harness.clock.nanoTime();
    assertThat(rows(where(equal(A, "54")), now)).containsExactly("r54");
    assertThat(report.reasons()).containsExactly("f:a: the search takes too long");
    now = harness.clock.nanoTime();
    assertThat(rows(where(equal(A, "54")), now + 1_000_000_000_000L)).containsExactly("r54");
    assertThat(report.rows()).contains(1);
  }

  @Test
  void aScanThatPassesRowsThatAreGonePausesAtItsDeadline() throws IOException {
    put("z", A, 10, "v");
    for (int i = 0; i < 50; i++) {
      put("b%02d_".formatted(i), A, 10, "other");
    }
    long before;
    try (RegionRead read = harness.scan(ScanRequest.builder().build())) {
      before = read.readPoint();
    }
    for (int i = 0; i < 50; i++) {
      put("b%02d".formatted(i), A, 10, "v"); // which the scan does not see
    }
    assertThat(rows(where(equal(A, "v")).resumedFrom(before))).containsExactly("z");
    Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
    ScanRequest.Builder request = where(equal(A, "v")).resumedFrom(before);
    try (RegionRead read = harness.scan(request.build())) {
      assertThat(report.rows()).contains(51);
      CellBuffer out = new CellBuffer();
      ScanProgress progress = ScanProgress.ROW_DONE;
      while (progress != ScanProgress.END) {
        ReadBudget late = new ReadBudget(-1, -1, harness.clock.nanoTime(), true);
        progress = read.next(out, late);
        assertThat(read.peek(late)).isIn(ScanProgress.ROW_DONE, ScanProgress.END);
      }
      assertThat(out.size()).isEqualTo(1);
    }
    assertThat(marks.count(IndexMark.PAUSED_AT_GONE_ROW)).isPositive();
  }

  @Test
  void aScanThatAsksNoIndexNeedNotWait() throws IOException {
    fill();
    rows(ScanRequest.builder()); // into the cache
    assertThat(atOnce(RowCondition.ANY)).isEqualTo(ScanProgress.ROW_DONE);
    assertThat(atOnce(equal(Bytes.utf8("c"), "1"))).isEqualTo(ScanProgress.END);
    assertThat(atOnce(equal(A, "54"))).isEqualTo(ScanProgress.WOULD_WAIT);
  }

  @Test
  void aRegionThatIsSkippedNeedNotWait() throws IOException {
    fill();
    put("new", A, 200, "60");
    assertThat(atOnce(equal(A, "55"))).isEqualTo(ScanProgress.WOULD_WAIT); // reads the roots
    assertThat(rows(where(equal(A, "09")))).isEmpty();
    assertThat(atOnce(equal(A, "981"))).isEqualTo(ScanProgress.END);
    assertThat(atOnce(equal(A, "55"))).isEqualTo(ScanProgress.WOULD_WAIT); // reads Bloom filters
    assertThat(rows(where(equal(A, "55")))).isEmpty();
    assertThat(atOnce(equal(A, "55"))).isEqualTo(ScanProgress.END);
    assertThat(atOnce(equal(A, "60"))).isEqualTo(ScanProgress.WOULD_WAIT);
    RowCondition other = equal(Bytes.utf8("c"), "1");
    assertThat(atOnce(RowCondition.all(List.of(equal(A, "54"), equal(B, "x")))))
        .isEqualTo(ScanProgress.WOULD_WAIT); // reads the roots of the other column
    rows(where(equal(B, "x")));
    for (RowCondition excluded :
        List.of(
            RowCondition.all(List.of(equal(A, "54"), equal(B, "x"))),
            RowCondition.all(List.of(other, equal(A, "55"))),
            RowCondition.anyOf(List.of(equal(A, "55"), equal(B, "x"))))) {
      assertThat(atOnce(excluded)).as("%s", excluded).isEqualTo(ScanProgress.END);
    }
    for (RowCondition possible :
        List.of(
            RowCondition.anyOf(List.of(equal(A, "55"), equal(A, "60"))),
            RowCondition.all(List.of(equal(A, "54"), equal(A, "60"))))) {
      assertThat(atOnce(possible)).as("%s", possible).isEqualTo(ScanProgress.WOULD_WAIT);
    }
    put("newer", A, 300, "55");
    assertThat(atOnce(equal(A, "55"))).isEqualTo(ScanProgress.WOULD_WAIT);
  }

  private ScanProgress atOnce(RowCondition condition) throws IOException {
    ScanRequest request = ScanRequest.builder().filter(new ValuedRows(condition, true)).build();
    try (RegionRead read = harness.scanAtOnce(request)) {
      return read.next(new CellBuffer(), RegionHarness.atOnce(-1, Long.MAX_VALUE));
    }
  }

  /** A region does not begin with the first row of all, unlike the only region of a table. */
  @Test
  void aScanOfAllRowsOfARegionIsNoScanOfAPart() throws IOException {
    harness.close();
    TableSchema smallBlocks =
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f", Map.of("BLOCKSIZE", "4096")))
            .with("cairn.index.i", "f:a");
    harness = new RegionHarness(smallBlocks, Bytes.utf8("r"), Bytes.utf8("s"));
    for (int i = 0; i < 3_000; i++) {
      put("r%05d".formatted(i), A, 10, "a value of some length, " + i % 100);
    }
    harness.region().flush();
    RowCondition some = equal(A, "a value of some length, 7");
    assertThat(rows(where(some))).hasSize(30);
    assertThat(report.rows()).contains(30);
    ScanRequest.Builder part =
        where(some).start(Bytes.utf8("r00100"), true).stop(Bytes.utf8("r00200"), false);
    assertThat(rows(part)).containsExactly("r00107");
    assertThat(report.reasons()).containsExactly("f:a: the scan has few rows");
    HFileReader file = harness.region().stores().get(0).view().files().get(0).reader();
    assertThat(file.shareOfRows(Bytes.utf8("r"), Bytes.utf8("s"))).isEqualTo(1);
    assertThat(file.shareOfRows(Bytes.utf8("r015"), Bytes.EMPTY)).isBetween(0.3, 0.7);
    assertThat(file.shareOfRows(Bytes.EMPTY, Bytes.utf8("r010"))).isBetween(0.2, 0.6);
    assertThat(file.shareOfRows(Bytes.utf8("r010"), Bytes.utf8("r0101"))).isBetween(0.0, 0.5);
  }

  @Test
  void aConditionOfVeryManyValuesReadsEachChunkOnce() throws IOException {
    for (int i = 0; i < 3_000; i++) {
      put("row%06d".formatted(i), A, 10, "a value of some length %06d".formatted(i));
    }
    harness.region().flush();
    List<ValueRanges> every =
        IntStream.range(0, 3_000)
            .filter(i -> i % 5 == 0)
            .mapToObj(i -> ValueRanges.of(Bytes.utf8("a value of some length %06d".formatted(i))))
            .toList();
    RowCondition set = RowCondition.column(F, A, ValueRanges.union(every));
    assertThat(rows(where(set))).hasSize(600);
    assertThat(report.rows()).contains(600);
    Optional<IndexReport.Source> file = report.sources().stream().findFirst();
    assertThat(file.orElseThrow().entries()).isEqualTo(600);
    assertThat(statistics.reads().diskBlocks()).isLessThan(20);
  }
}
