package dev.cairn.server.master.ddl;

import dev.cairn.server.master.procedure.Procedure;
import dev.cairn.server.master.procedure.ProcedureRecord;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CloneSnapshotStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.CreateTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DeleteTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.DisableTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.EnableTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.FlushTableProcedureStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.MergeTableRegionsStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.ModifyTableStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.RestoreSnapshotStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotProcedureStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitTableRegionStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.TruncateRegionStateData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.TruncateTableStateData;

/** Creates procedures from their records in the store. Called by the loop's owner. */
public final class ProcedureFactory {
  private ProcedureFactory() {}

  /** Returns the procedure that {@code record} describes, whatever its step. */
  public static Procedure restore(ProcedureContext context, ProcedureRecord record) {
    return switch (record.kind()) {
      case CREATE_TABLE -> new CreateTableProcedure(context, (CreateTableStateData) record.data());
      case DELETE_TABLE -> new DeleteTableProcedure(context, (DeleteTableStateData) record.data());
      case TRUNCATE_TABLE ->
          new TruncateTableProcedure(context, (TruncateTableStateData) record.data());
      case MODIFY_TABLE -> new ModifyTableProcedure(context, (ModifyTableStateData) record.data());
      case MODIFY_STORE_FILE_TRACKER ->
          new ModifyStoreFileTrackerProcedure(context, (ModifyTableStateData) record.data());
      case ENABLE_TABLE -> TableStateProcedure.of(context, (EnableTableStateData) record.data());
      case DISABLE_TABLE -> TableStateProcedure.of(context, (DisableTableStateData) record.data());
      case SPLIT_REGION ->
          new SplitRegionProcedure(context, (SplitTableRegionStateData) record.data());
      case MERGE_REGIONS ->
          new MergeRegionsProcedure(context, (MergeTableRegionsStateData) record.data());
      case TRUNCATE_REGION ->
          new TruncateRegionProcedure(context, (TruncateRegionStateData) record.data());
      case FLUSH_TABLE ->
          new FlushTableProcedure(context, (FlushTableProcedureStateData) record.data());
      case SNAPSHOT -> new SnapshotProcedure(context, (SnapshotProcedureStateData) record.data());
      case CLONE_SNAPSHOT ->
          new CloneSnapshotProcedure(context, (CloneSnapshotStateData) record.data());
      case RESTORE_SNAPSHOT ->
          new RestoreSnapshotProcedure(context, (RestoreSnapshotStateData) record.data());
      case CREATE_NAMESPACE, MODIFY_NAMESPACE, DELETE_NAMESPACE ->
          NamespaceProcedure.restore(context, record.kind(), record.data());
    };
  }
}
