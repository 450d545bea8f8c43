package dev.cairn.server.master.service;

import dev.cairn.server.master.balancer.BalancerLog;
import dev.cairn.server.master.balancer.BalancerRun;
import dev.cairn.server.rpc.NamedLogs;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalancerDecisionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalancerDecisionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalancerRejectionsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalancerRejectionsResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RecentLogs.BalancerDecision;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RecentLogs.BalancerRejection;

/** The balancer's records in HBase's messages, latest first. Called by the loop's owner. */
final class BalancerLogs {
  private BalancerLogs() {}

  static NamedLogs of(BalancerLog log) {
    return new NamedLogs(
        "The master",
        List.of(
            new NamedLogs.Log<>(
                BalancerDecisionsRequest.getDefaultInstance(),
                request -> {
                  var response = BalancerDecisionsResponse.newBuilder();
                  limited(log.decisions(), request.hasLimit(), request.getLimit())
                      .forEach(run -> response.addBalancerDecision(decision(run)));
                  return response.build();
                }),
            new NamedLogs.Log<>(
                BalancerRejectionsRequest.getDefaultInstance(),
                request -> {
                  var response = BalancerRejectionsResponse.newBuilder();
                  limited(log.rejections(), request.hasLimit(), request.getLimit())
                      .forEach(run -> response.addBalancerRejection(rejection(run)));
                  return response.build();
                })));
  }

  private static List<BalancerRun> limited(List<BalancerRun> runs, boolean hasLimit, int limit) {
    return hasLimit ? runs.subList(0, Math.max(0, Math.min(limit, runs.size()))) : runs;
  }

  private static BalancerDecision decision(BalancerRun run) {
    return BalancerDecision.newBuilder()
        .setInitialFunctionCosts(run.partsBefore())
        .setFinalFunctionCosts(run.partsAfter())
        .setInitTotalCost(run.imbalanceBefore())
        .setComputedTotalCost(run.imbalanceAfter())
        .setComputedSteps(run.candidates())
        .addAllRegionPlans(run.moves())
        .build();
  }

  private static BalancerRejection rejection(BalancerRun run) {
    return BalancerRejection.newBuilder()
        .setReason(run.result())
        .addAllCostFuncInfo(List.of(run.partsBefore().split("; ")))
        .build();
  }
}
