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
  public static Procedure restore(ProcedureContext environment, ProcedureRecord record) {
    return switch (record.kind()) {
      case CREATE_TABLE ->
          new CreateTableProcedure(environment, (CreateTableStateData) record.data());
      case DELETE_TABLE ->
          new DeleteTableProcedure(environment, (DeleteTableStateData) record.data());
      case TRUNCATE_TABLE ->
          new TruncateTableProcedure(environment, (TruncateTableStateData) record.data());
      case MODIFY_TABLE ->
          new ModifyTableProcedure(environment, (ModifyTableStateData) record.data());
      case MODIFY_STORE_FILE_TRACKER ->
          new ModifyStoreFileTrackerProcedure(environment, (ModifyTableStateData) record.data());
      case ENABLE_TABLE ->
          TableStateProcedure.of(environment, (EnableTableStateData) record.data());
      case DISABLE_TABLE ->
          TableStateProcedure.of(environment, (DisableTableStateData) record.data());
      case SPLIT_REGION ->
          new SplitRegionProcedure(environment, (SplitTableRegionStateData) record.data());
      case MERGE_REGIONS ->
          new MergeRegionsProcedure(environment, (MergeTableRegionsStateData) record.data());
      case TRUNCATE_REGION ->
          new TruncateRegionProcedure(environment, (TruncateRegionStateData) record.data());
      case FLUSH_TABLE ->
          new FlushTableProcedure(environment, (FlushTableProcedureStateData) record.data());
      case SNAPSHOT ->
          new SnapshotProcedure(environment, (SnapshotProcedureStateData) record.data());
      case CLONE_SNAPSHOT ->
          new CloneSnapshotProcedure(environment, (CloneSnapshotStateData) record.data());
      case RESTORE_SNAPSHOT ->
          new RestoreSnapshotProcedure(environment, (RestoreSnapshotStateData) record.data());
      case CREATE_NAMESPACE, MODIFY_NAMESPACE, DELETE_NAMESPACE ->
          NamespaceProcedure.restore(environment, record.kind(), record.data());
    };
  }
}
