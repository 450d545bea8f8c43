package dev.cairn.server.master;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.master.balancer.RegionBalancer;
import dev.cairn.server.master.chore.CatalogJanitor;
import dev.cairn.server.master.chore.MobCompactions;
import dev.cairn.server.master.chore.SnapshotCleanup;
import dev.cairn.server.master.ddl.ProcedureContext;
import dev.cairn.server.master.ddl.ShapeRequests;
import dev.cairn.server.master.ddl.SnapshotUse;
import dev.cairn.server.master.ddl.TableStateProcedure;
import dev.cairn.server.master.draining.RegionOffload;
import dev.cairn.server.master.healing.CatalogHealer;
import dev.cairn.server.master.healing.HealingReport;
import dev.cairn.server.master.healing.OverlapMerges;
import dev.cairn.server.master.normalizer.HookedShapes;
import dev.cairn.server.master.normalizer.RegionNormalizer;
import dev.cairn.server.master.quota.QuotaSettings;
import dev.cairn.server.master.quota.SpaceMeasure;
import dev.cairn.server.master.quota.SpaceObserver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic tasks of the active master: the balancer, the normalizer, the janitor and others.
 * Owned by the loop.
 */
final class MasterChores {
  private static final Logger LOG = LoggerFactory.getLogger(MasterChores.class);

  /** The owner of procedures that no client asked for. */
  private static final String SYSTEM = "hbase";

  final RegionOffload offload;
  final MobCompactions mobCompactions;
  final SnapshotCleanup snapshotCleanup;
  final SpaceObserver space;
  final CatalogHealer healer;
  final CatalogJanitor janitor;
  final RegionNormalizer normalizer;
  final RegionBalancer balancer;
  private final OverlapMerges merges;
  private final MasterCore core;
  private final ProcedureContext procedureContext;

  /**
   * Creates them. None runs before {@link #start}.
   *
   * @param recovering tells whether logs of dead servers are being recovered
   */
  MasterChores(
      MasterCore core,
      ProcedureContext procedureContext,
      ShapeRequests shapes,
      QuotaSettings quotas,
      HealingReport report,
      BooleanSupplier recovering) {
    this.core = core;
    this.procedureContext = procedureContext;
    this.offload =
        new RegionOffload(
            core.loop,
            core.assignments,
            core.servers,
            core.draining,
            core.context.members().drainMoves());
    this.mobCompactions = new MobCompactions(core.loop, core.tables, core.assignments, core.calls);
    this.snapshotCleanup =
        new SnapshotCleanup(
            core.loop,
            core.context.clock(),
            procedureContext.snapshots(),
            procedureContext.snapshotSettings(),
            core.switches,
            core.epoch,
            name -> SnapshotUse.of(core.procedures.unfinished(), name));
    this.space =
        new SpaceObserver(
            core.loop,
            core.context.clock(),
            core.context.quotas(),
            quotas,
            core.tables,
            core.assignments,
            new SpaceMeasure(core.context.storage(), procedureContext.snapshots()),
            this::turn);
    this.merges =
        new OverlapMerges(
            core.loop, core.tables, core.assignments, core.procedures::isBusy, shapes, report);
    this.healer =
        new CatalogHealer(
            core.loop,
            core.files,
            core.catalog,
            core.states,
            core.tables,
            core.assignments,
            core.procedures,
            merges,
            core.regionIds,
            report);
    this.janitor =
        new CatalogJanitor(
            core.loop,
            core.files,
            core.tables,
            core.assignments,
            core.states,
            core.switches,
            core.procedures::isBusy,
            healer::look,
            core.context.janitorInterval());
    this.normalizer =
        new RegionNormalizer(
            core.loop,
            core.context.clock(),
            core.tables,
            core.assignments,
            core.servers,
            core.calls,
            core.switches,
            new HookedShapes(core.loop, shapes, core.hooks),
            core.context.normalizer());
    this.balancer =
        new RegionBalancer(
            core.loop,
            core.context.clock(),
            core.assignments,
            core.servers,
            core.switches,
            recovering,
            core.draining::isDraining,
            core.context.balancer(),
            core.hooks);
  }

  /** Begins: clients are about to be answered. */
  void start() {
    janitor.start();
    merges.request();
    normalizer.start();
    balancer.start();
    snapshotCleanup.start();
    space.start();
    offload.start();
  }

  /** Enables or disables a table for the system itself. */
  private void turn(TableName table, TableState.State goal) {
    CompletableFuture<Long> submitted = new CompletableFuture<>();
    core.procedures.submit(
        new TableStateProcedure(procedureContext, SYSTEM, table, goal == TableState.State.ENABLED),
        SYSTEM,
        Optional.empty(),
        submitted);
    submitted.whenComplete(
        (id, refusal) -> {
          if (refusal != null) {
            LOG.warn("{} does not become {}: {}", table, goal, refusal.toString());
          }
        });
  }
}
