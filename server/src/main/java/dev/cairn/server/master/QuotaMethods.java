package dev.cairn.server.master;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.master.MasterLoop.Completion;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.rpc.RpcService;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;

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

  private static MasterProtos.IsRpcThrottleEnabledResponse enabled(boolean on) {
    return MasterProtos.IsRpcThrottleEnabledResponse.newBuilder().setRpcThrottleEnabled(on).build();
  }

  private static QuotaTarget target(SetQuotaRequest request) throws IOException {
    Optional<TableName> table =
        request.hasTableName()
            ? Optional.of(TableChecks.name(request.getTableName()))
            : Optional.empty();
    return QuotaTarget.of(request, table);
  }
}
