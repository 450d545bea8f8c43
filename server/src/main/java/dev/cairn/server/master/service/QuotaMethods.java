package dev.cairn.server.master.service;

import dev.cairn.engine.schema.TableName;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.master.quota.SpaceObserver;
import dev.cairn.server.master.table.TableDescriptorChecker;
import dev.cairn.server.quota.QuotaTarget;
import dev.cairn.server.rpc.service.CallSubject;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsRpcThrottleEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsRpcThrottleEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SwitchExceedThrottleQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SwitchExceedThrottleQuotaResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SwitchRpcThrottleRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SwitchRpcThrottleResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetQuotaStatesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetQuotaStatesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetSpaceQuotaRegionSizesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.GetSpaceQuotaRegionSizesResponse;

/** The methods of {@code MasterService} about quotas. */
final class QuotaMethods {
  private QuotaMethods() {}

  static void register(MethodGroup rpc) {
    rpc.about(
            "SetQuota",
            SetQuotaRequest.getDefaultInstance(),
            (call, r) ->
                CallSubject.tableOrNamespace(
                    r.hasTableName() ? Optional.of(r.getTableName()) : Optional.empty(),
                    r.hasNamespace() ? Optional.of(r.getNamespace()) : Optional.empty()))
        .complete(
            SetQuotaResponse.getDefaultInstance(),
            (master, r, completion) -> {
              QuotaTarget target = target(r);
              master.quotas().requireEnabled();
              master.quotas().change(target, r, completion);
            });
    rpc.cluster("SwitchRpcThrottle", SwitchRpcThrottleRequest.getDefaultInstance())
        .<SwitchRpcThrottleResponse>begin(
            (master, r, future) -> {
              master.quotas().requireEnabled();
              master
                  .quotas()
                  .turn(
                      QuotaTarget.ENABLED,
                      true,
                      r.getRpcThrottleEnabled(),
                      before ->
                          future.complete(
                              SwitchRpcThrottleResponse.newBuilder()
                                  .setPreviousRpcThrottleEnabled(before)
                                  .build()),
                      future::completeExceptionally);
            });
    rpc.cluster("IsRpcThrottleEnabled", IsRpcThrottleEnabledRequest.getDefaultInstance())
        .<IsRpcThrottleEnabledResponse>begin(
            (master, r, future) -> {
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
            });
    rpc.cluster("SwitchExceedThrottleQuota", SwitchExceedThrottleQuotaRequest.getDefaultInstance())
        .<SwitchExceedThrottleQuotaResponse>begin(
            (master, r, future) -> {
              master.quotas().requireEnabled();
              master
                  .quotas()
                  .turn(
                      QuotaTarget.EXCEED,
                      false,
                      r.getExceedThrottleQuotaEnabled(),
                      before ->
                          future.complete(
                              SwitchExceedThrottleQuotaResponse.newBuilder()
                                  .setPreviousExceedThrottleQuotaEnabled(before)
                                  .build()),
                      future::completeExceptionally);
            });
  }

  /** Registers the queries about limits on space; the answers are empty while quotas are off. */
  static void registerSpace(MethodGroup rpc) {
    rpc.cluster("GetSpaceQuotaRegionSizes", GetSpaceQuotaRegionSizesRequest.getDefaultInstance())
        .ask((master, r) -> sizes(master.space()));
    rpc.cluster("GetQuotaStates", GetQuotaStatesRequest.getDefaultInstance())
        .ask((master, r) -> states(master.space()));
  }

  private static GetSpaceQuotaRegionSizesResponse sizes(SpaceObserver space) {
    var response = GetSpaceQuotaRegionSizesResponse.newBuilder();
    space
        .tableSizes()
        .forEach(
            (table, bytes) ->
                response.addSizes(
                    GetSpaceQuotaRegionSizesResponse.RegionSizes.newBuilder()
                        .setTableName(Messages.message(table))
                        .setSize(bytes)));
    return response.build();
  }

  private static GetQuotaStatesResponse states(SpaceObserver space) {
    GetQuotaStatesResponse.Builder response = GetQuotaStatesResponse.newBuilder();
    space
        .tableStates()
        .forEach(
            (table, state) ->
                response.addTableSnapshots(
                    GetQuotaStatesResponse.TableQuotaSnapshot.newBuilder()
                        .setTableName(Messages.message(table))
                        .setSnapshot(state)));
    space
        .namespaceStates()
        .forEach(
            (namespace, state) ->
                response.addNsSnapshots(
                    GetQuotaStatesResponse.NamespaceQuotaSnapshot.newBuilder()
                        .setNamespace(namespace)
                        .setSnapshot(state)));
    return response.build();
  }

  private static IsRpcThrottleEnabledResponse enabled(boolean on) {
    return IsRpcThrottleEnabledResponse.newBuilder().setRpcThrottleEnabled(on).build();
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
