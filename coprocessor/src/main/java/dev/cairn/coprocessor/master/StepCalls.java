package dev.cairn.coprocessor.master;

import dev.cairn.coprocessor.convert.MasterValues;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.master.hook.MasterHooks.Moment;
import dev.cairn.server.master.hook.MasterHooks.StepHook;
import dev.cairn.server.master.hook.MasterView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CloneSnapshotStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DeleteTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DisableTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.EnableTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.MergeTableRegionsStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotProcedureStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitTableRegionStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.TruncateRegionStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.TruncateTableStateData;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The hooks at moments of procedures. Filled by one thread, then not changed. Thread-safe after
 * that.
 */
final class StepCalls {
  private final MasterCoprocessorHost host;
  private final MasterView view;
  private final Map<String, Entry> entries = new HashMap<>();

  private record Entry(Set<String> hooks, StepHook call) {}

  /** Calls a hook with the data of its procedure. */
  @FunctionalInterface
  private interface Call<D extends Message> {
    void call(D data, User user) throws IOException;
  }

  StepCalls(MasterCoprocessorHost host, MasterView view) {
    this.host = host;
    this.view = view;
    registerTables();
    registerChanges();
    registerSplits();
    registerMerges();
  }

  /** Returns the hooks of a moment, if one of them is overridden. */
  Optional<StepHook> at(String procedure, Moment moment, String step, Set<String> overridden) {
    Entry entry = entries.get(key(procedure, moment, step));
    return entry == null || Collections.disjoint(entry.hooks(), overridden)
        ? Optional.empty()
        : Optional.of(entry.call());
  }

  /** Returns the names of all hooks that are called at moments of procedures. */
  Set<String> hooks() {
    Set<String> hooks = new HashSet<>();
    entries.values().forEach(entry -> hooks.addAll(entry.hooks()));
    return hooks;
  }

  private static String key(String procedure, Moment moment, String step) {
    return procedure + " " + moment + (moment == Moment.AFTER_STEP ? " " + step : "");
  }

  private <D extends Message> void on(
      String procedure, Moment moment, Class<D> data, String hook, Call<D> call) {
    on(procedure, moment, "", data, hook, call);
  }

  private <D extends Message> void on(
      String procedure, Moment moment, String step, Class<D> data, String hook, Call<D> call) {
    entries.put(
        key(procedure, moment, step),
        new Entry(Set.of(hook), (message, user) -> call.call(data.cast(message), user(user))));
  }

  private static User user(String name) {
    return name.isEmpty() ? null : User.create(UserGroupInformation.createRemoteUser(name));
  }

  private static TableDescriptor table(HBaseProtos.TableSchema schema) {
    return ProtobufUtil.toTableDescriptor(schema);
  }

  private void registerTables() {
    on(
        "CreateTableProcedure",
        Moment.BEGIN,
        CreateTableStateData.class,
        "preCreateTableAction",
        (d, user) ->
            host.preCreateTableAction(
                table(d.getTableSchema()), MasterValues.regions(d.getRegionInfoList()), user));
    on(
        "CreateTableProcedure",
        Moment.COMPLETED,
        CreateTableStateData.class,
        "postCompletedCreateTableAction",
        (d, user) ->
            host.postCompletedCreateTableAction(
                table(d.getTableSchema()), MasterValues.regions(d.getRegionInfoList()), user));
    on(
        "CreateTableProcedure",
        Moment.UNDONE,
        CreateTableStateData.class,
        "postDeleteTable",
        (d, user) ->
            host.postDeleteTable(ProtobufUtil.toTableName(d.getTableSchema().getTableName())));
    on(
        "CloneSnapshotProcedure",
        Moment.BEGIN,
        CloneSnapshotStateData.class,
        "preCreateTableAction",
        (d, user) -> host.preCreateTableAction(table(d.getTableSchema()), null, user));
    on(
        "CloneSnapshotProcedure",
        Moment.COMPLETED,
        CloneSnapshotStateData.class,
        "postCompletedCreateTableAction",
        (d, user) ->
            host.postCompletedCreateTableAction(
                table(d.getTableSchema()), MasterValues.regions(d.getRegionInfoList()), user));
    on(
        "DeleteTableProcedure",
        Moment.BEGIN,
        DeleteTableStateData.class,
        "preDeleteTableAction",
        (d, user) -> host.preDeleteTableAction(ProtobufUtil.toTableName(d.getTableName()), user));
    on(
        "DeleteTableProcedure",
        Moment.COMPLETED,
        DeleteTableStateData.class,
        "postCompletedDeleteTableAction",
        (d, user) ->
            host.postCompletedDeleteTableAction(ProtobufUtil.toTableName(d.getTableName()), user));
    on(
        "TruncateTableProcedure",
        Moment.BEGIN,
        TruncateTableStateData.class,
        "preTruncateTableAction",
        (d, user) -> host.preTruncateTableAction(ProtobufUtil.toTableName(d.getTableName()), user));
    on(
        "TruncateTableProcedure",
        Moment.COMPLETED,
        TruncateTableStateData.class,
        "postCompletedTruncateTableAction",
        (d, user) ->
            host.postCompletedTruncateTableAction(
                ProtobufUtil.toTableName(d.getTableName()), user));
  }

  private void registerChanges() {
    on(
        "EnableTableProcedure",
        Moment.BEGIN,
        EnableTableStateData.class,
        "preEnableTableAction",
        (d, user) -> host.preEnableTableAction(ProtobufUtil.toTableName(d.getTableName()), user));
    on(
        "EnableTableProcedure",
        Moment.COMPLETED,
        EnableTableStateData.class,
        "postCompletedEnableTableAction",
        (d, user) ->
            host.postCompletedEnableTableAction(ProtobufUtil.toTableName(d.getTableName()), user));
    on(
        "DisableTableProcedure",
        Moment.BEGIN,
        DisableTableStateData.class,
        "preDisableTableAction",
        (d, user) -> host.preDisableTableAction(ProtobufUtil.toTableName(d.getTableName()), user));
    on(
        "DisableTableProcedure",
        Moment.COMPLETED,
        DisableTableStateData.class,
        "postCompletedDisableTableAction",
        (d, user) ->
            host.postCompletedDisableTableAction(ProtobufUtil.toTableName(d.getTableName()), user));
    on(
        "ModifyTableProcedure",
        Moment.BEGIN,
        ModifyTableStateData.class,
        "preModifyTableAction",
        this::beginChange);
    on(
        "ModifyTableProcedure",
        Moment.AFTER_STEP,
        "MODIFY_TABLE_UPDATE_TABLE_DESCRIPTOR",
        ModifyTableStateData.class,
        "postCompletedModifyTableAction",
        this::endChange);
    on(
        "ModifyTableStoreFileTrackerProcedure",
        Moment.BEGIN,
        ModifyTableStateData.class,
        "preModifyTableAction",
        this::beginChange);
    on(
        "ModifyTableStoreFileTrackerProcedure",
        Moment.COMPLETED,
        ModifyTableStateData.class,
        "postCompletedModifyTableAction",
        this::endChange);
    on(
        "SnapshotProcedure",
        Moment.COMPLETED,
        SnapshotProcedureStateData.class,
        "postCompletedSnapshotAction",
        this::completeSnapshot);
    on(
        "TruncateRegionProcedure",
        Moment.AFTER_STEP,
        "TRUNCATE_REGION_PRE_OPERATION",
        TruncateRegionStateData.class,
        "preTruncateRegionAction",
        (d, user) ->
            host.preTruncateRegionAction(ProtobufUtil.toRegionInfo(d.getRegionInfo()), user));
    on(
        "TruncateRegionProcedure",
        Moment.COMPLETED,
        TruncateRegionStateData.class,
        "postTruncateRegionAction",
        (d, user) ->
            host.postTruncateRegionAction(ProtobufUtil.toRegionInfo(d.getRegionInfo()), user));
  }

  private void beginChange(ModifyTableStateData data, User user) throws IOException {
    host.preModifyTableAction(
        ProtobufUtil.toTableName(data.getModifiedTableSchema().getTableName()),
        table(data.getUnmodifiedTableSchema()),
        table(data.getModifiedTableSchema()),
        user);
  }

  private void endChange(ModifyTableStateData data, User user) throws IOException {
    host.postCompletedModifyTableAction(
        ProtobufUtil.toTableName(data.getModifiedTableSchema().getTableName()),
        table(data.getUnmodifiedTableSchema()),
        table(data.getModifiedTableSchema()),
        user);
  }

  private void completeSnapshot(SnapshotProcedureStateData data, User user) throws IOException {
    Optional<TableSchema> schema =
        view.table(dev.cairn.engine.schema.TableName.parse(data.getSnapshot().getTable()));
    host.postCompletedSnapshotAction(
        ProtobufUtil.createSnapshotDesc(data.getSnapshot()),
        schema.map(MasterValues::table).orElse(null));
  }

  private void registerSplits() {
    String split = "SplitTableRegionProcedure";
    on(
        split,
        Moment.AFTER_STEP,
        "SPLIT_TABLE_REGION_PREPARE",
        SplitTableRegionStateData.class,
        "preSplitRegionAction",
        (d, user) ->
            host.preSplitRegionAction(
                ProtobufUtil.toTableName(d.getParentRegionInfo().getTableName()), row(d), user));
    on(
        split,
        Moment.AFTER_STEP,
        "SPLIT_TABLE_REGION_CREATE_DAUGHTER_REGIONS",
        SplitTableRegionStateData.class,
        "preSplitRegionBeforeMETAAction",
        // As in HBase, the mutations that hooks add to the list are not written.
        (d, user) -> host.preSplitBeforeMETAAction(row(d), new ArrayList<>(), user));
    on(
        split,
        Moment.AFTER_STEP,
        "SPLIT_TABLE_REGION_UPDATE_META",
        SplitTableRegionStateData.class,
        "preSplitRegionAfterMETAAction",
        (d, user) -> host.preSplitAfterMETAAction(user));
    on(
        split,
        Moment.COMPLETED,
        SplitTableRegionStateData.class,
        "postCompletedSplitRegionAction",
        (d, user) ->
            host.postCompletedSplitRegionAction(
                ProtobufUtil.toRegionInfo(d.getChildRegionInfo(0)),
                ProtobufUtil.toRegionInfo(d.getChildRegionInfo(1)),
                user));
    on(
        split,
        Moment.UNDONE,
        SplitTableRegionStateData.class,
        "postRollBackSplitRegionAction",
        (d, user) -> host.postRollBackSplitRegionAction(user));
  }

  private static byte[] row(SplitTableRegionStateData split) {
    return split.getChildRegionInfo(1).getStartKey().toByteArray();
  }

  private void registerMerges() {
    String merge = "MergeTableRegionsProcedure";
    on(
        merge,
        Moment.BEGIN,
        MergeTableRegionsStateData.class,
        "preMergeRegionsAction",
        (d, user) -> host.preMergeRegionsAction(parents(d), user));
    on(
        merge,
        Moment.AFTER_STEP,
        "MERGE_TABLE_REGIONS_CREATE_MERGED_REGION",
        MergeTableRegionsStateData.class,
        "preMergeRegionsCommitAction",
        // As in HBase, the mutations that hooks add to the list are not written.
        (d, user) -> host.preMergeRegionsCommit(parents(d), new ArrayList<>(), user));
    on(
        merge,
        Moment.AFTER_STEP,
        "MERGE_TABLE_REGIONS_UPDATE_META",
        MergeTableRegionsStateData.class,
        "postMergeRegionsCommitAction",
        (d, user) -> host.postMergeRegionsCommit(parents(d), merged(d), user));
    on(
        merge,
        Moment.COMPLETED,
        MergeTableRegionsStateData.class,
        "postCompletedMergeRegionsAction",
        (d, user) -> host.postCompletedMergeRegionsAction(parents(d), merged(d), user));
    on(
        merge,
        Moment.UNDONE,
        MergeTableRegionsStateData.class,
        "postRollBackMergeRegionsAction",
        (d, user) -> host.postRollBackMergeRegionsAction(parents(d), user));
  }

  private static RegionInfo[] parents(MergeTableRegionsStateData merge) {
    return MasterValues.regions(merge.getRegionInfoList());
  }

  private static RegionInfo merged(MergeTableRegionsStateData merge) {
    return ProtobufUtil.toRegionInfo(merge.getMergedRegionInfo());
  }
}
