package dev.cairn.server.rpc.service;

import dev.cairn.server.rpc.service.MethodPolicy.Caller;
import dev.cairn.server.rpc.service.MethodPolicy.Queue;
import dev.cairn.server.rpc.service.MethodPolicy.Quota;
import java.util.Optional;
import java.util.Set;

/**
 * Declares every method of HBase's services once: as served with a {@link MethodPolicy}, or as
 * refused with the name of the missing feature. A service cannot register a method without an
 * entry. Tests check that the tables and HBase's protocol have the same methods, and that each
 * served entry has a registered method.
 */
public final class MethodTables {
  private static final Set<Caller> ANYONE = Set.of(Caller.values());
  private static final Set<Caller> CLIENTS_AND_MASTER = Set.of(Caller.CLIENT, Caller.MASTER);

  /**
   * Copying a larger row takes as long as many other gets. Most rows take a hundredth of this time.
   */
  private static final CallBudget INLINE_GET = CallBudget.inline(128 << 10, 500);

  /** Unlimited: the engine limits writes that must not wait. */
  private static final CallBudget INLINE_MUTATE =
      new CallBudget(false, Long.MAX_VALUE, Long.MAX_VALUE);

  /**
   * Copying more bytes takes as long as many short calls. The time includes waits for a processor;
   * a scan of a hundred rows takes about a tenth of it.
   */
  private static final CallBudget INLINE_SCAN = CallBudget.inline(256 << 10, 1000);

  /** {@code ClientService}: reads and writes, on region servers. */
  public static final MethodTable CLIENT =
      MethodTable.of("ClientService", ANYONE, Queue.GENERAL_SYSTEM_FIRST)
          .on("Get", Quota.GET, Optional.of(INLINE_GET))
          .on("Mutate", Quota.MUTATE, Optional.of(INLINE_MUTATE))
          .on("Scan", Quota.SCAN, Optional.of(INLINE_SCAN))
          .on("ExecService")
          .note(
              "answers `MultiRowMutationService` on every region, without a coprocessor, and the"
                  + " endpoints of the region's coprocessors")
          .on("ExecRegionServerService")
          .note("answers the services of the server's coprocessors")
          .on("Multi", Quota.BATCH, Optional.empty())
          .on("PrepareBulkLoad")
          .on("BulkLoadHFile")
          .on("CleanupBulkLoad")
          .build();

  /**
   * {@code AdminService}: administration of one server, on region servers; the master serves a
   * part.
   */
  public static final MethodTable ADMIN =
      MethodTable.of("AdminService", CLIENTS_AND_MASTER, Queue.PRIORITY)
          .on("GetRegionInfo")
          .on("GetOnlineRegion")
          .on("FlushRegion")
          .on("CompactionSwitch")
          .on("CompactRegion")
          .note("starts a compaction and returns; the master answers for the MOB region of a table")
          .on("RollWALWriter")
          .on("GetServerInfo")
          .note("refuses if the server's session with ZooKeeper may be over")
          .on("StopServer")
          .on("GetRegionLoad")
          .on("GetSpaceQuotaSnapshots")
          .note("the limits on space that the server enforces")
          .on("GetStoreFile")
          .on("ClearCompactionQueues")
          .note("the queues `long` and `short`; refuses other names")
          .on("ClearRegionBlockCache")
          .on("GetCachedFilesList")
          .note("the store files of which all data blocks are in the block cache")
          .on("UpdateConfiguration")
          .note("refuses settings that a start would refuse, and then changes nothing")
          .on("GetLogEntries")
          .on("GetSlowLogResponses")
          .on("GetLargeLogResponses")
          .on("ClearSlowLogsResponses")
          .callers(Caller.MASTER)
          .on("OpenRegion")
          .on("WarmupRegion")
          .note("opens the region's files ahead, and reads the hot blocks that the master names")
          .on("UpdateFavoredNodes")
          .note("accepted and without effect: HDFS places blocks by the writing server")
          .on("CloseRegion")
          .on("ExecuteProcedures")
          .note("opens and closes regions and splits logs for the master; refuses other procedures")
          .callers(Caller.REGION_SERVER)
          .queue(Queue.REPLICATION)
          .on("Replay")
          .note(
              "sends logged changes and notices of changed files to replicas, and greetings of replicas to their regions; refuses entries of other senders")
          .lacks("Replication is")
          .refused("ReplicateWALEntry", "")
          .refused("ReplayToReplica", "")
          .build();

  /** {@code MasterService}: administration of the cluster, on the master. */
  public static final MethodTable MASTER =
      MethodTable.of("MasterService", ANYONE, Queue.GENERAL_SYSTEM_FIRST)
          .on("GetSchemaAlterStatus")
          .on("GetTableDescriptors")
          .on("ListTableDescriptorsByState")
          .on("GetTableNames")
          .on("ListTableNamesByState")
          .on("GetClusterStatus")
          .note(
              "asks the region servers for the loads of their regions first, so the figures are"
                  + " current")
          .on("IsMasterRunning")
          .on("AddColumn")
          .on("DeleteColumn")
          .on("ModifyColumn")
          .on("MoveRegion")
          .note("returns when the region is open at its new server")
          .on("MergeTableRegions")
          .note("regions that lie side by side; with `forcible`, any regions of the table")
          .on("AssignRegion")
          .note("returns when the region is open")
          .on("UnassignRegion")
          .note("returns when the region is closed")
          .on("OfflineRegion")
          .note("as `UnassignRegion`: a server that serves the region closes it first")
          .on("SplitRegion")
          .on("TruncateRegion")
          .on("DeleteTable")
          .on("truncateTable")
          .on("EnableTable")
          .on("DisableTable")
          .on("ModifyTable")
          .note("reopens all regions; refused if it asks not to (`reopen_regions=false`)")
          .on("FlushTable")
          .on("ModifyTableStoreFileTracker")
          .note("by way of `MIGRATION`, with all regions opened anew in between")
          .on("ModifyColumnStoreFileTracker")
          .note("by way of `MIGRATION`, with all regions opened anew in between")
          .on("CreateTable")
          .on("Shutdown")
          .on("StopMaster")
          .on("IsMasterInMaintenanceMode")
          .note("always false: there is no maintenance mode")
          .on("Balance")
          .on("SetBalancerRunning")
          .on("IsBalancerEnabled")
          .on("SetSplitOrMergeEnabled")
          .on("IsSplitOrMergeEnabled")
          .on("Normalize")
          .on("SetNormalizerRunning")
          .note("stores the switch")
          .on("IsNormalizerEnabled")
          .on("RunCatalogScan")
          .note("archives split and merged regions that are not needed, and returns their number")
          .on("EnableCatalogJanitor")
          .on("IsCatalogJanitorEnabled")
          .on("RunCleanerChore")
          .note(
              "deletes archived logs and store files that are not needed; false if the switch is"
                  + " off")
          .on("SetCleanerChoreRunning")
          .on("IsCleanerChoreEnabled")
          .on("ExecMasterService")
          .note(
              "serves RSGroupAdminService if the site turns groups on, and the services of the master's"
                  + " coprocessors")
          .on("Snapshot")
          .on("IsSnapshotDone")
          .on("GetCompletedSnapshots")
          .on("DeleteSnapshot")
          .note("refused with a retriable error while a procedure uses the snapshot")
          .on("RestoreSnapshot")
          .note(
              "a clone if the table is absent; refuses snapshots with permissions if they are to be"
                  + " restored")
          .on("SwitchSnapshotCleanup")
          .note("whether snapshots are deleted whose time to live is over")
          .on("IsSnapshotCleanupEnabled")
          .on("ExecProcedure")
          .note(
              "`flush-table-proc` flushes a table or some of its families, `online-snapshot` takes"
                  + " a snapshot; refuses other procedures and other settings than `family` and"
                  + " `table`")
          .on("ExecProcedureWithRet")
          .note("as `ExecProcedure`; waits for the end and returns no data")
          .on("IsProcedureDone")
          .note("whether the snapshot is complete, or no flush of the table is running")
          .on("ModifyNamespace")
          .on("CreateNamespace")
          .on("DeleteNamespace")
          .on("GetNamespaceDescriptor")
          .on("ListNamespaceDescriptors")
          .on("ListTableDescriptorsByNamespace")
          .on("ListTableNamesByNamespace")
          .on("GetTableState")
          .on("SetQuota")
          .note("throttles, `GLOBAL_BYPASS` and limits on space")
          .on("getLastMajorCompactionTimestamp")
          .on("getLastMajorCompactionTimestampForRegion")
          .on("getProcedureResult")
          .note("waits up to a second for the end of the procedure")
          .on("getSecurityCapabilities")
          .note("simple authentication only")
          .on("AbortProcedure")
          .note(
              "true once the procedure is undone: a creation, split, merge or truncation of a"
                  + " region that is not yet decided")
          .on("GetProcedures")
          .on("GetLocks")
          .note("the locks of procedures and clients")
          .on("ListReplicationPeers")
          .note("an empty list: peers cannot be added")
          .on("ListDecommissionedRegionServers")
          .on("DecommissionRegionServers")
          .note("refused if a named server is not alive, or if none is left for its regions")
          .on("RecommissionRegionServer")
          .note("skips regions that do not exist")
          .on("GetSpaceQuotaRegionSizes")
          .note("an empty list while `hbase.quota.enabled` is off")
          .on("GetQuotaStates")
          .note("an empty list while `hbase.quota.enabled` is off")
          .on("ClearDeadServers")
          .note("forgets servers that are dead and recovered, and returns those that it keeps")
          .on("SwitchRpcThrottle")
          .note("refused while `hbase.quota.enabled` is off")
          .on("IsRpcThrottleEnabled")
          .on("SwitchExceedThrottleQuota")
          .note("refused while `hbase.quota.enabled` is off")
          .on("ListNamespaces")
          .on("FlushMasterStore")
          .on("GetLogEntries")
          .note(
              "the last decisions or rejections of the balancer, if they are recorded"
                  + " (`hbase.master.balancer.decision.buffer.enabled`,"
                  + " `hbase.master.balancer.rejection.buffer.enabled`); refuses other logs")
          .lacks("Replication is")
          .refused("AddReplicationPeer", "add_peer")
          .refused("RemoveReplicationPeer", "remove_peer")
          .refused("EnableReplicationPeer", "enable_peer")
          .refused("DisableReplicationPeer", "disable_peer")
          .refused("GetReplicationPeerConfig", "get_peer_config")
          .refused("UpdateReplicationPeerConfig", "update_peer_config")
          .refused("IsReplicationPeerEnabled", "list_peers")
          .refused("ReplicationPeerModificationSwitch", "peer_modification_switch")
          .refused(
              "GetReplicationPeerModificationProcedures",
              "peer_modification_switch with DRAIN_PROCEDURES")
          .refused("IsReplicationPeerModificationEnabled", "peer_modification_enabled")
          .lacks("Access control is")
          .refused("Grant", "grant")
          .refused("Revoke", "revoke")
          .refused("GetUserPermissions", "user_permission")
          .refused("HasUserPermissions", "")
          .build();

  /** {@code LockService}: locks of clients that exclude procedures, on the master. */
  public static final MethodTable LOCK =
      MethodTable.of("LockService", Set.of(Caller.CLIENT), Queue.PRIORITY)
          .on("RequestLock")
          .on("LockHeartbeat")
          .build();

  /** {@code HbckService}: repairs, on the master. */
  public static final MethodTable HBCK =
      MethodTable.of("HbckService", Set.of(Caller.CLIENT), Queue.PRIORITY)
          .on("SetTableStateInMeta")
          .on("SetRegionStateInMeta")
          .on("Assigns")
          .on("Unassigns")
          .on("BypassProcedure")
          .on("ScheduleServerCrashProcedure")
          .on("ScheduleSCPsForUnknownServers")
          .on("RunHbckChore")
          .on("FixMeta")
          .build();

  /** {@code RegionServerStatusService}: reports of region servers, on the master. */
  public static final MethodTable REGION_SERVER_STATUS =
      MethodTable.of("RegionServerStatusService", Set.of(Caller.REGION_SERVER), Queue.PRIORITY)
          .on("RegionServerStartup")
          .on("RegionServerReport")
          .on("ReportRSFatalError")
          .on("GetLastFlushedSequenceId")
          .on("ReportRegionStateTransition")
          .on("GetLiveRegionServers")
          .on("ReportProcedureDone")
          .note("takes the reports of orders to split logs")
          .on("ReportRegionSpaceUse")
          .note("the lengths of the store files of regions")
          .lacks("Reports of archived files are")
          .refused("ReportFileArchival", "the master measures snapshots itself")
          .build();

  /** {@code ClientMetaService}: the registry for clients without ZooKeeper, on every server. */
  public static final MethodTable CLIENT_META =
      MethodTable.of("ClientMetaService", ANYONE, Queue.PRIORITY)
          .on("GetClusterId")
          .on("GetActiveMaster")
          .on("GetMasters")
          .on("GetMetaRegionLocations")
          .on("GetBootstrapNodes")
          .build();

  /** {@code SnapshotService}, a service of Cairn's own: the files of regions, on region servers. */
  public static final MethodTable SNAPSHOT =
      MethodTable.of("SnapshotService", Set.of(Caller.MASTER), Queue.PRIORITY)
          .on("SnapshotRegion")
          .build();

  /** {@code BootstrapNodeService}: the registry for region servers, on region servers. */
  public static final MethodTable BOOTSTRAP_NODE =
      MethodTable.of("BootstrapNodeService", Set.of(Caller.REGION_SERVER), Queue.PRIORITY)
          .on("GetAllBootstrapNodes")
          .build();

  private MethodTables() {}
}
