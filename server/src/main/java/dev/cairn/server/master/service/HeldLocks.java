package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.members.ServerManager.Recovery;
import dev.cairn.server.master.procedure.ProcedureExecutor;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.rpc.ClientVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResource;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResourceType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.Procedure;

/**
 * Lists what is locked, in HBase's messages: namespaces and tables by procedures, regions by
 * transitions (which share their tables), servers by recoveries, and all of these by clients.
 * Called by the loop's owner.
 */
final class HeldLocks {
  private HeldLocks() {}

  /** Returns the locks, with procedures as a client of a version knows them. */
  static List<LockedResource> all(ActiveMaster master, ClientVersion client) {
    List<LockedResource> locks = new ArrayList<>();
    ProcedureExecutor procedures = master.procedures();
    Map<String, List<Long>> resources = procedures.locks();
    for (Map.Entry<String, List<Long>> resource : resources.entrySet()) {
      locks.add(ofProcedures(resource.getKey(), resource.getValue(), procedures, client));
    }
    Map<TableName, Integer> shared = new TreeMap<>();
    for (RegionStateNode node : master.assignments().all()) {
      if (node.transition().isPresent()) {
        locks.add(
            exclusive(
                LockedResourceType.REGION,
                node.region().encodedName(),
                AssignmentProcedures.transition(node, node.transition().get(), client)));
        shared.merge(node.region().table(), 1, Integer::sum);
      }
    }
    shared.forEach(
        (table, count) -> {
          if (!resources.containsKey(TableResource.of(table))) {
            locks.add(
                LockedResource.newBuilder()
                    .setResourceType(LockedResourceType.TABLE)
                    .setResourceName(table.toString())
                    .setLockType(LockType.SHARED)
                    .setSharedLockCount(count)
                    .build());
          }
        });
    for (Recovery recovery : master.members().recoveries()) {
      locks.add(
          exclusive(
              LockedResourceType.SERVER,
              recovery.server().toString(),
              AssignmentProcedures.crash(master, recovery, client)));
    }
    locks.addAll(procedures.clientLocks().describe());
    return locks;
  }

  private static LockedResource ofProcedures(
      String resource, List<Long> ids, ProcedureExecutor procedures, ClientVersion client) {
    LockedResource.Builder lock =
        LockedResource.newBuilder()
            .setResourceType(
                TableResource.namespace(resource).isPresent()
                    ? LockedResourceType.TABLE
                    : LockedResourceType.NAMESPACE)
            .setResourceName(resource.substring(resource.indexOf(':') + 1))
            .setLockType(LockType.EXCLUSIVE)
            .setSharedLockCount(0);
    procedures
        .find(ids.get(0))
        .ifPresent(record -> lock.setExclusiveLockOwnerProcedure(record.message(client)));
    return lock.build();
  }

  private static LockedResource exclusive(LockedResourceType type, String name, Procedure owner) {
    return LockedResource.newBuilder()
        .setResourceType(type)
        .setResourceName(name)
        .setLockType(LockType.EXCLUSIVE)
        .setExclusiveLockOwnerProcedure(owner)
        .setSharedLockCount(0)
        .build();
  }
}
