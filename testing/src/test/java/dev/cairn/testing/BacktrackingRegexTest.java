package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RegexStringComparator.EngineType;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A backtracking regular expression fails its own call and harms no other call. */
class BacktrackingRegexTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final TableName LONG_NAME = TableName.valueOf("a".repeat(60));
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("the row");
  private static final int HANDLERS = 3;
  private static final int WAIT_MILLIS = 1_000;

  /** Long enough for the answer of a busy machine. */
  private static final int ANSWERED_MILLIS = 3_000;

  private static final int LONG_MILLIS = 600_000;

  private static CairnServer cairn;

  @BeforeAll
  static void makeTable() throws IOException {
    cairn =
        CairnServer.builder()
            .setting("hbase.regionserver.handler.count", String.valueOf(HANDLERS))
            .start();
    try (Connection connection = cairn.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      admin.createTable(
          TableDescriptorBuilder.newBuilder(LONG_NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      table.put(new Put(ROW).addColumn(F, F, Bytes.toBytes("a".repeat(60))));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    cairn.close();
  }

  @ParameterizedTest
  @EnumSource
  void handlersComeFreeWhenTheirCallersWaitNoLonger(EngineType engine) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Connection impatient = connect(WAIT_MILLIS);
        Connection other = connect(LONG_MILLIS)) {
      List<Future<?>> scans = new ArrayList<>();
      for (int i = 0; i < 4 * HANDLERS; i++) {
        scans.add(
            threads.submit(
                () ->
                    assertThatThrownBy(
                        () -> scan(impatient, new ValueFilter(EQUAL, regex(engine))))));
      }
      assertIsServed(other);
      for (Future<?> scan : scans) {
        scan.get();
      }
      assertIsServed(other);
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void handlersComeFreeWhenTheirCallersDisconnect(EngineType engine) throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Connection other = connect(LONG_MILLIS)) {
      Connection patient = connect(LONG_MILLIS);
      List<Future<?>> scans = new ArrayList<>();
      for (int i = 0; i < 4 * HANDLERS; i++) {
        scans.add(
            threads.submit(
                () ->
                    assertThatThrownBy(
                        () -> scan(patient, new ValueFilter(EQUAL, regex(engine))))));
      }
      patient.close();
      assertIsServed(other);
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theClientHearsOnceWhichFilterAndRowItWas(EngineType engine) throws IOException {
    try (Connection connection = connect(ANSWERED_MILLIS)) {
      Filter nested =
          new FilterList(
              new PrefixFilter(Bytes.toBytes("the")),
              new SingleColumnValueFilter(F, F, EQUAL, regex(engine)));
      assertThatThrownBy(() -> scan(connection, nested))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("FilterList", "the row", "hbase.rpc.timeout");
    }
  }

  @Test
  void getsAndConditionsEndTheSameWay() throws IOException {
    try (Connection connection = connect(ANSWERED_MILLIS);
        Table table = connection.getTable(NAME)) {
      Filter filter = new ColumnValueFilter(F, F, EQUAL, regex(EngineType.JAVA));
      assertThatThrownBy(() -> table.get(new Get(ROW).setFilter(filter)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("ColumnValueFilter", "the row");
      Put put = new Put(ROW).addColumn(F, Bytes.toBytes("other"), F);
      assertThatThrownBy(
              () ->
                  table.checkAndMutate(CheckAndMutate.newBuilder(ROW).ifMatches(filter).build(put)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("ColumnValueFilter");
      assertThat(table.get(new Get(ROW)).size()).isEqualTo(1);
    }
  }

  @Test
  void patternsOfTableNamesEndWithTheirCallAndHoldUpNoOther() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Connection impatient = connect(WAIT_MILLIS);
        Admin admin = impatient.getAdmin();
        Connection answered = connect(ANSWERED_MILLIS);
        Admin told = answered.getAdmin();
        Connection other = connect(LONG_MILLIS);
        Admin served = other.getAdmin()) {
      Pattern backtracking = Pattern.compile("(a+)+\\1b");
      List<Future<?>> lists = new ArrayList<>();
      for (int i = 0; i < 2 * HANDLERS; i++) {
        lists.add(
            threads.submit(() -> assertThatThrownBy(() -> admin.listTableNames(backtracking))));
        lists.add(
            threads.submit(
                () -> assertThatThrownBy(() -> admin.listTableDescriptors(backtracking))));
      }
      assertThat(served.listTableNames(Pattern.compile("a+"))).containsExactly(LONG_NAME);
      for (Future<?> list : lists) {
        list.get();
      }
      assertThatThrownBy(() -> told.listTableNames(backtracking))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll("The pattern of table names", "backtracking");
      assertThat(served.listTableDescriptors(Pattern.compile("default:a+"))).hasSize(1);
    } finally {
      threads.shutdownNow();
    }
  }

  private static final CompareOperator EQUAL = CompareOperator.EQUAL;

  private static RegexStringComparator regex(EngineType engine) {
    return new RegexStringComparator("(a+)+\\1b", engine);
  }

  private static void scan(Connection connection, Filter filter) throws IOException {
    try (Table table = connection.getTable(NAME);
        ResultScanner results = table.getScanner(new Scan().setFilter(filter))) {
      results.next();
    }
  }

  /** A handler answers a get with a filter. */
  private static void assertIsServed(Connection connection) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      Get get = new Get(ROW).setFilter(new PrefixFilter(Bytes.toBytes("the")));
      assertThat(table.get(get).size()).isEqualTo(1);
    }
  }

  private static Connection connect(int waitMillis) throws IOException {
    Configuration configuration = cairn.configuration();
    configuration.setInt("hbase.client.retries.number", 6);
    configuration.setInt("hbase.rpc.timeout", waitMillis);
    configuration.setInt("hbase.rpc.read.timeout", waitMillis);
    configuration.setInt("hbase.rpc.write.timeout", waitMillis);
    configuration.setInt("hbase.client.scanner.timeout.period", waitMillis);
    configuration.setInt("hbase.client.operation.timeout", Math.max(60_000, waitMillis));
    return ConnectionFactory.createConnection(configuration);
  }
}
