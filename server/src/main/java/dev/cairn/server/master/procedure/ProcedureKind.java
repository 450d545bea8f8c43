package dev.cairn.server.master.procedure;

import dev.cairn.server.rpc.service.ClientVersion;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** The kinds of procedures, under the class names and with the messages that HBase stores. */
public enum ProcedureKind {
  CREATE_TABLE(
      "CreateTableProcedure", MasterProcedureProtos.CreateTableStateData.getDefaultInstance()),
  DELETE_TABLE(
      "DeleteTableProcedure", MasterProcedureProtos.DeleteTableStateData.getDefaultInstance()),
  TRUNCATE_TABLE(
      "TruncateTableProcedure", MasterProcedureProtos.TruncateTableStateData.getDefaultInstance()),
  MODIFY_TABLE(
      "ModifyTableProcedure", MasterProcedureProtos.ModifyTableStateData.getDefaultInstance()),
  MODIFY_STORE_FILE_TRACKER(
      "org.apache.hadoop.hbase.regionserver.storefiletracker.",
      "ModifyTableStoreFileTrackerProcedure",
      MasterProcedureProtos.ModifyTableStateData.getDefaultInstance()),
  ENABLE_TABLE(
      "EnableTableProcedure", MasterProcedureProtos.EnableTableStateData.getDefaultInstance()),
  DISABLE_TABLE(
      "DisableTableProcedure", MasterProcedureProtos.DisableTableStateData.getDefaultInstance()),
  SPLIT_REGION(
      "org.apache.hadoop.hbase.master.assignment.",
      "SplitTableRegionProcedure",
      MasterProcedureProtos.SplitTableRegionStateData.getDefaultInstance()),
  MERGE_REGIONS(
      "org.apache.hadoop.hbase.master.assignment.",
      "MergeTableRegionsProcedure",
      MasterProcedureProtos.MergeTableRegionsStateData.getDefaultInstance()),
  TRUNCATE_REGION(
      "TruncateRegionProcedure",
      MasterProcedureProtos.TruncateRegionStateData.getDefaultInstance()),
  FLUSH_TABLE(
      "FlushTableProcedure",
      MasterProcedureProtos.FlushTableProcedureStateData.getDefaultInstance()),
  SNAPSHOT(
      "SnapshotProcedure", MasterProcedureProtos.SnapshotProcedureStateData.getDefaultInstance()),
  CLONE_SNAPSHOT(
      "CloneSnapshotProcedure", MasterProcedureProtos.CloneSnapshotStateData.getDefaultInstance()),
  RESTORE_SNAPSHOT(
      "RestoreSnapshotProcedure",
      MasterProcedureProtos.RestoreSnapshotStateData.getDefaultInstance()),
  CREATE_NAMESPACE(
      "CreateNamespaceProcedure",
      MasterProcedureProtos.CreateNamespaceStateData.getDefaultInstance()),
  MODIFY_NAMESPACE(
      "ModifyNamespaceProcedure",
      MasterProcedureProtos.ModifyNamespaceStateData.getDefaultInstance()),
  DELETE_NAMESPACE(
      "DeleteNamespaceProcedure",
      MasterProcedureProtos.DeleteNamespaceStateData.getDefaultInstance());

  private final String className;
  private final Message prototype;

  ProcedureKind(String className, Message prototype) {
    this("org.apache.hadoop.hbase.master.procedure.", className, prototype);
  }

  ProcedureKind(String packageName, String className, Message prototype) {
    this.className = packageName + className;
    this.prototype = prototype;
  }

  /** Tells whether the table's directory may be missing or incomplete during the procedure. */
  public boolean replacesFiles() {
    return switch (this) {
      case CREATE_TABLE, DELETE_TABLE, TRUNCATE_TABLE, CLONE_SNAPSHOT, RESTORE_SNAPSHOT -> true;
      default -> false;
    };
  }

  /** Tells whether clients of a version know the message of {@link #prototype}. */
  boolean isKnownTo(ClientVersion client) {
    return switch (this) {
      case FLUSH_TABLE, TRUNCATE_REGION, SNAPSHOT -> client.isAtLeast(2, 6);
      default -> true;
    };
  }

  /** Returns the name under which HBase's tools know the kind. */
  String className() {
    return className;
  }

  /** Returns {@link #className} without its package. */
  public String simpleName() {
    return className.substring(className.lastIndexOf('.') + 1);
  }

  /** Returns the default instance of the message with a procedure's data. */
  Message prototype() {
    return prototype;
  }

  /** Returns the kind that {@link #className} names. */
  static Optional<ProcedureKind> of(String className) {
    return Arrays.stream(values()).filter(kind -> kind.className.equals(className)).findFirst();
  }
}
