package dev.cairn.server.master.service;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.assignment.RegionStateNode;
import dev.cairn.server.master.ddl.OpenRegions;
import dev.cairn.server.master.ddl.SplitRegionProcedure;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes region servers' requests to split regions ({@code READY_TO_SPLIT}). */
final class SplitReports {
  private static final Logger LOG = LoggerFactory.getLogger(SplitReports.class);

  private SplitReports() {}

  /**
   * Begins a split, or queues it after the table's running procedures. Called by the loop's owner.
   *
   * @param report names the region and both daughters
   * @param completion completes once the split is begun or queued; fails if it is refused
   */
  static void accept(
      ActiveMaster master,
      ServerName server,
      RegionStateTransition report,
      String user,
      Completion completion) {
    try {
      RegionInfo parent = Messages.regionInfo(report.getRegionInfo(0));
      byte[] row = Messages.regionInfo(report.getRegionInfo(2)).startKey();
      master.procedureContext().switches().requireSplits(parent);
      RegionInfo region = OpenRegions.require(master.procedureContext(), parent, "split");
      Optional<ServerName> host =
          master.assignments().find(region.encodedName()).flatMap(RegionStateNode::server);
      if (!host.equals(Optional.of(server))) {
        throw new DoNotRetryIOException(region.regionNameAsString() + " is not open at " + server);
      }
      SplitRegionProcedure.checkAllowed(master.procedureContext(), region);
      CompletableFuture<Long> accepted = new CompletableFuture<>();
      master
          .procedures()
          .submit(
              new SplitRegionProcedure(master.procedureContext(), user, region, row),
              user,
              Optional.empty(),
              accepted);
      accepted.whenComplete(
          (id, refusal) -> {
            if (refusal != null) {
              LOG.info("{} is not split: {}", region, refusal.getMessage());
            }
          });
      completion.done();
    } catch (IOException e) {
      completion.failed(e);
    }
  }
}
