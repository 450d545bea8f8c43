package dev.cairn.server.master.service;

import dev.cairn.server.master.chore.Balancer;
import dev.cairn.server.master.chore.Switches.Switch;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterSwitchType;

/**
 * The methods of {@code MasterService} for switches, and those that run the work that a switch
 * controls.
 */
final class SwitchMethods {
  private SwitchMethods() {}

  static void register(
      RpcService.Builder service, MasterGate gate, MasterServices.Cleaner cleaner) {
    service
        .on(
            "SetBalancerRunning",
            MasterProtos.SetBalancerRunningRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.SetBalancerRunningResponse.newBuilder()
                    .setPrevBalanceValue(set(gate, call, Switch.BALANCER, request.getOn()))
                    .build())
        .on(
            "IsBalancerEnabled",
            MasterProtos.IsBalancerEnabledRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.IsBalancerEnabledResponse.newBuilder()
                    .setEnabled(ask(gate, call, Switch.BALANCER))
                    .build())
        .on(
            "SetNormalizerRunning",
            MasterProtos.SetNormalizerRunningRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.SetNormalizerRunningResponse.newBuilder()
                    .setPrevNormalizerValue(set(gate, call, Switch.NORMALIZER, request.getOn()))
                    .build())
        .on(
            "IsNormalizerEnabled",
            MasterProtos.IsNormalizerEnabledRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.IsNormalizerEnabledResponse.newBuilder()
                    .setEnabled(ask(gate, call, Switch.NORMALIZER))
                    .build())
        .on(
            "EnableCatalogJanitor",
            MasterProtos.EnableCatalogJanitorRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.EnableCatalogJanitorResponse.newBuilder()
                    .setPrevValue(set(gate, call, Switch.CATALOG_JANITOR, request.getEnable()))
                    .build())
        .on(
            "IsCatalogJanitorEnabled",
            MasterProtos.IsCatalogJanitorEnabledRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.IsCatalogJanitorEnabledResponse.newBuilder()
                    .setValue(ask(gate, call, Switch.CATALOG_JANITOR))
                    .build())
        .on(
            "SetCleanerChoreRunning",
            MasterProtos.SetCleanerChoreRunningRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.SetCleanerChoreRunningResponse.newBuilder()
                    .setPrevValue(set(gate, call, Switch.CLEANER_CHORE, request.getOn()))
                    .build())
        .on(
            "IsCleanerChoreEnabled",
            MasterProtos.IsCleanerChoreEnabledRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.IsCleanerChoreEnabledResponse.newBuilder()
                    .setValue(ask(gate, call, Switch.CLEANER_CHORE))
                    .build())
        .on(
            "SwitchSnapshotCleanup",
            MasterProtos.SetSnapshotCleanupRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.SetSnapshotCleanupResponse.newBuilder()
                    .setPrevSnapshotCleanup(
                        set(gate, call, Switch.SNAPSHOT_CLEANUP, request.getEnabled()))
                    .build())
        .on(
            "IsSnapshotCleanupEnabled",
            MasterProtos.IsSnapshotCleanupEnabledRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.IsSnapshotCleanupEnabledResponse.newBuilder()
                    .setEnabled(ask(gate, call, Switch.SNAPSHOT_CLEANUP))
                    .build())
        .on(
            "SetSplitOrMergeEnabled",
            MasterProtos.SetSplitOrMergeEnabledRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              MasterProtos.SetSplitOrMergeEnabledResponse.Builder response =
                  MasterProtos.SetSplitOrMergeEnabledResponse.newBuilder();
              for (MasterSwitchType type : request.getSwitchTypesList()) {
                response.addPrevValue(set(gate, call, of(type), request.getEnabled()));
              }
              return response.build();
            })
        .on(
            "IsSplitOrMergeEnabled",
            MasterProtos.IsSplitOrMergeEnabledRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                MasterProtos.IsSplitOrMergeEnabledResponse.newBuilder()
                    .setEnabled(ask(gate, call, of(request.getSwitchType())))
                    .build());
    registerChores(service, gate, cleaner);
  }

  private static void registerChores(
      RpcService.Builder service, MasterGate gate, MasterServices.Cleaner cleaner) {
    service
        .on(
            "RunCatalogScan",
            MasterProtos.RunCatalogScanRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.<MasterProtos.RunCatalogScanResponse>request(
                    call,
                    (master, future) ->
                        master
                            .janitor()
                            .run(
                                archived ->
                                    future.complete(
                                        MasterProtos.RunCatalogScanResponse.newBuilder()
                                            .setScanResult(archived)
                                            .build()))))
        .on(
            "RunCleanerChore",
            MasterProtos.RunCleanerChoreRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> {
              boolean on = ask(gate, call, Switch.CLEANER_CHORE);
              if (on) {
                cleaner.clean();
              }
              return MasterProtos.RunCleanerChoreResponse.newBuilder()
                  .setCleanerChoreRan(on)
                  .build();
            })
        .on(
            "FlushMasterStore",
            MasterProtos.FlushMasterStoreRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.<MasterProtos.FlushMasterStoreResponse>request(
                    call,
                    (master, future) ->
                        master.flushStore(
                            Completion.of(
                                () ->
                                    future.complete(
                                        MasterProtos.FlushMasterStoreResponse.getDefaultInstance()),
                                future::completeExceptionally))))
        .on(
            "Balance",
            MasterProtos.BalanceRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.ask(
                    call,
                    master ->
                        master
                            .balancer()
                            .run(
                                () ->
                                    Balancer.run(
                                        master.assignments(), master.switches(), request))));
  }

  private static Switch of(MasterSwitchType type) {
    return type == MasterSwitchType.SPLIT ? Switch.SPLIT : Switch.MERGE;
  }

  private static boolean ask(MasterGate gate, RpcCall call, Switch one) throws IOException {
    return gate.ask(call, master -> master.switches().isOn(one));
  }

  private static boolean set(MasterGate gate, RpcCall call, Switch one, boolean on)
      throws IOException {
    return gate.<Boolean>request(
        call,
        (master, future) -> {
          boolean before = master.switches().isOn(one);
          master
              .switches()
              .set(
                  one,
                  on,
                  Completion.of(() -> future.complete(before), future::completeExceptionally));
        });
  }
}
