package dev.cairn.server.master.service;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.members.ServerManager.Recovery;
import dev.cairn.server.master.procedure.ProcedureExecutor.ProcedureLock;
import dev.cairn.server.master.table.TableResource;
import dev.cairn.server.rpc.service.ClientVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResource;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockedResourceType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ProcedureProtos.Procedure;

/**
 * Lists the held locks, in HBase's messages: namespaces and tables by procedures, regions by
 * procedures and transitions (both with shared locks on their tables), servers by recoveries, and
 * all of these by clients. Called by the loop's owner.
 */
final class HeldLocks {
  private final ActiveMaster master;
  private final ClientVersion client;
  private final List<LockedResource> locks = new ArrayList<>();

  /** The resources that are listed as a whole. */
  private final Set<String> whole = new HashSet<>();

  /** The encoded names of the listed regions. */
  private final Set<String> regions = new HashSet<>();

  /** The number of shared locks on each table. */
  private final Map<TableName, Integer> shared = new TreeMap<>();

  private HeldLocks(ActiveMaster master, ClientVersion client) {
    this.master = master;
    this.client = client;
  }

  /** Returns the locks, with procedures as a client of a version knows them. */
  static List<LockedResource> all(ActiveMaster master, ClientVersion client) {
    return new HeldLocks(master, client).all();
  }

  private List<LockedResource> all() {
    List<ProcedureLock> ofProcedures = master.procedures().locks();
    ofProcedures.stream().filter(ProcedureLock::isHeld).forEach(this::addHeld);
    ofProcedures.stream().filter(lock -> !lock.isHeld()).forEach(this::addWaiting);
    for (RegionStateNode node : master.assignments().all()) {
      String region = node.region().encodedName();
      if (node.transition().isPresent() && !regions.contains(region)) {
        locks.add(
            exclusive(
                LockedResourceType.REGION,
                region,
                AssignmentProcedures.transition(node, node.transition().get(), client)));
        shared.merge(node.region().table(), 1, Integer::sum);
      }
    }
    shared.forEach(this::addShared);
    for (Recovery recovery : master.members().recoveries()) {
      locks.add(
          exclusive(
              LockedResourceType.SERVER,
              recovery.server().toString(),
              AssignmentProcedures.crash(master, recovery, client)));
    }
    locks.addAll(master.procedures().clientLocks().describe());
    return locks;
  }

  private void addHeld(ProcedureLock lock) {
    if (lock.regions().isEmpty()) {
      addWhole(lock);
      return;
    }
    shared.merge(lock.regions().get(0).table(), 1, Integer::sum);
    for (RegionInfo region : lock.regions()) {
      if (regions.add(region.encodedName())) {
        locks.add(held(lock, LockedResourceType.REGION, region.encodedName()));
      }
    }
  }

  /** Lists the resource of a waiting procedure if only clients lock it. */
  private void addWaiting(ProcedureLock lock) {
    boolean isShared =
        shared.keySet().stream().map(TableResource::of).anyMatch(lock.resource()::equals);
    if (!isShared && !whole.contains(lock.resource())) {
      addWhole(lock);
    }
  }

  private void addWhole(ProcedureLock lock) {
    whole.add(lock.resource());
    boolean isTable = TableResource.namespace(lock.resource()).isPresent();
    locks.add(
        held(
            lock,
            isTable ? LockedResourceType.TABLE : LockedResourceType.NAMESPACE,
            lock.resource().substring(lock.resource().indexOf(':') + 1)));
  }

  private void addShared(TableName table, int count) {
    if (!whole.contains(TableResource.of(table))) {
      locks.add(
          LockedResource.newBuilder()
              .setResourceType(LockedResourceType.TABLE)
              .setResourceName(table.toString())
              .setLockType(LockType.SHARED)
              .setSharedLockCount(count)
              .build());
    }
  }

  /** Returns an exclusive lock, with the procedure that holds it if that is stored already. */
  private LockedResource held(ProcedureLock lock, LockedResourceType type, String name) {
    LockedResource.Builder held = exclusive(type, name);
    master
        .procedures()
        .find(lock.id())
        .ifPresent(record -> held.setExclusiveLockOwnerProcedure(record.message(client)));
    return held.build();
  }

  private static LockedResource exclusive(LockedResourceType type, String name, Procedure owner) {
    return exclusive(type, name).setExclusiveLockOwnerProcedure(owner).build();
  }

  private static LockedResource.Builder exclusive(LockedResourceType type, String name) {
    return LockedResource.newBuilder()
        .setResourceType(type)
        .setResourceName(name)
        .setLockType(LockType.EXCLUSIVE)
        .setSharedLockCount(0);
  }
}
