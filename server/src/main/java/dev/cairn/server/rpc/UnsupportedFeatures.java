package dev.cairn.server.rpc;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The methods of HBase's protocol that this server refuses. Each has the name of its feature, and
 * the commands of HBase's shell or the tools that call it. A test checks that each method of a
 * service is either registered or listed here.
 */
final class UnsupportedFeatures {
  private static final Map<String, Feature> BY_METHOD = new HashMap<>();

  static {
    Feature.of("Snapshots are")
        .on("MasterService.Snapshot", "snapshot")
        .on("MasterService.DeleteSnapshot", "delete_snapshot")
        .on("MasterService.IsSnapshotDone", "snapshot")
        .on("MasterService.RestoreSnapshot", "restore_snapshot, clone_snapshot");
    Feature.of("Replication is")
        .on("MasterService.AddReplicationPeer", "add_peer")
        .on("MasterService.RemoveReplicationPeer", "remove_peer")
        .on("MasterService.EnableReplicationPeer", "enable_peer")
        .on("MasterService.DisableReplicationPeer", "disable_peer")
        .on("MasterService.GetReplicationPeerConfig", "get_peer_config")
        .on("MasterService.UpdateReplicationPeerConfig", "update_peer_config")
        .on("MasterService.IsReplicationPeerEnabled", "list_peers")
        .on("MasterService.ReplicationPeerModificationSwitch", "peer_modification_switch")
        .on(
            "MasterService.GetReplicationPeerModificationProcedures",
            "peer_modification_switch with DRAIN_PROCEDURES")
        .on("MasterService.IsReplicationPeerModificationEnabled", "peer_modification_enabled")
        .on("AdminService.ReplicateWALEntry", "")
        .on("AdminService.Replay", "")
        .on("AdminService.ReplayToReplica", "");
    Feature.of("Access control is")
        .on("MasterService.Grant", "grant")
        .on("MasterService.Revoke", "revoke")
        .on("MasterService.GetUserPermissions", "user_permission")
        .on("MasterService.HasUserPermissions", "");
    Feature.of("Decommissioning of region servers is")
        .on("MasterService.DecommissionRegionServers", "decommission_regionservers")
        .on("MasterService.RecommissionRegionServer", "recommission_regionserver");
    Feature.of("Changing the store file tracker is")
        .on("MasterService.ModifyTableStoreFileTracker", "change_sft")
        .on("MasterService.ModifyColumnStoreFileTracker", "change_sft");
    Feature.of("Bulk load is")
        .on("ClientService.PrepareBulkLoad", "completebulkload")
        .on("ClientService.BulkLoadHFile", "completebulkload")
        .on("ClientService.CleanupBulkLoad", "completebulkload");
    Feature.of("The record of balancer decisions is")
        .on("MasterService.GetLogEntries", "get_balancer_decisions, get_balancer_rejections");
    Feature.of("The record of slow and large calls is")
        .on("AdminService.GetLogEntries", "get_slowlog_responses, get_largelog_responses")
        .on("AdminService.GetSlowLogResponses", "get_slowlog_responses")
        .on("AdminService.GetLargeLogResponses", "get_largelog_responses")
        .on("AdminService.ClearSlowLogsResponses", "clear_slowlog_responses");
    Feature.of("Changing settings while the server runs is")
        .on(
            "AdminService.UpdateConfiguration",
            "update_config, update_all_config, update_rsgroup_config");
    Feature.of("Clearing the block cache is")
        .on("AdminService.ClearRegionBlockCache", "clear_block_cache");
    Feature.of("Clearing the compaction queues is")
        .on("AdminService.ClearCompactionQueues", "clear_compaction_queues");
    Feature.of("Flushing the master's store on request is")
        .on("MasterService.FlushMasterStore", "flush_master_store");
    Feature.of("Taking a single region offline is").on("MasterService.OfflineRegion", "");
    Feature.of("Procedures of coprocessors are").on("MasterService.ExecProcedureWithRet", "");
    Feature.of("Favored nodes are").on("AdminService.UpdateFavoredNodes", "");
    Feature.of("Listing a region's store files is").on("AdminService.GetStoreFile", "");
    Feature.of("Listing cached files is").on("AdminService.GetCachedFilesList", "");
    Feature.of("Warming up a region is").on("AdminService.WarmupRegion", "");
    Feature.of("Limits on space are")
        .on("RegionServerStatusService.ReportRegionSpaceUse", "")
        .on("RegionServerStatusService.ReportFileArchival", "");
    Feature.of("Procedures on other servers are")
        .on("RegionServerStatusService.ReportProcedureDone", "");
  }

  /** The feature of a method: a subject with its verb, and commands separated by commas. */
  private record Feature(String subject, String commands) {
    static Feature of(String subject) {
      return new Feature(subject, "");
    }

    Feature on(String method, String commands) {
      if (BY_METHOD.put(method, new Feature(subject, commands)) != null) {
        throw new IllegalStateException(method + " is listed twice");
      }
      return this;
    }
  }

  private UnsupportedFeatures() {}

  /** Returns the error message for a call, if the method is listed here. */
  static Optional<String> refusal(String service, String method) {
    String rpc = service + "." + method;
    return Optional.ofNullable(BY_METHOD.get(rpc))
        .map(
            feature ->
                feature.subject()
                    + " not supported yet ("
                    + (feature.commands().isEmpty() ? "" : "shell: " + feature.commands() + "; ")
                    + "RPC "
                    + rpc
                    + ")");
  }

  /** Returns all methods, as {@code Service.Method}. */
  static Set<String> methods() {
    return Set.copyOf(BY_METHOD.keySet());
  }
}
