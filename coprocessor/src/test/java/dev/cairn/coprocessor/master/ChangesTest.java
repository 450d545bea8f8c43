package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.ServiceException;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.ColumnAggregationService;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumResponse;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Checks that what a coprocessor of the master changes is in force, and that it has a service. */
class ChangesTest {
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.coprocessor.master.classes", ChangingObserver.class.getName())
            .setting("hbase.client.retries.number", "2")
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  private static TableName create(String name) throws IOException {
    TableName table = TableName.valueOf(name);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build());
    return table;
  }

  private static List<String> families(TableName table) throws IOException {
    return admin.getDescriptor(table).getColumnFamilyNames().stream().map(Bytes::toString).toList();
  }

  @Test
  void aDescriptorThatAHookReturnsIsCreated() throws IOException {
    assertThat(families(create("created"))).containsExactly("added", "f");
  }

  @Test
  void aDescriptorThatAHookReturnsReplacesThePresentOne() throws IOException {
    TableName table = create("changed");
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table)).setValue("a", "b").build());
    assertThat(admin.getDescriptor(table).getValue("families before")).isEqualTo("2");
    assertThat(admin.getDescriptor(table).getValue("a")).isEqualTo("b");
    admin.addColumnFamily(table, ColumnFamilyDescriptorBuilder.of("g"));
    assertThat(families(table)).containsExactly("added", "f", "g");
    admin.deleteColumnFamily(table, Bytes.toBytes("g"));
    assertThat(families(table)).containsExactly("added", "f");
    assertThat(admin.getDescriptor(table).getValue("families before")).isEqualTo("3");
  }

  @Test
  void aTrackerThatAHookReturnsIsSet() throws IOException {
    TableName table = create("tracked");
    admin.modifyTableStoreFileTracker(table, "DEFAULT");
    assertThat(admin.getDescriptor(table).getValue("hbase.store.file-tracker.impl"))
        .isEqualTo("FILE");
  }

  @Test
  void listsHaveWhatHooksLeave() throws IOException {
    TableName hidden = create("hidden");
    TableName shown = create("shown");
    assertThat(Arrays.asList(admin.listTableNames())).contains(shown).doesNotContain(hidden);
    assertThat(admin.listTableDescriptors())
        .anyMatch(table -> table.getTableName().equals(shown))
        .noneMatch(table -> table.getTableName().equals(hidden));
    assertThat(admin.listTableDescriptors(List.of(hidden))).isEmpty();
    assertThat(admin.listTableDescriptorsByNamespace(Bytes.toBytes("default")))
        .noneMatch(table -> table.getTableName().equals(hidden));
    assertThat(admin.tableExists(hidden)).isTrue();
    admin.snapshot("shown", shown);
    admin.snapshot("hidden", shown);
    assertThat(admin.listSnapshots())
        .extracting(SnapshotDescription::getName)
        .containsExactly("shown");
    admin.deleteSnapshot("hidden");
  }

  @Test
  void namespacesHaveWhatHooksLeave() throws IOException {
    admin.createNamespace(NamespaceDescriptor.create("n").build());
    assertThat(admin.getNamespaceDescriptor("n").getConfigurationValue("made")).isEqualTo("here");
    assertThat(admin.listNamespaces()).contains("n").doesNotContain("hbase");
    assertThat(admin.listNamespaceDescriptors())
        .extracting(NamespaceDescriptor::getName)
        .contains("n")
        .doesNotContain("hbase");
  }

  @Test
  void aMistakeOfAHookFailsTheCallAndTheClassStays() throws IOException {
    assertThatThrownBy(() -> create("broken"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(ChangingObserver.class.getName())
        .hasMessageContaining("java.lang.IllegalStateException: a mistake");
    assertThatThrownBy(() -> create("bypassed"))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("UnsupportedOperationException");
    assertThat(admin.tableExists(TableName.valueOf("broken"))).isFalse();
    assertThat(families(create("unbroken"))).containsExactly("added", "f");
  }

  @Test
  void theClusterReportNamesTheCoprocessor() throws IOException {
    assertThat(admin.getClusterMetrics().getMasterCoprocessorNames())
        .containsExactly("ChangingObserver");
  }

  private static SumRequest request(String family) {
    return SumRequest.newBuilder().setFamily(ByteString.copyFromUtf8(family)).build();
  }

  private static SumResponse sum(String family) throws ServiceException {
    return ColumnAggregationService.newBlockingStub(admin.coprocessorService())
        .sum(null, request(family));
  }

  @Test
  void aClientCallsTheService() throws Exception {
    assertThat(sum("f").getSum()).isEqualTo(11);
    try (AsyncConnection client =
        ConnectionFactory.createAsyncConnection(connection.getConfiguration())
            .get(60, TimeUnit.SECONDS)) {
      assertThat(
              client
                  .getAdmin()
                  .<ColumnAggregationService.Stub, SumResponse>coprocessorService(
                      ColumnAggregationService::newStub,
                      (stub, controller, done) -> stub.sum(controller, request("f"), done))
                  .get(60, TimeUnit.SECONDS)
                  .getSum())
          .isEqualTo(11);
    }
  }

  @Test
  void theFailureOfTheServiceIsTheCalls() {
    assertThatThrownBy(() -> sum("refused"))
        .hasRootCauseInstanceOf(IOException.class)
        .hasStackTraceContaining(AccessDeniedException.class.getName())
        .hasStackTraceContaining("refused by the service");
    assertThatThrownBy(() -> sum("broken")).hasStackTraceContaining("broken");
  }

  @Test
  void otherServicesAreUnknown() {
    assertThatThrownBy(
            () ->
                org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos
                    .MultiRowMutationService.newBlockingStub(admin.coprocessorService())
                    .mutateRows(
                        null,
                        org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos
                            .MutateRowsRequest.getDefaultInstance()))
        .hasStackTraceContaining(
            "No registered Master Coprocessor Endpoint found for MultiRowMutationService");
  }
}
