package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.master.ActiveMaster;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.rpc.RpcService;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos;

/** The methods of {@code MasterService} about quotas. */
final class QuotaMethods {
  private QuotaMethods() {}

  static void register(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "SetQuota",
            SetQuotaRequest.getDefaultInstance(),
            (call, request) -> {
              QuotaTarget target = target(request);
              return gate.<MasterProtos.SetQuotaResponse>request(
                  call,
                  (master, future) -> {
                    master.quotas().requireEnabled();
                    master
                        .quotas()
                        .change(
                            target,
                            request,
                            Completion.of(
                                () ->
                                    future.complete(
                                        MasterProtos.SetQuotaResponse.getDefaultInstance()),
                                future::completeExceptionally));
                  });
            })
        .on(
            "SwitchRpcThrottle",
            MasterProtos.SwitchRpcThrottleRequest.getDefaultInstance(),
            (call, request) ->
                gate.<MasterProtos.SwitchRpcThrottleResponse>request(
                    call,
                    (master, future) -> {
                      master.quotas().requireEnabled();
                      master
                          .quotas()
                          .turn(
                              QuotaTarget.ENABLED,
                              true,
                              request.getRpcThrottleEnabled(),
                              before ->
                                  future.complete(
                                      MasterProtos.SwitchRpcThrottleResponse.newBuilder()
                                          .setPreviousRpcThrottleEnabled(before)
                                          .build()),
                              future::completeExceptionally);
                    }))
        .on(
            "IsRpcThrottleEnabled",
            MasterProtos.IsRpcThrottleEnabledRequest.getDefaultInstance(),
            (call, request) ->
                gate.<MasterProtos.IsRpcThrottleEnabledResponse>request(
                    call,
                    (master, future) -> {
                      if (!master.quotas().isEnabled()) {
                        future.complete(enabled(false));
                        return;
                      }
                      master
                          .quotas()
                          .ask(
                              QuotaTarget.ENABLED,
                              true,
                              on -> future.complete(enabled(on)),
                              future::completeExceptionally);
                    }))
        .on(
            "SwitchExceedThrottleQuota",
            MasterProtos.SwitchExceedThrottleQuotaRequest.getDefaultInstance(),
            (call, request) ->
                gate.<MasterProtos.SwitchExceedThrottleQuotaResponse>request(
                    call,
                    (master, future) -> {
                      master.quotas().requireEnabled();
                      master
                          .quotas()
                          .turn(
                              QuotaTarget.EXCEED,
                              false,
                              request.getExceedThrottleQuotaEnabled(),
                              before ->
                                  future.complete(
                                      MasterProtos.SwitchExceedThrottleQuotaResponse.newBuilder()
                                          .setPreviousExceedThrottleQuotaEnabled(before)
                                          .build()),
                              future::completeExceptionally);
                    }));
  }

  /**
   * Registers the queries of space quotas, which Cairn does not have. While quotas are off, the
   * response is empty, as in HBase. While they are on, HBase would list the sizes of all tables;
   * Cairn refuses the call.
   */
  static void registerSpace(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "GetSpaceQuotaRegionSizes",
            QuotaProtos.GetSpaceQuotaRegionSizesRequest.getDefaultInstance(),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      requireOff(master, "list_quota_table_sizes", "GetSpaceQuotaRegionSizes");
                      return QuotaProtos.GetSpaceQuotaRegionSizesResponse.getDefaultInstance();
                    }))
        .on(
            "GetQuotaStates",
            QuotaProtos.GetQuotaStatesRequest.getDefaultInstance(),
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      requireOff(master, "list_quota_snapshots", "GetQuotaStates");
                      return QuotaProtos.GetQuotaStatesResponse.getDefaultInstance();
                    }));
  }

  private static void requireOff(ActiveMaster master, String command, String method)
      throws DoNotRetryIOException {
    if (master.quotas().isEnabled()) {
      throw new DoNotRetryIOException(
          "Limits on space are not supported yet (shell: "
              + command
              + "; RPC MasterService."
              + method
              + ")");
    }
  }

  private static MasterProtos.IsRpcThrottleEnabledResponse enabled(boolean on) {
    return MasterProtos.IsRpcThrottleEnabledResponse.newBuilder().setRpcThrottleEnabled(on).build();
  }

  private static QuotaTarget target(SetQuotaRequest request) throws IOException {
    Optional<TableName> table =
        request.hasTableName()
            ? Optional.of(TableDescriptorChecker.name(request.getTableName()))
            : Optional.empty();
    return QuotaTarget.of(request, table);
  }
}
