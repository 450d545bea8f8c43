package dev.cairn.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.bench.load.Workload.Distribution;
import dev.cairn.bench.load.Workload.Kind;
import dev.cairn.bench.report.Latencies;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every workload does what it says, and counts it. */
class LoadDriverTest {
  private static final int RECORDS = 200;
  private static final LoadPlan PLAN = new LoadPlan(RECORDS, 3, 10, 2, 2, 10_000);
  private static final Pace SHORT = Pace.closed(0.2);

  private static CairnServer server;
  private static LoadDriver driver;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.start();
    driver = new LoadDriver(server.connect(), PLAN, true, Thread::new);
  }

  @AfterAll
  static void stop() throws IOException {
    driver.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyKindOfWorkloadFindsItsRowsAndCounts(Kind kind) throws Exception {
    Workload workload = workload(kind);

    driver.prepare(workload);
    LoadResult result = driver.run(workload, SHORT);

    assertThat(result.operations()).isPositive();
    assertThat(result.units()).isPositive();
    assertThat(result.missing()).isZero();
    assertThat(result.seconds()).isPositive();
    assertThat(result.throughput()).isPositive();
    if (kind.timed()) {
      assertThat(result.latencies().get(0).count()).isEqualTo(result.operations());
    } else {
      assertThat(result.latencies()).isEmpty();
    }
  }

  @Test
  void loadingInsertsEachRowOnceWithAllItsCells() throws Exception {
    Workload load = workload(Kind.LOAD);

    driver.prepare(load);
    LoadResult result = driver.run(load, SHORT);

    assertThat(result.operations()).isEqualTo(RECORDS);
    assertThat(rows("usertable")).isEqualTo(RECORDS);
    assertThat(result.putBytes()).isGreaterThan(RECORDS * 3L * 10);
  }

  @Test
  void bulkPutsFillTheTableAsOftenAsTheyAreAskedFor() throws Exception {
    Workload bulk = workload(Kind.BULK);
    for (int i = 0; i < 2; i++) {
      driver.prepare(bulk);
      assertThat(driver.run(bulk, SHORT).units()).isEqualTo(PLAN.cells(50));
    }
    assertThat(rows("cells_50")).isEqualTo(PLAN.cells(50));
  }

  @Test
  void aReadAndAnUpdateOfTheSameRowAreTwoCallsAndOneOperation() throws Exception {
    Workload f = workload(Kind.F);
    driver.prepare(f);
    LoadResult result = driver.run(f, SHORT);

    long changes = count(result, "read-modify-write");
    assertThat(changes).isPositive();
    assertThat(result.units()).isEqualTo(result.operations() + changes);
    assertThat(count(result, "all")).isEqualTo(result.operations());
  }

  @Test
  void aFullScanCountsRows() throws Exception {
    driver.prepare(workload(Kind.LOAD));
    driver.run(workload(Kind.LOAD), SHORT);

    LoadResult result = driver.run(workload(Kind.FULLSCAN), SHORT);

    assertThat(result.units()).isGreaterThan(RECORDS / 2).isLessThanOrEqualTo(result.operations());
  }

  @Test
  void aFixedRateBeginsNoMoreOperationsThanItSays() throws Exception {
    Workload counter = workload(Kind.COUNTER);
    driver.prepare(counter);

    LoadResult result = driver.run(counter, new Pace(0.5, 40, true));

    assertThat(result.operations()).isBetween(1L, 20L); // fewer if the rate is not held
  }

  private static Workload workload(Kind kind) {
    return new Workload(kind, Distribution.ZIPFIAN, kind.sized() ? 50 : 0);
  }

  private static long count(LoadResult result, String operation) {
    return result.latencies().stream()
        .filter(latencies -> latencies.operation().equals(operation))
        .mapToLong(Latencies::count)
        .sum();
  }

  private static int rows(String name) throws IOException {
    int rows = 0;
    try (Connection connection = server.connect();
        Table table = connection.getTable(TableName.valueOf(name));
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        assertThat(List.of(row.rawCells())).isNotEmpty();
        rows++;
      }
    }
    return rows;
  }
}
