package dev.cairn.interop;

import static dev.cairn.interop.ClientContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ServiceException;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Several rows of one region changed at once, through HBase's own endpoint client. */
class MultiRowMutationTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final String ENDPOINT =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private Table table;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.start();
    connection = ConnectionFactory.createConnection(server.configuration());
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  /** A table of two regions, cut at m, that names the endpoint. */
  @BeforeEach
  void create(TestInfo test) throws IOException {
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(
                TableName.valueOf(test.getTestMethod().orElseThrow().getName()))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setCoprocessor(ENDPOINT)
            .build();
    admin.createTable(descriptor, new byte[][] {bytes("m")});
    assertThat(admin.getDescriptor(descriptor.getTableName()).hasCoprocessor(ENDPOINT)).isTrue();
    table = connection.getTable(descriptor.getTableName());
  }

  @Test
  void changesAllRows() throws Exception {
    table.put(put("b", "gone"));
    assertThat(mutate(List.of(), put("a", "1"), new Delete(bytes("b")), put("c", "3"))).isTrue();
    assertThat(values("a", "b", "c")).containsExactly("1", null, "3");
  }

  @Test
  void changesNothingIfOneMutationIsImpossible() throws Exception {
    Put unknownFamily = new Put(bytes("b")).addColumn(bytes("none"), Q, Q);
    assertThatThrownBy(() -> mutate(List.of(), put("a", "1"), unknownFamily))
        .isInstanceOf(NoSuchColumnFamilyException.class);
    assertThatThrownBy(() -> mutate(List.of(), put("a", "1"), put("x", "2")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Requested row out of range 'x'");
    assertThat(values("a", "b", "x")).containsExactly(null, null, null);
  }

  /** As in HBase, whose client sends it. */
  @Test
  void aPutWithoutColumnsChangesNothing() throws Exception {
    Put empty = new Put(bytes("b"));
    assertThat(mutate(List.of(), empty)).isTrue();
    assertThat(mutate(List.of(), empty, put("a", "1"))).isTrue();
    assertThat(mutate(List.of(condition("a", CompareOperator.EQUAL, "2")), empty)).isFalse();
    assertThatThrownBy(() -> mutate(List.of(), empty, put("x", "2")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("Requested row out of range 'x'");
    assertThat(values("a", "b", "x")).containsExactly("1", null, null);
  }

  @Test
  void changesRowsOnlyIfAllConditionsHold() throws Exception {
    table.put(put("a", "1"));
    Condition holds = condition("a", CompareOperator.EQUAL, "1");
    Condition greater = condition("a", CompareOperator.GREATER, "2");
    Condition absent = condition("d", CompareOperator.EQUAL, "");
    assertThat(mutate(List.of(holds, absent), put("b", "2"), put("c", "3"))).isTrue();
    assertThat(values("b", "c")).containsExactly("2", "3");

    assertThat(mutate(List.of(holds, greater), put("b", "x"))).isTrue();
    assertThat(mutate(List.of(holds, condition("b", CompareOperator.EQUAL, "2")), put("a", "x")))
        .isFalse();
    assertThat(values("a", "b")).containsExactly("1", "x");
    assertThat(mutate(List.of(holds))).isTrue();
  }

  @Test
  void aConditionMayBeAFilterOrLookAtATimeRange() throws Exception {
    table.put(new Put(bytes("a")).addColumn(F, Q, 100, bytes("1")));
    SingleColumnValueFilter one =
        new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, bytes("1"));
    Condition filter = ProtobufUtil.toCondition(bytes("a"), one, TimeRange.allTime());
    assertThat(mutate(List.of(filter), put("b", "2"))).isTrue();

    Condition later =
        ProtobufUtil.toCondition(
            bytes("a"), F, Q, CompareOperator.EQUAL, bytes("1"), TimeRange.from(101));
    assertThat(mutate(List.of(later), put("b", "3"))).isFalse();
    assertThat(values("b")).containsExactly("2");
  }

  @Test
  void countersOfSeveralRowsMoveTogetherUnderConcurrentCallers() throws Exception {
    int callers = 4;
    int rounds = 25;
    List<Exception> failures =
        IntStream.range(0, callers)
            .parallel()
            .mapToObj(
                caller -> {
                  try {
                    for (int i = 0; i < rounds; i++) {
                      mutate(
                          List.of(),
                          new Increment(bytes("a")).addColumn(F, Q, 1),
                          new Increment(bytes("b")).addColumn(F, Q, -1));
                    }
                    return null;
                  } catch (Exception e) {
                    return e;
                  }
                })
            .filter(failure -> failure != null)
            .toList();
    assertThat(failures).isEmpty();
    assertThat(Bytes.toLong(get("a"))).isEqualTo(callers * rounds);
    assertThat(Bytes.toLong(get("b"))).isEqualTo(-callers * rounds);
  }

  @Test
  void aChangeWithANonceIsMadeOnlyOnce() throws Exception {
    MutateRowsRequest request =
        MutateRowsRequest.newBuilder()
            .addMutationRequest(
                ProtobufUtil.toMutation(
                    MutationType.INCREMENT, new Increment(bytes("a")).addColumn(F, Q, 1)))
            .setNonceGroup(7)
            .setNonce(11)
            .build();
    for (int i = 0; i < 3; i++) {
      assertThat(call(request, "a")).isTrue();
    }
    assertThat(Bytes.toLong(get("a"))).isEqualTo(1);
  }

  @Test
  void otherServicesAndCoprocessorsAreRefusedByName() {
    CoprocessorRpcChannel channel = table.coprocessorService(bytes("a"));
    assertThatThrownBy(
            () ->
                org.apache.hadoop.hbase.protobuf.generated.AccessControlProtos.AccessControlService
                    .newBlockingStub(channel)
                    .getUserPermissions(
                        null,
                        org.apache.hadoop.hbase.protobuf.generated.AccessControlProtos
                            .GetUserPermissionsRequest.getDefaultInstance()))
        .isInstanceOf(ServiceException.class)
        .hasCauseInstanceOf(UnknownProtocolException.class)
        .rootCause()
        .hasMessageContaining("No registered coprocessor service found for AccessControlService");
    TableDescriptorBuilder other =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("other"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
    assertThatThrownBy(
            () ->
                admin.createTable(
                    other.setCoprocessor("org.apache.hadoop.hbase.coprocessor.Export").build()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("org.apache.hadoop.hbase.coprocessor.Export");
  }

  private static Put put(String row, String value) {
    return new Put(bytes(row)).addColumn(F, Q, bytes(value));
  }

  private static Condition condition(String row, CompareOperator operator, String value)
      throws IOException {
    return ProtobufUtil.toCondition(bytes(row), F, Q, operator, bytes(value), TimeRange.allTime());
  }

  private boolean mutate(List<Condition> conditions, Mutation... mutations) throws Exception {
    MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder().addAllCondition(conditions);
    for (Mutation mutation : mutations) {
      request.addMutationRequest(ProtobufUtil.toMutation(type(mutation), mutation));
    }
    return call(request.build(), "a");
  }

  private static MutationType type(Mutation mutation) {
    if (mutation instanceof Delete) {
      return MutationType.DELETE;
    }
    return mutation instanceof Increment ? MutationType.INCREMENT : MutationType.PUT;
  }

  private boolean call(MutateRowsRequest request, String row) throws IOException {
    MultiRowMutationService.BlockingInterface service =
        MultiRowMutationService.newBlockingStub(table.coprocessorService(bytes(row)));
    try {
      return service.mutateRows(null, request).getProcessed();
    } catch (ServiceException e) {
      throw (IOException) e.getCause();
    }
  }

  private byte[] get(String row) throws IOException {
    Result result = table.get(new Get(bytes(row)));
    return result.getValue(F, Q);
  }

  private List<String> values(String... rows) throws IOException {
    List<String> values = new ArrayList<>();
    for (String row : rows) {
      byte[] value = get(row);
      values.add(value == null ? null : Bytes.toString(value));
    }
    return values;
  }
}
