package dev.cairn.server.regionserver.quota;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.OnlineRegions;
import dev.cairn.server.regionserver.membership.MasterLink;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionSpaceUseReportRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the master how large the regions of users' tables are: the lengths of their store files.
 * One thread at a time.
 */
public final class SpaceReports {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceReports.class);

  private final OnlineRegions regions;
  private final MasterLink master;
  private final boolean enabled;
  private String lastProblem = "";

  /** Creates reports, which are sent only if {@code enabled}. */
  public SpaceReports(OnlineRegions regions, MasterLink master, boolean enabled) {
    this.regions = regions;
    this.master = master;
    this.enabled = enabled;
  }

  /** Sends one report. Waits for the master. */
  public void check() {
    if (!enabled) {
      return;
    }
    RegionSpaceUseReportRequest.Builder report = RegionSpaceUseReportRequest.newBuilder();
    for (HostedRegion region : regions.open()) {
      if (!region.isReplica()
          && !region.info().table().namespace().equals(TableName.SYSTEM_NAMESPACE)) {
        report.addSpaceUse(
            RegionSpaceUse.newBuilder()
                .setRegionInfo(Messages.message(region.info()))
                .setRegionSize(region.figures().statistics().storeFileBytes()));
      }
    }
    try {
      master.spaceUse(report.build());
      lastProblem = "";
    } catch (IOException e) {
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(lastProblem)) {
        LOG.info("Cannot report the sizes of regions, and go on trying: {}", problem);
      }
      lastProblem = problem;
    }
  }
}
