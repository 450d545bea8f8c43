package dev.cairn.server.master.service;

import dev.cairn.server.master.chore.Switches.Switch;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableCatalogJanitorRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.EnableCatalogJanitorResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.FlushMasterStoreRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.FlushMasterStoreResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsBalancerEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsBalancerEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsCatalogJanitorEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsCatalogJanitorEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsCleanerChoreEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsCleanerChoreEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsNormalizerEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsNormalizerEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotCleanupEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotCleanupEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSplitOrMergeEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSplitOrMergeEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterSwitchType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RunCatalogScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RunCatalogScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RunCleanerChoreRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.RunCleanerChoreResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetBalancerRunningRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetBalancerRunningResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetCleanerChoreRunningRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetCleanerChoreRunningResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetNormalizerRunningRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetNormalizerRunningResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetSnapshotCleanupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetSnapshotCleanupResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetSplitOrMergeEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetSplitOrMergeEnabledResponse;

/**
 * The methods of {@code MasterService} for switches, and those that run the work that a switch
 * controls.
 */
final class SwitchMethods {
  private SwitchMethods() {}

  static void register(MethodGroup rpc, MasterServices.Cleaner cleaner) {
    rpc.cluster("SetBalancerRunning", SetBalancerRunningRequest.getDefaultInstance())
        .setSwitch(
            Switch.BALANCER,
            r -> r.getOn(),
            before -> SetBalancerRunningResponse.newBuilder().setPrevBalanceValue(before).build());
    rpc.cluster("IsBalancerEnabled", IsBalancerEnabledRequest.getDefaultInstance())
        .askSwitch(
            Switch.BALANCER, on -> IsBalancerEnabledResponse.newBuilder().setEnabled(on).build());
    rpc.cluster("SetNormalizerRunning", SetNormalizerRunningRequest.getDefaultInstance())
        .setSwitch(
            Switch.NORMALIZER,
            r -> r.getOn(),
            before ->
                SetNormalizerRunningResponse.newBuilder().setPrevNormalizerValue(before).build());
    rpc.cluster("IsNormalizerEnabled", IsNormalizerEnabledRequest.getDefaultInstance())
        .askSwitch(
            Switch.NORMALIZER,
            on -> IsNormalizerEnabledResponse.newBuilder().setEnabled(on).build());
    rpc.cluster("EnableCatalogJanitor", EnableCatalogJanitorRequest.getDefaultInstance())
        .setSwitch(
            Switch.CATALOG_JANITOR,
            r -> r.getEnable(),
            before -> EnableCatalogJanitorResponse.newBuilder().setPrevValue(before).build());
    rpc.cluster("IsCatalogJanitorEnabled", IsCatalogJanitorEnabledRequest.getDefaultInstance())
        .askSwitch(
            Switch.CATALOG_JANITOR,
            on -> IsCatalogJanitorEnabledResponse.newBuilder().setValue(on).build());
    rpc.cluster("SetCleanerChoreRunning", SetCleanerChoreRunningRequest.getDefaultInstance())
        .setSwitch(
            Switch.CLEANER_CHORE,
            r -> r.getOn(),
            before -> SetCleanerChoreRunningResponse.newBuilder().setPrevValue(before).build());
    rpc.cluster("IsCleanerChoreEnabled", IsCleanerChoreEnabledRequest.getDefaultInstance())
        .askSwitch(
            Switch.CLEANER_CHORE,
            on -> IsCleanerChoreEnabledResponse.newBuilder().setValue(on).build());
    rpc.cluster("SwitchSnapshotCleanup", SetSnapshotCleanupRequest.getDefaultInstance())
        .setSwitch(
            Switch.SNAPSHOT_CLEANUP,
            r -> r.getEnabled(),
            before ->
                SetSnapshotCleanupResponse.newBuilder().setPrevSnapshotCleanup(before).build());
    rpc.cluster("IsSnapshotCleanupEnabled", IsSnapshotCleanupEnabledRequest.getDefaultInstance())
        .askSwitch(
            Switch.SNAPSHOT_CLEANUP,
            on -> IsSnapshotCleanupEnabledResponse.newBuilder().setEnabled(on).build());
    rpc.cluster("SetSplitOrMergeEnabled", SetSplitOrMergeEnabledRequest.getDefaultInstance())
        .handle(
            (call, r) -> {
              var response = SetSplitOrMergeEnabledResponse.newBuilder();
              for (MasterSwitchType type : r.getSwitchTypesList()) {
                response.addPrevValue(rpc.gate().set(call, of(type), r.getEnabled()));
              }
              return response.build();
            });
    rpc.cluster("IsSplitOrMergeEnabled", IsSplitOrMergeEnabledRequest.getDefaultInstance())
        .ask(
            (master, r) ->
                IsSplitOrMergeEnabledResponse.newBuilder()
                    .setEnabled(master.switches().isOn(of(r.getSwitchType())))
                    .build());
    registerChores(rpc, cleaner);
  }

  private static void registerChores(MethodGroup rpc, MasterServices.Cleaner cleaner) {
    rpc.cluster("RunCatalogScan", RunCatalogScanRequest.getDefaultInstance())
        .<RunCatalogScanResponse>begin(
            (master, r, future) ->
                master
                    .janitor()
                    .run(
                        archived ->
                            future.complete(
                                RunCatalogScanResponse.newBuilder()
                                    .setScanResult(archived)
                                    .build())));
    rpc.cluster("RunCleanerChore", RunCleanerChoreRequest.getDefaultInstance())
        .handle(
            (call, r) -> {
              boolean on =
                  rpc.gate().ask(call, master -> master.switches().isOn(Switch.CLEANER_CHORE));
              if (on) {
                cleaner.clean();
              }
              return RunCleanerChoreResponse.newBuilder().setCleanerChoreRan(on).build();
            });
    rpc.cluster("FlushMasterStore", FlushMasterStoreRequest.getDefaultInstance())
        .complete(
            FlushMasterStoreResponse.getDefaultInstance(),
            (master, r, completion) -> master.flushStore(completion));
    rpc.cluster("Balance", BalanceRequest.getDefaultInstance())
        .handle(
            (call, r) ->
                rpc.gate()
                    .master()
                    .hooks()
                    .balance(r, same -> rpc.gate().ask(call, master -> master.balancer().run(same)))
                    .response());
  }

  private static Switch of(MasterSwitchType type) {
    return type == MasterSwitchType.SPLIT ? Switch.SPLIT : Switch.MERGE;
  }
}
