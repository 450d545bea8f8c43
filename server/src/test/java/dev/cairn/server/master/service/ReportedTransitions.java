package dev.cairn.server.master.service;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.ActiveMaster;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.ReportRegionStateTransitionResponse;

/** Reports of simulated region servers, without a network. */
public final class ReportedTransitions {
  private ReportedTransitions() {}

  /** Hands a report to the master, as its service does. Called by the loop's owner. */
  public static void accept(
      ActiveMaster master,
      ServerName server,
      ReportRegionStateTransitionRequest request,
      CompletableFuture<ReportRegionStateTransitionResponse> future)
      throws IOException {
    RegionServerStatusMethods.transition(master, server, request, 0, future);
  }
}
