package dev.cairn.coprocessor.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Checks what hooks of writes can do. */
class WriteHooksTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] R = Bytes.toBytes("r");

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  private Table table;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().setting("hbase.client.retries.number", "1").start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin(TestInfo test) throws IOException {
    Recorder.ACTS.clear();
    TableName name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setCoprocessor(Recorder.class.getName())
            .build());
    table = connection.getTable(name);
    table.exists(new Get(F));
    Recorder.CALLS.clear();
  }

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  private static Put put(String row, String value) {
    return new Put(bytes(row)).addColumn(F, Q, bytes(value));
  }

  private String value(String row) throws IOException {
    return Bytes.toString(table.get(new Get(bytes(row))).getValue(F, Q));
  }

  private static Result result(String row, String value) {
    return Result.create(
        List.of(new KeyValue(bytes(row), F, Q, 1, KeyValue.Type.Put, bytes(value))));
  }

  @SuppressWarnings("unchecked") // of a batch's mutations
  private static MiniBatchOperationInProgress<Mutation> batch(Object[] arguments) {
    return (MiniBatchOperationInProgress<Mutation>) arguments[0];
  }

  private static Region region() {
    return Recorder.environment.getRegion();
  }

  @Test
  void aBypassedPutIsNotWrittenAndCountsAsDone() throws IOException {
    Recorder.ACTS.put(
        "prePut",
        (context, arguments) -> {
          if (((Put) arguments[0]).getRow()[0] == 'a') {
            context.bypass();
          }
          return null;
        });
    table.put(List.of(put("a", "1"), put("b", "2")));
    assertThat(value("a")).isNull();
    assertThat(value("b")).isEqualTo("2");
    assertThat(Recorder.CALLS)
        .contains(
            "preBatchMutate 1[Put(a, f:q=1@now) SUCCESS, Put(b, f:q=2) NOT_RUN]",
            "postPut Put(a, f:q=1@now) [f:q=2]");
    Recorder.CALLS.clear();
    table.put(put("a", "3"));
    assertThat(Recorder.CALLS)
        .containsExactly(
            "prePut Put(a, f:q=3@now)",
            "postPut Put(a, f:q=3@now) null",
            "postBatchMutateIndispensably false 0[Put(a, f:q=3@now) SUCCESS]");
  }

  @Test
  void resultsOfBypassedChangesGoToTheClient() throws IOException {
    for (String hook : List.of("preIncrement", "preIncrementAfterRowLock")) {
      Recorder.ACTS.put(
          hook,
          (context, arguments) -> {
            context.bypass();
            return result("r", hook);
          });
      Result got = table.increment(new Increment(R).addColumn(F, Q, 1));
      assertThat(Bytes.toString(got.getValue(F, Q))).isEqualTo(hook);
      Recorder.ACTS.clear();
    }
    for (String hook : List.of("preAppend", "preAppendAfterRowLock")) {
      Recorder.ACTS.put(
          hook,
          (context, arguments) -> {
            context.bypass();
            return result("r", hook);
          });
      Result got = table.append(new Append(R).addColumn(F, Q, Q));
      assertThat(Bytes.toString(got.getValue(F, Q))).isEqualTo(hook);
      Recorder.ACTS.clear();
    }
    assertThat(value("r")).isNull();
  }

  @Test
  void aResultWithoutABypassIsIgnored() throws IOException {
    Recorder.ACTS.put("preIncrement", (context, arguments) -> result("r", "no"));
    Result got = table.increment(new Increment(R).addColumn(F, Q, 1));
    assertThat(Bytes.toLong(got.getValue(F, Q))).isEqualTo(1);
  }

  @Test
  void changesWithNumbersOfTheirOwnAreAppliedTogether() throws IOException {
    Result got =
        table.mutateRow(
            RowMutations.of(
                List.of(
                    new Increment(R).addColumn(F, Q, 1),
                    new Increment(R).addColumn(F, bytes("other"), 2))));
    assertThat(Bytes.toLong(got.getValue(F, Q))).isEqualTo(1);
    assertThat(Bytes.toLong(got.getValue(F, bytes("other")))).isEqualTo(2);
  }

  @Test
  void laterHooksReplaceResults() throws IOException {
    Recorder.ACTS.put("postAppend", (context, arguments) -> result("r", "other"));
    Result got = table.append(new Append(R).addColumn(F, Q, bytes("x")));
    assertThat(Bytes.toString(got.getValue(F, Q))).isEqualTo("other");
    assertThat(value("r")).isEqualTo("x");
  }

  @Test
  void aBatchsHookGivesAPutAResult() throws IOException {
    Recorder.ACTS.put(
        "preBatchMutate",
        (context, arguments) -> {
          batch(arguments)
              .setOperationStatus(
                  0, new OperationStatus(OperationStatusCode.SUCCESS, result("r", "given")));
          return null;
        });
    Object[] results = new Object[1];
    try {
      table.batch(List.of(put("r", "1")), results);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    assertThat(Bytes.toString(((Result) results[0]).getValue(F, Q))).isEqualTo("given");
    assertThat(value("r")).isNull();
  }

  @Test
  void theBatchsHookRefusesOneMutation() throws IOException, InterruptedException {
    Recorder.ACTS.put(
        "preBatchMutate",
        (context, arguments) -> {
          batch(arguments)
              .setOperationStatus(
                  1, new OperationStatus(OperationStatusCode.FAILURE, "not this one"));
          return null;
        });
    Object[] results = new Object[2];
    assertThatThrownBy(() -> table.batch(List.of(put("a", "1"), put("b", "2")), results))
        .hasMessageContaining("not this one");
    assertThat(results[0]).isInstanceOf(Result.class);
    assertThat(results[1]).isInstanceOf(DoNotRetryIOException.class);
    assertThat(value("a")).isEqualTo("1");
    assertThat(value("b")).isNull();
  }

  @Test
  void hooksReplaceCells() throws IOException {
    Recorder.ACTS.put(
        "prePut",
        (context, arguments) -> {
          ((Put) arguments[0]).addColumn(F, bytes("more"), bytes("2"));
          return null;
        });
    Recorder.ACTS.put(
        "preBatchMutate",
        (context, arguments) -> {
          var cells = batch(arguments).getOperation(0).getFamilyCellMap().get(F);
          cells.replaceAll(
              cell ->
                  CellUtil.matchingQualifier(cell, Q)
                      ? new KeyValue(R, F, Q, 77, KeyValue.Type.Put, bytes("changed"))
                      : cell);
          return null;
        });
    table.put(put("r", "1"));
    Result got = table.get(new Get(R));
    assertThat(Bytes.toString(got.getValue(F, Q))).isEqualTo("changed");
    assertThat(got.getColumnLatestCell(F, Q).getTimestamp()).isEqualTo(77);
    assertThat(Bytes.toString(got.getValue(F, bytes("more")))).isEqualTo("2");
  }

  @Test
  void timesThatAHookSetsInPlaceCount() throws IOException {
    Recorder.ACTS.put(
        "preBatchMutate",
        (context, arguments) -> {
          for (var cell : batch(arguments).getOperation(0).getFamilyCellMap().get(F)) {
            ((ExtendedCell) cell).setTimestamp(55);
          }
          return null;
        });
    table.put(put("r", "1"));
    assertThat(table.get(new Get(R)).getColumnLatestCell(F, Q).getTimestamp()).isEqualTo(55);
  }

  @Test
  void cellsOfUnknownFamiliesAreRefused() throws IOException {
    Recorder.ACTS.put(
        "preBatchMutate",
        (context, arguments) -> {
          batch(arguments)
              .getOperation(0)
              .getFamilyCellMap()
              .put(bytes("x"), List.of(new KeyValue(R, bytes("x"), Q, Q)));
          return null;
        });
    assertThatThrownBy(() -> table.put(put("r", "1"))).hasMessageContaining("x");
    assertThat(value("r")).isNull();
    assertThat(Recorder.CALLS.get(Recorder.CALLS.size() - 1))
        .startsWith("postBatchMutateIndispensably false 1[")
        .endsWith("FAILURE]");
  }

  @Test
  void addedMutationsAreWrittenWithTheirParent() throws IOException {
    table.put(put("old", "1"));
    Recorder.ACTS.put(
        "preBatchMutate",
        (context, arguments) -> {
          batch(arguments)
              .addOperationsFromCP(
                  0,
                  new Mutation[] {put("added", "2"), new Delete(bytes("old")), put("added", "3")});
          return null;
        });
    table.put(put("r", "1").setTTL(1_000_000));
    Recorder.ACTS.clear();
    assertThat(value("r")).isEqualTo("1");
    assertThat(value("added")).isEqualTo("3");
    assertThat(value("old")).isNull();
    assertThat(Recorder.CALLS.get(Recorder.CALLS.size() - 2))
        .startsWith("postPut Put(r, f:q=1, f:q=2@now, DeleteFamily")
        .endsWith(" [f:q=1, f:q=2, DeleteFamily f:, f:q=3]");
  }

  @Test
  void mutationsAddedToAnotherRegionFailTheBatch() throws IOException {
    admin.split(table.getName(), bytes("m"));
    Awaitility.await()
        .until(
            () -> connection.getRegionLocator(table.getName()).getAllRegionLocations().size() == 2);
    connection.clearRegionLocationCache();
    Recorder.ACTS.put(
        "preBatchMutate",
        (context, arguments) -> {
          batch(arguments).addOperationsFromCP(0, new Mutation[] {put("z", "2")});
          return null;
        });
    assertThatThrownBy(() -> table.put(put("a", "1"))).hasMessageContaining("not in the region");
    assertThat(value("a")).isNull();
  }

  @Test
  void anExceptionFailsTheWholeBatch() throws IOException {
    for (String hook : List.of("prePut", "preBatchMutate", "preWALAppend")) {
      Recorder.ACTS.put(
          hook,
          (context, arguments) -> {
            throw new DoNotRetryIOException("no " + hook);
          });
      assertThatThrownBy(() -> table.put(List.of(put("a", "1"), put("b", "2"))))
          .hasMessageContaining("no " + hook);
      assertThat(value("a")).isNull();
      assertThat(value("b")).isNull();
      Recorder.ACTS.clear();
    }
  }

  @Test
  void anUnexpectedExceptionFailsTheCallAndNamesTheClass() throws IOException {
    Recorder.ACTS.put(
        "prePut",
        (context, arguments) -> {
          throw new IllegalStateException("surprise");
        });
    assertThatThrownBy(() -> table.put(put("a", "1")))
        .hasMessageContaining(Recorder.class.getName())
        .hasMessageContaining("surprise");
    Recorder.ACTS.clear();
    table.put(put("a", "1"));
    assertThat(value("a")).isEqualTo("1");
  }

  @Test
  void anExceptionAfterTheWriteFailsTheCallAndTheWriteStands() throws IOException {
    for (String hook : List.of("postBatchMutate", "postPut", "postBatchMutateIndispensably")) {
      Recorder.ACTS.put(
          hook,
          (context, arguments) -> {
            throw new DoNotRetryIOException("late " + hook);
          });
      assertThatThrownBy(() -> table.put(put(hook, "1"))).hasMessageContaining("late " + hook);
      Recorder.ACTS.clear();
      assertThat(value(hook)).isEqualTo("1");
    }
  }

  @Test
  void aBypassedCheckAnswersWithItsResult() throws IOException {
    for (String hook : List.of("preCheckAndMutate", "preCheckAndMutateAfterRowLock")) {
      Recorder.ACTS.put(
          hook,
          (context, arguments) -> {
            context.bypass();
            return new CheckAndMutateResult(true, result("r", hook));
          });
      CheckAndMutateResult got =
          table.checkAndMutate(
              CheckAndMutate.newBuilder(R).ifEquals(F, Q, bytes("7")).build(put("r", "1")));
      assertThat(got.isSuccess()).isTrue();
      assertThat(Bytes.toString(got.getResult().getValue(F, Q))).isEqualTo(hook);
      Recorder.ACTS.clear();
    }
    assertThat(value("r")).isNull();
  }

  @Test
  void aHookAfterTheCheckReplacesTheAnswer() throws IOException {
    Recorder.ACTS.put(
        "postCheckAndMutate", (context, arguments) -> new CheckAndMutateResult(false, null));
    assertThat(
            table
                .checkAndMutate(CheckAndMutate.newBuilder(R).ifNotExists(F, Q).build(put("r", "1")))
                .isSuccess())
        .isFalse();
    assertThat(value("r")).isEqualTo("1");
  }

  @Test
  void aComputedCellIsReplacedBeforeTheLogAndTheClientSeesTheFirstOne() throws IOException {
    Recorder.ACTS.put(
        "postIncrementBeforeWAL",
        (context, arguments) -> {
          var pairs = new ArrayList<Pair<Cell, Cell>>();
          pairs.add(
              new Pair<>(null, new KeyValue(R, F, Q, 99, KeyValue.Type.Put, Bytes.toBytes(1000L))));
          return pairs;
        });
    Result got = table.increment(new Increment(R).addColumn(F, Q, 1));
    assertThat(Bytes.toLong(got.getValue(F, Q))).isEqualTo(1);
    assertThat(Bytes.toLong(table.get(new Get(R)).getValue(F, Q))).isEqualTo(1000);
  }

  @Test
  void aHookChoosesTheVersionThatADeleteMeans() throws IOException {
    table.put(put("r", "1").addColumn(F, Q, 10, bytes("old")).addColumn(F, Q, 20, bytes("new")));
    Recorder.ACTS.put(
        "prePrepareTimeStampForDeleteVersion",
        (context, arguments) -> {
          ((ExtendedCell) arguments[1]).setTimestamp(10);
          context.bypass();
          return null;
        });
    table.delete(new Delete(R).addColumn(F, Q));
    assertThat(Recorder.CALLS).contains("preBatchMutate 1[Delete(r, Delete f:q) NOT_RUN]");
    assertThat(table.get(new Get(R).readAllVersions().setTimeRange(0, 11)).getColumnCells(F, Q))
        .isEmpty();
  }

  @Test
  void cellsForTheLogAreInItsEntry() throws IOException {
    Recorder.ACTS.put(
        "prePut",
        (context, arguments) -> {
          ((WALEdit) arguments[1])
              .add(new KeyValue(R, F, bytes("logged"), 1, KeyValue.Type.Put, Q));
          return null;
        });
    table.put(put("r", "1"));
    assertThat(Recorder.CALLS)
        .anyMatch(call -> call.startsWith("preWALAppend") && call.endsWith("[f:logged=q, f:q=1]"));
    assertThat(table.get(new Get(R)).size()).isEqualTo(1);
    Recorder.CALLS.clear();
    table.put(put("r", "2").setDurability(Durability.SKIP_WAL));
    assertThat(Recorder.CALLS).noneMatch(call -> call.startsWith("preWALAppend"));
  }

  @Test
  void cellsForTheLogThatTheRegionCannotHaveAreRefused() throws IOException {
    Recorder.ACTS.put(
        "prePut",
        (context, arguments) -> {
          ((WALEdit) arguments[1]).add(new KeyValue(R, bytes("x"), Q, Q));
          return null;
        });
    assertThatThrownBy(() -> table.put(put("r", "1"))).hasMessageContaining("cannot have");
    assertThat(value("r")).isNull();
  }

  @Test
  void aHookChangesTheTimeToLive() throws IOException {
    Recorder.ACTS.put(
        "prePut",
        (context, arguments) -> {
          ((Put) arguments[0]).setTTL(1);
          return null;
        });
    table.put(put("r", "1"));
    Awaitility.await().until(() -> value("r") == null);
  }

  @Test
  void tooManyAttributesOfTheLogsEntryAreRefused() throws IOException {
    int[] size = {300_000};
    Recorder.ACTS.put(
        "preWALAppend",
        (context, arguments) -> {
          ((WALKey) arguments[0]).addExtendedAttribute("name", new byte[size[0]]);
          return null;
        });
    assertThatThrownBy(() -> table.put(put("r", "1"))).hasMessageContaining("300020 bytes");
    assertThat(value("r")).isNull();
    size[0] = 200_000;
    table.put(put("r", "1"));
    assertThat(value("r")).isEqualTo("1");
  }

  @Test
  void aMutationHasTheClientsSettings() throws IOException {
    List<Object> seen = new ArrayList<>();
    Recorder.ACTS.put(
        "prePut",
        (context, arguments) -> {
          Put shown = (Put) arguments[0];
          seen.add(Bytes.toString(shown.getAttribute("mine")));
          seen.add(shown.getTTL());
          seen.add(shown.getDurability());
          shown.setTTL(5_000_000);
          return null;
        });
    Recorder.ACTS.put(
        "preIncrement",
        (context, arguments) -> {
          Increment shown = (Increment) arguments[0];
          seen.add(shown.getTimeRange().getMin());
          seen.add(shown.isReturnResults());
          return null;
        });
    table.put(
        put("r", "1")
            .setAttribute("mine", bytes("yes"))
            .setTTL(4_000_000)
            .setDurability(Durability.ASYNC_WAL));
    table.increment(
        new Increment(bytes("s")).addColumn(F, Q, 1).setTimeRange(3, 9).setReturnResults(false));
    assertThat(seen).containsExactly("yes", 4_000_000L, Durability.ASYNC_WAL, 3L, false);
  }

  @Test
  void hooksSeeTheirCallerAndRunOnHandlers() throws IOException {
    List<String> seen = new ArrayList<>();
    Recorder.ACTS.put(
        "prePut",
        (context, arguments) -> {
          seen.add(context.getCaller().orElseThrow().getShortName());
          seen.add(RpcServer.getRemoteAddress().orElseThrow().isLoopbackAddress() + "");
          seen.add(Thread.currentThread().getName().replaceAll("-[^-]*:.*", ""));
          return null;
        });
    table.put(put("r", "1"));
    assertThat(seen).containsExactly(System.getProperty("user.name"), "true", "rpc-general");
  }

  @Test
  void aCoprocessorWritesToItsRegionWithHooks() throws IOException {
    Region region = region();
    region.put(put("a", "1"));
    assertThat(value("a")).isEqualTo("1");
    assertThat(Recorder.CALLS).contains("prePut Put(a, f:q=1@now)");
    region.delete(new Delete(bytes("a")));
    assertThat(value("a")).isNull();
    assertThat(Recorder.CALLS).contains("preDelete Delete(a, DeleteFamily f:@now)");
    assertThat(region.batchMutate(new Mutation[] {put("b", "2"), put("c", "3")}))
        .extracting(OperationStatus::getOperationStatusCode)
        .containsOnly(OperationStatusCode.SUCCESS);
    assertThat(value("c")).isEqualTo("3");
    assertThat(Bytes.toLong(region.increment(new Increment(R).addColumn(F, Q, 4)).getValue(F, Q)))
        .isEqualTo(4);
    assertThat(
            Bytes.toString(region.append(new Append(bytes("c")).addColumn(F, Q, Q)).getValue(F, Q)))
        .isEqualTo("3q");
    Recorder.CALLS.clear();
    assertThat(
            region
                .checkAndMutate(
                    CheckAndMutate.newBuilder(bytes("b"))
                        .ifEquals(F, Q, bytes("2"))
                        .build(put("b", "5")))
                .isSuccess())
        .isTrue();
    assertThat(value("b")).isEqualTo("5");
    assertThat(Recorder.CALLS.get(0)).startsWith("preCheckAndMutateAfterRowLock");
    assertThatThrownBy(() -> region.put(new Put(R).addColumn(bytes("x"), Q, Q)))
        .isInstanceOf(NoSuchColumnFamilyException.class);
    region.mutateRow(RowMutations.of(List.of(put("d", "1"), put("d", "2"))));
    assertThat(value("d")).isEqualTo("2");
  }

  @Test
  void aCoprocessorWritesToRowsThatItHasLocked() throws Exception {
    Region region = region();
    AtomicBoolean written = new AtomicBoolean();
    CompletableFuture<Void> other;
    region.startRegionOperation();
    Region.RowLock lock = region.getRowLock(bytes("a"), false);
    try {
      other =
          CompletableFuture.runAsync(
              () -> {
                try {
                  table.put(put("a", "other"));
                  written.set(true);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      region.mutateRowsWithLocks(List.of(put("a", "1"), put("b", "2")), List.of(), 0, 0);
      region.batchMutate(new Mutation[] {put("a", "3")});
      assertThat(value("a")).isEqualTo("3");
      assertThat(value("b")).isEqualTo("2");
      assertThat(written).isFalse();
    } finally {
      lock.release();
      region.closeRegionOperation();
    }
    other.join();
    assertThat(value("a")).isEqualTo("other");
  }

  @Test
  void aHookWritesToTheRowWhoseLockIsHeld() throws IOException {
    Recorder.ACTS.put(
        "preIncrementAfterRowLock",
        (context, arguments) -> {
          Recorder.ACTS.clear();
          region().batchMutate(new Mutation[] {put("r", "nested")});
          context.bypass();
          return Result.EMPTY_RESULT;
        });
    table.increment(new Increment(R).addColumn(F, Q, 1));
    assertThat(value("r")).isEqualTo("nested");
  }

  /** The lock of the row lasts from before the hook until reads see the write. */
  @Test
  void aHookReadsTheLatestValueOfItsRow() {
    Recorder.ACTS.put(
        "preBatchMutate",
        (context, arguments) -> {
          List<Cell> found = new ArrayList<>();
          try (RegionScanner scanner = region().getScanner(new Scan().withStartRow(R))) {
            scanner.next(found);
          }
          long now = found.isEmpty() ? 0 : Bytes.toLong(CellUtil.cloneValue(found.get(0)));
          Put shown = (Put) batch(arguments).getOperation(0);
          shown
              .getFamilyCellMap()
              .get(F)
              .replaceAll(
                  cell ->
                      new KeyValue(
                          R, F, Q, cell.getTimestamp(), KeyValue.Type.Put, Bytes.toBytes(now + 1)));
          return null;
        });
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      writers.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int k = 0; k < 50; k++) {
                    table.put(put("r", "next"));
                  }
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              }));
    }
    writers.forEach(CompletableFuture::join);
    assertThat(table)
        .satisfies(
            now -> assertThat(Bytes.toLong(now.get(new Get(R)).getValue(F, Q))).isEqualTo(200));
  }

  @Test
  void whatTheRegionRefusesIsToldForEachMutation() throws InterruptedException, IOException {
    Object[] results = new Object[2];
    Put bad = new Put(bytes("b")).addColumn(bytes("x"), Q, Q);
    assertThatThrownBy(() -> table.batch(List.of(put("a", "1"), bad), results))
        .hasMessageContaining("NoSuchColumnFamily");
    assertThat(results[0]).isInstanceOf(Result.class);
    assertThat(value("a")).isEqualTo("1");
    assertThat(Recorder.CALLS)
        .contains("preBatchMutate 1[Put(a, f:q=1) NOT_RUN, Put(b, x:q=q@now) BAD_FAMILY]");
  }

  @Test
  void hooksInTheirOlderFormsAreCalled() throws IOException {
    TableName name = TableName.valueOf("older");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setCoprocessor(OlderHooks.class.getName())
            .build());
    try (Table older = connection.getTable(name)) {
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(R);
      older.checkAndMutate(
          check.ifNotExists(F, Q).build(put("r", "1").setDurability(Durability.ASYNC_WAL)));
      older.checkAndMutate(
          CheckAndMutate.newBuilder(R).ifMatches(new KeyOnlyFilter()).build(new Delete(R)));
      older.increment(new Increment(R).addColumn(F, Q, 1));
    }
    assertThat(OlderHooks.CALLS)
        .containsExactly(
            "preCheckAndPut EQUAL",
            "prePut ASYNC_WAL",
            "postCheckAndPut true",
            "preCheckAndDeleteAfterRowLock KeyOnlyFilter",
            "postDelete USE_DEFAULT",
            "preIncrement",
            "postMutationBeforeWAL INCREMENT");
  }
}
