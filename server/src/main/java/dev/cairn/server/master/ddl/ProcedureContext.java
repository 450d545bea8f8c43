package dev.cairn.server.master.ddl;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.RegionShapes;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.master.assignment.Assignments;
import dev.cairn.server.master.group.TableGroups;
import dev.cairn.server.master.loop.Lane;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.meta.RegionStateStore;
import dev.cairn.server.master.namespace.Namespaces;
import dev.cairn.server.master.quota.NamespaceQuota;
import dev.cairn.server.master.quota.QuotaSettings;
import dev.cairn.server.master.remote.RegionServerCalls;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.master.table.Tables;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.SnapshotSettings;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * The context of procedures. All but {@code files}, {@code shapes}, {@code calls} and {@code
 * schemas} is owned by the loop.
 *
 * @param schemas the checks of table descriptors
 * @param switches whether administrators allow splits and merges
 * @param snapshots the directory of snapshots; thread-safe
 * @param epoch the master's epoch
 * @param regionIds gives ids to new regions; thread-safe
 * @param replaced told when regions take the place of others: the former ones, then the new ones
 * @param nextNumber returns a number that it has not returned before
 */
public record ProcedureContext(
    MasterLoop loop,
    Clock clock,
    TableFiles files,
    RegionShapes shapes,
    RegionStateStore catalog,
    Tables tables,
    Namespaces namespaces,
    NamespaceQuota namespaceQuota,
    QuotaSettings quotas,
    TableGroups groups,
    Assignments assignments,
    RegionServerCalls calls,
    SchemaRules schemas,
    ShapeSwitches switches,
    SnapshotDirectory snapshots,
    SnapshotSettings snapshotSettings,
    long epoch,
    RegionIds regionIds,
    BiConsumer<List<RegionInfo>, List<RegionInfo>> replaced,
    LongSupplier nextNumber) {
  /** Runs work that changes or reads files. */
  void onFiles(MasterLoop.Work work, Completion completion) {
    loop.perform(Lane.FILES, work, completion);
  }
}
