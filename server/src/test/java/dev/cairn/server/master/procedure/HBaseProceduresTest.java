package dev.cairn.server.master.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.store.MasterStore;
import dev.cairn.server.master.store.MasterStore.Section;
import dev.cairn.server.master.table.TableResource;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DeleteNamespaceStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DisableTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitTableRegionStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.ProcedureState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.StateMachineProcedureData;
import org.apache.hbase.thirdparty.com.google.protobuf.Any;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.Test;

/** Tests the treatment of procedures that HBase's master left in the store. */
class HBaseProceduresTest {
  private static final String PACKAGE = "org.apache.hadoop.hbase.master.";
  private static final TableName TABLE = SimulatedCluster.TABLE;
  private static final ServerName SERVER = new ServerName("one", 16020, 1);

  private final SimulatedCluster cluster = new SimulatedCluster();

  @Test
  void aTableHalfMadeIsMadeWhole() throws IOException {
    RegionInfo region = new RegionInfo(TABLE, Bytes.EMPTY, Bytes.EMPTY, 5);
    store(
        7,
        "procedure.CreateTableProcedure",
        ProcedureState.RUNNABLE,
        CreateTableStateData.newBuilder()
            .setUserInfo(TableResource.user("somebody"))
            .setTableSchema(TableSchema.of(TABLE, FamilySchema.of("f")).message())
            .addRegionInfo(Messages.message(region))
            .build());
    startUp();
    assertThat(cluster.tableState()).hasValue(TableState.State.ENABLED);
    assertThat(cluster.openRegions()).containsExactly(region.encodedName());
    assertThat(cluster.store.of(Section.FOREIGN_PROCEDURE)).isEmpty();
  }

  @Test
  void aTableHalfDisabledIsDisabled() throws IOException {
    startUp();
    cluster.run(cluster.createTable("m"));
    cluster.killMaster();
    store(9, "procedure.DisableTableProcedure", ProcedureState.WAITING, disable());
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.tableState()).hasValue(TableState.State.DISABLED);
    assertThat(cluster.openRegions()).isEmpty();
  }

  /** Its first step would have found out that the namespace has tables. */
  @Test
  void whatHBaseHadNotCheckedYetIsNotDone() throws IOException {
    startUp();
    cluster.run(cluster.createTable("m"));
    cluster.killMaster();
    Message delete =
        DeleteNamespaceStateData.newBuilder()
            .setNamespaceName(TABLE.namespace())
            .setNamespaceDescriptor(
                NamespaceDescriptor.newBuilder()
                    .setName(Messages.wrap(Bytes.utf8(TABLE.namespace()))))
            .build();
    store(8, "procedure.DeleteNamespaceProcedure", ProcedureState.RUNNABLE, delete, List.of());
    store(9, "procedure.DeleteNamespaceProcedure", ProcedureState.RUNNABLE, delete, List.of(1));
    store(10, "procedure.DisableTableProcedure", ProcedureState.RUNNABLE, disable(), List.of(1));
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.hasFiles()).isTrue();
    assertThat(cluster.tableState()).hasValue(TableState.State.ENABLED);
    assertThat(cluster.openRegions()).hasSize(2);
    assertThat(cluster.store.of(Section.FOREIGN_PROCEDURE)).isEmpty();
  }

  @Test
  void aTableOfWhichHBaseMadeTheFirstRegionIsMadeWhole() throws IOException {
    RegionInfo first = new RegionInfo(TABLE, Bytes.EMPTY, Bytes.utf8("m"), 5);
    RegionInfo second = new RegionInfo(TABLE, Bytes.utf8("m"), Bytes.EMPTY, 5);
    TableSchema schema = TableSchema.of(TABLE, FamilySchema.of("f"));
    new TableFiles(cluster.storage).create(schema, List.of(first));
    store(
        7,
        "procedure.CreateTableProcedure",
        ProcedureState.RUNNABLE,
        CreateTableStateData.newBuilder()
            .setUserInfo(TableResource.user("somebody"))
            .setTableSchema(schema.message())
            .addRegionInfo(Messages.message(first))
            .addRegionInfo(Messages.message(second))
            .build());
    startUp();
    assertThat(cluster.tableState()).hasValue(TableState.State.ENABLED);
    assertThat(cluster.openRegions())
        .containsExactlyInAnyOrder(first.encodedName(), second.encodedName());
  }

  @Test
  void aSplitThatTheCatalogDoesNotHaveIsUndone() throws IOException {
    startUp();
    cluster.run(cluster.createTable());
    String parent = cluster.openRegions().iterator().next();
    RegionInfo daughter = new RegionInfo(TABLE, Bytes.EMPTY, Bytes.utf8("m"), Long.MAX_VALUE / 2);
    String home = "data/default/" + TABLE.qualifier() + "/" + daughter.encodedName();
    cluster.storage.createDirectories(home + "/a");
    cluster.killMaster();
    store(
        3,
        "assignment.SplitTableRegionProcedure",
        ProcedureState.RUNNABLE,
        SplitTableRegionStateData.newBuilder()
            .setUserInfo(TableResource.user("somebody"))
            .setParentRegionInfo(Messages.message(daughter))
            .addChildRegionInfo(Messages.message(daughter))
            .build());
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
    assertThat(cluster.storage.exists(home)).isFalse();
    assertThat(cluster.openRegions()).containsExactly(parent);
  }

  @Test
  void whatOnlyHBaseCanFinishIsRefusedByNameAndStays() throws IOException {
    store(4, "procedure.RestoreSnapshotProcedure", ProcedureState.RUNNABLE, disable());
    cluster.addServer(SERVER);
    cluster.startMaster();
    cluster.runUntil(() -> !cluster.aborts.isEmpty());
    assertThat(cluster.aborts)
        .singleElement()
        .asString()
        .contains("RestoreSnapshotProcedure 4", "Start Apache HBase on this folder");
    assertThat(cluster.store.of(Section.FOREIGN_PROCEDURE)).hasSize(1);
  }

  @Test
  void finishedOnesAndPartsOfOthersAreDropped() throws IOException {
    store(1, "procedure.RestoreSnapshotProcedure", ProcedureState.SUCCESS, disable());
    store(2, "procedure.RestoreSnapshotProcedure", ProcedureState.ROLLEDBACK, disable());
    cluster.store.of(Section.FOREIGN_PROCEDURE).put("3", new byte[0]);
    startUp();
    assertThat(cluster.store.of(Section.FOREIGN_PROCEDURE)).isEmpty();
    assertThat(cluster.aborts).isEmpty();
  }

  @Test
  void aDamagedOneIsNamed() {
    assertThatThrownBy(
            () -> HBaseProcedure.read(new MasterStore.Entry(Bytes.ofLong(12), new byte[] {1})))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("\\x0C");
  }

  @Test
  void theServersAndTheHomeOfMetaAreWrittenDownForHBase() throws IOException {
    startUp();
    assertThat(cluster.store.of(Section.SERVER)).containsOnlyKeys(SERVER.toString());
    assertThat(cluster.store.of(Section.META))
        .containsKeys("sn", "server", "serverstartcode", "state", "regioninfo");
    assertThat(Bytes.utf8(cluster.store.of(Section.META).get("sn"))).isEqualTo(SERVER.toString());
    ServerName next = new ServerName("two", 16020, 2);
    cluster.killServer(SERVER);
    cluster.addServer(next);
    cluster.runUntil(
        () -> cluster.store.of(Section.SERVER).keySet().equals(Set.of(next.toString())));
    cluster.runUntil(
        () -> Bytes.utf8(cluster.store.of(Section.META).get("sn")).equals(next.toString()));
  }

  private void startUp() throws IOException {
    cluster.addServer(SERVER);
    cluster.startUp();
    cluster.runUntil(cluster::isIdle);
  }

  @SuppressWarnings("deprecation") // A required field that nothing reads any more.
  private static Message disable() {
    return DisableTableStateData.newBuilder()
        .setUserInfo(TableResource.user("somebody"))
        .setTableName(Messages.message(TABLE))
        .setSkipTableStateCheck(false)
        .build();
  }

  /** Stores one that has done its first step. */
  private void store(long id, String kind, ProcedureState state, Message data) {
    store(id, kind, state, data, List.of(1, 2));
  }

  private void store(
      long id, String kind, ProcedureState state, Message data, List<Integer> steps) {
    ProcedureProtos.Procedure procedure =
        ProcedureProtos.Procedure.newBuilder()
            .setClassName(PACKAGE + kind)
            .setProcId(id)
            .setSubmittedTime(1)
            .setLastUpdate(1)
            .setOwner("somebody")
            .setState(state)
            .addStateMessage(
                Any.pack(StateMachineProcedureData.newBuilder().addAllState(steps).build()))
            .addStateMessage(Any.pack(data))
            .build();
    cluster.store.of(Section.FOREIGN_PROCEDURE).put(Long.toString(id), procedure.toByteArray());
  }
}
