package dev.cairn.server.regionserver;

import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.region.write.MemStoreRoom;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import dev.cairn.server.regionserver.hosted.ReferencedWrites;
import dev.cairn.server.regionserver.hosted.RegionFactory;
import dev.cairn.server.regionserver.hosted.RegionLayer;
import dev.cairn.server.regionserver.hosted.RegionParts;
import dev.cairn.server.regionserver.hosted.SpaceLimitedWrites;
import dev.cairn.server.regionserver.hosted.WatchedWrites;
import dev.cairn.server.regionserver.report.OperationTimes;
import dev.cairn.server.split.SplitPolicy;
import java.io.IOException;
import java.util.List;

/** Prepares the regions of a server, and lays all layers over each of them. Thread-safe. */
final class LayeredRegionFactory implements RegionFactory {
  private final SharedParts shared;
  private final Maintenance maintenance;
  private final QuotaEnforcement quotas;
  private final OperationTimes times;

  /** Creates the factory, above those of the server's context. */
  LayeredRegionFactory(
      SharedParts shared, Maintenance maintenance, QuotaEnforcement quotas, OperationTimes times) {
    this.shared = shared;
    this.maintenance = maintenance;
    this.quotas = quotas;
    this.times = times;
  }

  @Override
  public PreparedRegion prepare(RegionInfo info, TableSchema schema, RecoveredNonces recovered)
      throws IOException {
    // Writes to the catalog are never refused: without them, no region can be opened or closed.
    MemStoreRoom room = info.table().isMeta() ? MemStoreRoom.UNLIMITED : maintenance.pressure();
    RegionFactory factory = shared.context().files().factories().apply(room);
    SplitPolicy policy = maintenance.splits().policy(info, schema);
    return factory
        .prepare(info, schema, recovered)
        .hostedBy(
            region -> {
              HostedRegion layered =
                  region.under(region.isReplica() ? List.of(this::timed) : layers(policy));
              quotas.refresh().opened(layered);
              return layered;
            });
  }

  /** Returns the layers over a region, the lowest first. */
  private List<RegionLayer> layers(SplitPolicy policy) {
    return List.of(
        (info, schema, below) ->
            below.splitPolicy() instanceof SplitPolicy.OfUser ? below : below.splitBy(policy),
        ReferencedWrites.layer(shared.context().cluster().references()),
        SpaceLimitedWrites.layer(quotas.space()),
        maintenance.loadSplits()::over,
        this::timed,
        WatchedWrites.layer(shared.fatal()));
  }

  private RegionParts timed(RegionInfo info, TableSchema schema, RegionParts below) {
    return below.timedBy(times.opened(info.table()));
  }
}
