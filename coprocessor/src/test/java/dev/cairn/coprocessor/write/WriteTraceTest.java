package dev.cairn.coprocessor.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Checks which hooks a client's writes call, in which order and with what. */
class WriteTraceTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] Q = Bytes.toBytes("q");

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  private TableName name;
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
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
            .setCoprocessor(Recorder.class.getName())
            .setCoprocessor(MultiRowMutationEndpoint.class.getName())
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

  private List<String> calls() {
    List<String> calls = new ArrayList<>();
    for (String call : Recorder.CALLS) {
      calls.add(call.replace(name.toString(), "t"));
    }
    Recorder.CALLS.clear();
    return calls;
  }

  @Test
  void aPut() throws IOException {
    table.put(put("a", "1"));
    assertThat(calls())
        .containsExactly(
            "prePut Put(a, f:q=1@now)",
            "preBatchMutate 1[Put(a, f:q=1) NOT_RUN]",
            "preWALAppend t [f:q=1]",
            "postBatchMutate 1[Put(a, f:q=1) NOT_RUN]",
            "postPut Put(a, f:q=1) [f:q=1]",
            "postBatchMutateIndispensably true 1[Put(a, f:q=1) SUCCESS]");
  }

  @Test
  void aBatchInTheOrderOfItsRows() throws IOException {
    table.put(List.of(put("b", "2"), put("a", "1")));
    assertThat(calls())
        .containsExactly(
            "prePut Put(a, f:q=1@now)",
            "prePut Put(b, f:q=2@now)",
            "preBatchMutate 2[Put(a, f:q=1) NOT_RUN, Put(b, f:q=2) NOT_RUN]",
            "preWALAppend t [f:q=1, f:q=2]",
            "postBatchMutate 2[Put(a, f:q=1) NOT_RUN, Put(b, f:q=2) NOT_RUN]",
            "postPut Put(a, f:q=1) [f:q=1, f:q=2]",
            "postPut Put(b, f:q=2) [f:q=1, f:q=2]",
            "postBatchMutateIndispensably true 2[Put(a, f:q=1) SUCCESS, Put(b, f:q=2) SUCCESS]");
  }

  @Test
  void aPutThatIsNotLogged() throws IOException {
    table.put(put("a", "1").setDurability(Durability.SKIP_WAL));
    assertThat(calls())
        .containsExactly(
            "prePut Put(a, f:q=1@now)",
            "preBatchMutate 1[Put(a, f:q=1) NOT_RUN]",
            "postBatchMutate 1[Put(a, f:q=1) NOT_RUN]",
            "postPut Put(a, f:q=1) null",
            "postBatchMutateIndispensably true 1[Put(a, f:q=1) SUCCESS]");
  }

  @Test
  void aDeleteOfAllFamilies() throws IOException {
    table.delete(new Delete(bytes("a")));
    assertThat(calls())
        .containsExactly(
            "preDelete Delete(a, DeleteFamily f:@now, DeleteFamily g:@now)",
            "preBatchMutate 1[Delete(a, DeleteFamily f:, DeleteFamily g:) NOT_RUN]",
            "preWALAppend t [DeleteFamily f:, DeleteFamily g:]",
            "postBatchMutate 1[Delete(a, DeleteFamily f:, DeleteFamily g:) NOT_RUN]",
            "postDelete Delete(a, DeleteFamily f:, DeleteFamily g:)"
                + " [DeleteFamily f:, DeleteFamily g:]",
            "postBatchMutateIndispensably true"
                + " 1[Delete(a, DeleteFamily f:, DeleteFamily g:) SUCCESS]");
  }

  @Test
  void aDeleteOfTheNewestVersion() throws IOException {
    table.put(put("a", "1"));
    calls();
    table.delete(new Delete(bytes("a")).addColumn(F, Q));
    assertThat(calls())
        .containsExactly(
            "preDelete Delete(a, Delete f:q@now)",
            "prePrepareTimeStampForDeleteVersion Delete f:q@now 1",
            "preBatchMutate 1[Delete(a, Delete f:q) NOT_RUN]",
            "preWALAppend t [Delete f:q]",
            "postBatchMutate 1[Delete(a, Delete f:q) NOT_RUN]",
            "postDelete Delete(a, Delete f:q) [Delete f:q]",
            "postBatchMutateIndispensably true 1[Delete(a, Delete f:q) SUCCESS]");
  }

  @Test
  void anIncrementOfTwoFamilies() throws IOException {
    table.increment(new Increment(bytes("a")).addColumn(F, Q, 5));
    calls();
    table.increment(new Increment(bytes("a")).addColumn(F, Q, 2).addColumn(G, Q, 3));
    String asked = "Increment(a, f:q=2@now, g:q=3@now)";
    String shown = "Increment(a, f:q=2@now, g:q=3)"; // the first cell of a column is the client's
    assertThat(calls())
        .containsExactly(
            "preIncrement " + asked,
            "preIncrementAfterRowLock " + asked,
            "postIncrementBeforeWAL [f:q=5->f:q=7]",
            "postIncrementBeforeWAL [null->g:q=3]",
            "preBatchMutate 1[" + shown + " NOT_RUN]",
            "preWALAppend t [f:q=7, g:q=3]",
            "postBatchMutate 1[" + shown + " NOT_RUN]",
            "postIncrement " + shown + " [f:q=7, g:q=3] [f:q=7, g:q=3]",
            "postBatchMutateIndispensably true 1[" + shown + " SUCCESS]");
  }

  @Test
  void anAppendWithoutAResult() throws IOException {
    table.append(new Append(bytes("a")).addColumn(F, Q, bytes("x")).setReturnResults(false));
    assertThat(calls())
        .containsExactly(
            "preAppend Append(a, f:q=x@now)",
            "preAppendAfterRowLock Append(a, f:q=x@now)",
            "postAppendBeforeWAL [null->f:q=x]",
            "preBatchMutate 1[Append(a, f:q=x) NOT_RUN]",
            "preWALAppend t [f:q=x]",
            "postBatchMutate 1[Append(a, f:q=x) NOT_RUN]",
            "postAppend Append(a, f:q=x) [] [f:q=x]",
            "postBatchMutateIndispensably true 1[Append(a, f:q=x) SUCCESS]");
  }

  @Test
  void mutationsOfARowTogether() throws IOException {
    table.mutateRow(
        RowMutations.of(List.of(put("a", "1"), new Delete(bytes("a")).addColumns(G, Q))));
    assertThat(calls())
        .containsExactly(
            "prePut Put(a, f:q=1@now)",
            "preDelete Delete(a, DeleteColumn g:q@now)",
            "preBatchMutate 2[Put(a, f:q=1) NOT_RUN, Delete(a, DeleteColumn g:q) NOT_RUN]",
            "preWALAppend t [f:q=1, DeleteColumn g:q]",
            "postBatchMutate 2[Put(a, f:q=1) NOT_RUN, Delete(a, DeleteColumn g:q) NOT_RUN]",
            "postPut Put(a, f:q=1) [f:q=1, DeleteColumn g:q]",
            "postDelete Delete(a, DeleteColumn g:q) [f:q=1, DeleteColumn g:q]",
            "postBatchMutateIndispensably true"
                + " 2[Put(a, f:q=1) SUCCESS, Delete(a, DeleteColumn g:q) SUCCESS]");
  }

  @Test
  void aCheckThatHolds() throws IOException {
    assertThat(
            table
                .checkAndMutate(
                    CheckAndMutate.newBuilder(bytes("a")).ifNotExists(F, Q).build(put("a", "1")))
                .isSuccess())
        .isTrue();
    assertThat(calls())
        .containsExactly(
            "preCheckAndMutate a f:q EQUAL [] Put",
            "preCheckAndMutateAfterRowLock a f:q EQUAL [] Put",
            "prePut Put(a, f:q=1@now)",
            "preBatchMutate 1[Put(a, f:q=1) NOT_RUN]",
            "preWALAppend t [f:q=1]",
            "postBatchMutate 1[Put(a, f:q=1) NOT_RUN]",
            "postPut Put(a, f:q=1) [f:q=1]",
            "postBatchMutateIndispensably true 1[Put(a, f:q=1) SUCCESS]",
            "postCheckAndMutate a f:q EQUAL [] Put true null");
  }

  @Test
  void aCheckThatDoesNotHold() throws IOException {
    assertThat(
            table
                .checkAndMutate(
                    CheckAndMutate.newBuilder(bytes("a"))
                        .ifEquals(F, Q, bytes("7"))
                        .build(
                            RowMutations.of(
                                List.of(
                                    put("a", "1"), new Increment(bytes("a")).addColumn(G, Q, 1)))))
                .isSuccess())
        .isFalse();
    assertThat(calls())
        .containsExactly(
            "preCheckAndMutate a f:q EQUAL 7 RowMutations",
            "preCheckAndMutateAfterRowLock a f:q EQUAL 7 RowMutations",
            "postCheckAndMutate a f:q EQUAL 7 RowMutations false null");
  }

  @Test
  void rowsTogether() throws Exception {
    var service = table.coprocessorService(bytes("a"));
    MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
    for (Put put : List.of(put("b", "2"), put("a", "1"))) {
      request.addMutationRequest(ProtobufUtil.toMutation(MutationType.PUT, put));
    }
    MultiRowMutationService.newBlockingStub(service).mutateRows(null, request.build());
    assertThat(calls())
        .containsExactly(
            "prePut Put(b, f:q=2@now)",
            "prePut Put(a, f:q=1@now)",
            "preBatchMutate 2[Put(b, f:q=2) NOT_RUN, Put(a, f:q=1) NOT_RUN]",
            "preWALAppend t [f:q=2, f:q=1]",
            "postBatchMutate 2[Put(b, f:q=2) NOT_RUN, Put(a, f:q=1) NOT_RUN]",
            "postPut Put(b, f:q=2) [f:q=2, f:q=1]",
            "postPut Put(a, f:q=1) [f:q=2, f:q=1]",
            "postBatchMutateIndispensably true 2[Put(b, f:q=2) SUCCESS, Put(a, f:q=1) SUCCESS]");
  }
}
