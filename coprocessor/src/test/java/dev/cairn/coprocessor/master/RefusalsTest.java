package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks that a hook that fails before an operation refuses it, and that nothing has changed. */
class RefusalsTest {
  private static final TableName OPEN = TableName.valueOf("open");
  private static final TableName CLOSED = TableName.valueOf("closed");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] M = Bytes.toBytes("m");

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  /** An operation. */
  @FunctionalInterface
  private interface Operation {
    void run() throws IOException, InterruptedException, ExecutionException;
  }

  @BeforeAll
  static void start() throws IOException {
    MasterProbe.ACTS.clear();
    server =
        CairnServer.builder()
            .setting("hbase.coprocessor.master.classes", MasterProbe.class.getName())
            .setting("hbase.client.retries.number", "2")
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
    admin.createTable(table(OPEN), new byte[][] {M});
    admin.createTable(table(CLOSED), new byte[][] {M});
    for (TableName name : List.of(OPEN, CLOSED)) {
      try (Table table = connection.getTable(name)) {
        table.put(new Put(M).addColumn(F, F, F));
      }
    }
    admin.snapshot("kept", OPEN);
    admin.disableTable(CLOSED);
    admin.createNamespace(NamespaceDescriptor.create("kept").build());
  }

  @AfterAll
  static void stop() throws IOException {
    MasterProbe.ACTS.clear();
    admin.close();
    connection.close();
    server.close();
  }

  @AfterEach
  void allow() {
    MasterProbe.ACTS.clear();
  }

  private static TableDescriptor table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .build();
  }

  private static RegionInfo first() throws IOException {
    return admin.getRegions(OPEN).stream()
        .filter(region -> region.getStartKey().length == 0)
        .findFirst()
        .orElseThrow();
  }

  private static byte[][] both() throws IOException {
    return admin.getRegions(OPEN).stream()
        .map(RegionInfo::getEncodedNameAsBytes)
        .toArray(byte[][]::new);
  }

  private static Arguments of(Operation operation, String... hooks) {
    return Arguments.of(Named.of(hooks[0], operation), hooks);
  }

  static Stream<Arguments> operations() {
    TableDescriptor changed =
        TableDescriptorBuilder.newBuilder(table(OPEN)).setValue("a", "b").build();
    return Stream.of(
        of(
            () -> admin.createTable(table(TableName.valueOf("new"))),
            "preCreateTable",
            "preCreateTableRegionsInfos",
            "preCreateTableAction"),
        of(() -> admin.modifyTable(changed), "preModifyTable", "preModifyTableAction"),
        of(
            () -> admin.addColumnFamily(OPEN, ColumnFamilyDescriptorBuilder.of("g")),
            "preModifyTable",
            "preModifyTableAction"),
        of(() -> admin.deleteTable(CLOSED), "preDeleteTable", "preDeleteTableAction"),
        of(() -> admin.truncateTable(CLOSED, true), "preTruncateTable", "preTruncateTableAction"),
        of(() -> admin.enableTable(CLOSED), "preEnableTable", "preEnableTableAction"),
        of(() -> admin.disableTable(OPEN), "preDisableTable", "preDisableTableAction"),
        of(
            () ->
                admin.move(
                    first().getEncodedNameAsBytes(),
                    org.apache.hadoop.hbase.ServerName.valueOf("elsewhere", 1, 1)),
            "preMove"),
        of(() -> admin.unassign(first().getRegionName()), "preUnassign"),
        of(
            () -> admin.splitRegionAsync(first().getRegionName(), Bytes.toBytes("c")).get(),
            "preSplitRegion",
            "preSplitRegionAction",
            "preSplitRegionBeforeMETAAction"),
        of(
            () -> admin.mergeRegionsAsync(both(), false).get(),
            "preMergeRegions",
            "preMergeRegionsAction",
            "preMergeRegionsCommitAction"),
        of(() -> admin.truncateRegion(first().getRegionName()), "preTruncateRegion"),
        of(() -> admin.snapshot("new", OPEN), "preSnapshot"),
        of(() -> admin.deleteSnapshot("kept"), "preDeleteSnapshot"),
        of(
            () -> admin.cloneSnapshot("kept", TableName.valueOf("new")),
            "preCloneSnapshot",
            "preCreateTableAction"),
        of(
            () -> admin.createNamespace(NamespaceDescriptor.create("new").build()),
            "preCreateNamespace"),
        of(() -> admin.deleteNamespace("kept"), "preDeleteNamespace"),
        of(() -> admin.balancerSwitch(false, true), "preBalanceSwitch"),
        of(() -> admin.splitSwitch(false, true), "preSetSplitOrMergeEnabled"));
  }

  private static Map<String, Object> state() throws IOException {
    Map<String, Object> state = new TreeMap<>();
    for (TableDescriptor table : admin.listTableDescriptors()) {
      TableName name = table.getTableName();
      state.put("table " + name, table);
      state.put("regions of " + name, List.copyOf(admin.getRegions(name)));
      state.put("state of " + name, admin.isTableEnabled(name));
    }
    state.put("snapshots", admin.listSnapshots().stream().map(one -> one.getName()).toList());
    state.put("namespaces", List.of(admin.listNamespaces()));
    state.put("switches", List.of(admin.isBalancerEnabled(), admin.isSplitEnabled()));
    return state;
  }

  @ParameterizedTest
  @MethodSource("operations")
  void nothingChanges(Operation operation, String[] hooks) throws Exception {
    Map<String, Object> before = state();
    for (String hook : hooks) {
      MasterProbe.ACTS.clear();
      MasterProbe.ACTS.put(
          hook,
          arguments -> {
            throw new AccessDeniedException(hook + " says no");
          });
      assertThatThrownBy(operation::run)
          .as(hook)
          .hasStackTraceContaining(AccessDeniedException.class.getName())
          .hasStackTraceContaining(hook + " says no");
      MasterProbe.ACTS.clear();
      assertThat(state()).as(hook).isEqualTo(before);
      try (Table table = connection.getTable(OPEN)) {
        assertThat(table.exists(new Get(M))).as(hook).isTrue();
      }
    }
  }

  @Test
  void anOperationThatIsUndoneCallsItsHooks() {
    MasterProbe.CALLS.clear();
    MasterProbe.ACTS.put(
        "preCreateTableAction",
        arguments -> {
          throw new AccessDeniedException("no");
        });
    assertThatThrownBy(() -> admin.createTable(table(TableName.valueOf("undone"))))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining("no");
    assertThat(MasterProbe.CALLS).contains("postDeleteTable(undone)");
    MasterProbe.ACTS.clear();
    MasterProbe.ACTS.put(
        "preSplitRegionBeforeMETAAction",
        arguments -> {
          throw new AccessDeniedException("no");
        });
    assertThatThrownBy(
            () -> admin.splitRegionAsync(first().getRegionName(), Bytes.toBytes("c")).get())
        .hasStackTraceContaining("no");
    assertThat(MasterProbe.CALLS).contains("postRollBackSplitRegionAction()");
  }

  /** The end of an operation waits for its hook, which is called until it succeeds. */
  @Test
  void aHookAfterAnOperationIsCalledAgainUntilItSucceeds() throws Exception {
    int[] failures = {2};
    MasterProbe.CALLS.clear();
    MasterProbe.ACTS.put(
        "postCompletedEnableTableAction",
        arguments -> {
          if (failures[0]-- > 0) {
            throw new IOException("not yet");
          }
        });
    TableName name = TableName.valueOf("again");
    admin.createTable(table(name));
    admin.disableTable(name);
    admin.enableTable(name);
    assertThat(MasterProbe.CALLS.stream().filter(call -> call.startsWith("postCompletedEnable")))
        .hasSize(3);
    admin.disableTable(name);
    admin.deleteTable(name);
  }
}
