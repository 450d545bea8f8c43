package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import dev.cairn.server.master.quota.SpaceObserver;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.RpcService;
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
            (call, request) ->
                CallSubject.tableOrNamespace(
                    request.hasTableName() ? Optional.of(request.getTableName()) : Optional.empty(),
                    request.hasNamespace()
                        ? Optional.of(request.getNamespace())
                        : Optional.empty()),
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
            CallSubject::cluster,
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
            CallSubject::cluster,
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
            CallSubject::cluster,
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

  /** Registers the queries about limits on space; the answers are empty while quotas are off. */
  static void registerSpace(RpcService.Builder service, MasterGate gate) {
    service
        .on(
            "GetSpaceQuotaRegionSizes",
            QuotaProtos.GetSpaceQuotaRegionSizesRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) ->
                gate.ask(
                    call,
                    master -> {
                      var response = QuotaProtos.GetSpaceQuotaRegionSizesResponse.newBuilder();
                      master
                          .space()
                          .tableSizes()
                          .forEach(
                              (table, bytes) ->
                                  response.addSizes(
                                      QuotaProtos.GetSpaceQuotaRegionSizesResponse.RegionSizes
                                          .newBuilder()
                                          .setTableName(Messages.message(table))
                                          .setSize(bytes)));
                      return response.build();
                    }))
        .on(
            "GetQuotaStates",
            QuotaProtos.GetQuotaStatesRequest.getDefaultInstance(),
            CallSubject::cluster,
            (call, request) -> gate.ask(call, master -> states(master.space())));
  }

  private static QuotaProtos.GetQuotaStatesResponse states(SpaceObserver space) {
    QuotaProtos.GetQuotaStatesResponse.Builder response =
        QuotaProtos.GetQuotaStatesResponse.newBuilder();
    space
        .tableStates()
        .forEach(
            (table, state) ->
                response.addTableSnapshots(
                    QuotaProtos.GetQuotaStatesResponse.TableQuotaSnapshot.newBuilder()
                        .setTableName(Messages.message(table))
                        .setSnapshot(state)));
    space
        .namespaceStates()
        .forEach(
            (namespace, state) ->
                response.addNsSnapshots(
                    QuotaProtos.GetQuotaStatesResponse.NamespaceQuotaSnapshot.newBuilder()
                        .setNamespace(namespace)
                        .setSnapshot(state)));
    return response.build();
  }

  private static MasterProtos.IsRpcThrottleEnabledResponse enabled(boolean on) {
    return MasterProtos.IsRpcThrottleEnabledResponse.newBuilder().setRpcThrottleEnabled(on).build();
  }

  private static QuotaTarget target(SetQuotaRequest request) throws IOException {
    Optional<TableName> table =
        request.hasTableName()
            ? Optional.of(TableDescriptorChecker.name(request.getTableName()))
            : Optional.empty();
    if (request.hasSpaceLimit()
        && (request.hasUserName()
            || request.hasRegionServer()
            || table.filter(QuotaMethods::isSystem).isPresent()
            || request.getNamespace().equals(TableName.SYSTEM_NAMESPACE))) {
      throw new DoNotRetryIOException(
          "A limit on space is for a table or a namespace of users; not for a user, a region server"
              + " or the system's own tables");
    }
    return QuotaTarget.of(request, table);
  }

  private static boolean isSystem(TableName table) {
    return table.namespace().equals(TableName.SYSTEM_NAMESPACE);
  }
}
