package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads by HBase's asynchronous client, and by the scanner that fetches ahead. */
@ParameterizedClass
@EnumSource(State.class)
class AsyncReadsTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] F = toBytes("f");
  private static final byte[] Q = toBytes("q");
  private static final int ROWS = 60;

  private static AsyncConnection connection;
  private static ExecutorService executor;
  private static TestTable table;

  @Parameter State state;

  @BeforeAll
  static void connect() throws Exception {
    connection =
        ConnectionFactory.createAsyncConnection(SERVER.configuration()).get(60, TimeUnit.SECONDS);
    executor = Executors.newSingleThreadExecutor();
  }

  @AfterAll
  static void disconnect() throws IOException {
    connection.close();
    executor.shutdownNow();
  }

  @BeforeParameterizedClassInvocation
  static void fill(State state) throws Exception {
    table =
        SERVER.create(
            "async",
            new byte[][] {toBytes("r20"), toBytes("r40")},
            ColumnFamilyDescriptorBuilder.of(F));
    Put[] puts = new Put[ROWS];
    for (int i = 0; i < ROWS; i++) {
      puts[i] = new Put(toBytes(row(i))).addColumn(F, Q, 1, toBytes("v" + i));
    }
    state.write(table, puts);
  }

  @AfterParameterizedClassInvocation
  static void close() throws IOException {
    table.close();
  }

  private static String row(int i) {
    return "r%02d".formatted(i);
  }

  private static List<String> rows(int from, int to) {
    List<String> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(row(i));
    }
    return rows;
  }

  private static List<String> rowsOf(List<Result> results) {
    return results.stream().map(result -> Bytes.toString(result.getRow())).toList();
  }

  private static AsyncTable<ScanResultConsumer> async() {
    return connection.getTable(table.name(), executor);
  }

  private static <T> T done(CompletableFuture<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  @Test
  void getsAndExistence() throws Exception {
    assertThat(done(async().get(new Get(toBytes("r07")))).value()).isEqualTo(toBytes("v7"));
    assertThat(rowsOf(done(async().getAll(List.of(get("r50"), get("r01"), get("r30"))))))
        .containsExactly("r50", "r01", "r30");
    assertThat(done(async().exists(get("r59")))).isTrue();
    assertThat(done(async().existsAll(List.of(get("r10"), get("never"), get("r45")))))
        .containsExactly(true, false, true);
    CompletableFuture<Result> unknown =
        async().get(new Get(toBytes("r07")).addFamily(toBytes("unknown")));
    assertThatThrownBy(() -> done(unknown))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(NoSuchColumnFamilyException.class);
  }

  private static Get get(String row) {
    return new Get(toBytes(row));
  }

  @Test
  void scanAll() throws Exception {
    assertThat(rowsOf(done(async().scanAll(new Scan())))).isEqualTo(rows(0, ROWS));
    assertThat(rowsOf(done(async().scanAll(new Scan().setCaching(7).setLimit(25)))))
        .isEqualTo(rows(0, 25));
    List<String> backwards = rows(0, ROWS);
    Collections.reverse(backwards);
    assertThat(rowsOf(done(async().scanAll(new Scan().setReversed(true).setCaching(7)))))
        .isEqualTo(backwards);
    assertThat(
            rowsOf(
                done(
                    async()
                        .scanAll(
                            new Scan()
                                .withStartRow(toBytes("r19"), false)
                                .withStopRow(toBytes("r40"), true)))))
        .isEqualTo(rows(20, 41));
  }

  @Test
  void theResultScanner() throws Exception {
    try (ResultScanner scanner = async().getScanner(new Scan().setCaching(4))) {
      assertThat(rowsOf(List.of(scanner.next(5)))).isEqualTo(rows(0, 5));
      List<Result> rest = new ArrayList<>();
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        rest.add(result);
      }
      assertThat(rowsOf(rest)).isEqualTo(rows(5, ROWS));
    }
    try (ResultScanner stopped = async().getScanner(new Scan().setMaxResultSize(1))) {
      assertThat(rowsOf(List.of(stopped.next(30)))).isEqualTo(rows(0, 30));
    }
  }

  @Test
  void aConsumerThatHasEnough() throws Exception {
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Void> end = new CompletableFuture<>();
    async()
        .scan(
            new Scan().setCaching(3),
            new ScanResultConsumer() {
              @Override
              public boolean onNext(Result result) {
                seen.add(Bytes.toString(result.getRow()));
                return seen.size() < 22;
              }

              @Override
              public void onError(Throwable error) {
                end.completeExceptionally(error);
              }

              @Override
              public void onComplete() {
                end.complete(null);
              }
            });
    done(end);
    assertThat(seen).isEqualTo(rows(0, 22));
  }

  /** Takes what comes, suspends every third time, and lets another thread resume. */
  private static final class Suspending implements AdvancedScanResultConsumer {
    final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    final CompletableFuture<Void> end = new CompletableFuture<>();
    private int calls;
    private int suspended;

    @Override
    public void onNext(Result[] results, ScanController controller) {
      for (Result result : results) {
        seen.add(Bytes.toString(result.getRow()));
      }
      if (++calls % 3 == 0) {
        suspended++;
        ScanResumer resumer = controller.suspend();
        executor.execute(resumer::resume);
      }
    }

    @Override
    public void onError(Throwable error) {
      end.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  @Test
  void aConsumerThatSuspendsAndResumes() throws Exception {
    AsyncTable<AdvancedScanResultConsumer> raw = connection.getTable(table.name());
    Suspending consumer = new Suspending();
    raw.scan(new Scan().setCaching(4), consumer);
    done(consumer.end);
    assertThat(consumer.seen).isEqualTo(rows(0, ROWS));
    assertThat(consumer.suspended).isPositive();
  }

  @Test
  void aSuspendedScanHoldsStillUntilItIsResumed() throws Exception {
    AsyncTable<AdvancedScanResultConsumer> raw = connection.getTable(table.name());
    AtomicReference<AdvancedScanResultConsumer.ScanResumer> resumer = new AtomicReference<>();
    CountDownLatch suspended = new CountDownLatch(1);
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Void> end = new CompletableFuture<>();
    raw.scan(
        new Scan().setCaching(10),
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] results, ScanController controller) {
            seen.addAll(rowsOf(List.of(results)));
            if (resumer.get() == null) {
              resumer.set(controller.suspend());
              suspended.countDown();
            } else if (seen.size() >= 25) {
              controller.terminate();
            }
          }

          @Override
          public void onError(Throwable error) {
            end.completeExceptionally(error);
          }

          @Override
          public void onComplete() {
            end.complete(null);
          }
        });
    assertThat(suspended.await(60, TimeUnit.SECONDS)).isTrue();
    int before = seen.size();
    assertThat(table.rows(new Scan())).as("others read meanwhile").hasSize(ROWS);
    assertThat(seen).hasSize(before).isEqualTo(rows(0, before));
    resumer.get().resume();
    done(end);
    assertThat(seen).isEqualTo(rows(0, seen.size())).hasSizeBetween(25, 40);
  }

  @Test
  void theScannerThatFetchesAhead() throws IOException {
    assertThat(table.rows(new Scan().setAsyncPrefetch(true).setCaching(7)))
        .isEqualTo(rows(0, ROWS));
    assertThat(table.rows(new Scan().setAsyncPrefetch(true).setCaching(7).setLimit(30)))
        .isEqualTo(rows(0, 30));
    try (ResultScanner scanner =
        table.table().getScanner(new Scan().setAsyncPrefetch(true).setCaching(2))) {
      assertThat(rowsOf(List.of(scanner.next(9)))).isEqualTo(rows(0, 9));
    }
  }
}
