package dev.cairn.coprocessor.master;

import dev.cairn.coprocessor.environment.ServerEnvironment;
import dev.cairn.server.master.hook.MasterHooks.Body;
import dev.cairn.server.master.hook.MasterView;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.quotas.GlobalQuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaTableUtil;
import org.apache.hadoop.hbase.quotas.ShownQuotas;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsRpcThrottleEnabledRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsRpcThrottleEnabledResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SwitchExceedThrottleQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SwitchExceedThrottleQuotaResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SwitchRpcThrottleRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SwitchRpcThrottleResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos.Quotas;

/** The hooks around the methods about quotas. */
record QuotaCalls(MasterCoprocessorHost host, MasterView view, ServerEnvironment environment) {
  void register(MasterCalls calls) {
    calls.on(
        "SetQuota",
        SetQuotaRequest.class,
        this::set,
        "preSetUserQuota",
        "postSetUserQuota",
        "preSetTableQuota",
        "postSetTableQuota",
        "preSetNamespaceQuota",
        "postSetNamespaceQuota",
        "preSetRegionServerQuota",
        "postSetRegionServerQuota");
    calls.<SwitchRpcThrottleRequest, SwitchRpcThrottleResponse>on(
        "SwitchRpcThrottle",
        SwitchRpcThrottleRequest.class,
        (r, body) -> {
          host.preSwitchRpcThrottle(r.getRpcThrottleEnabled());
          SwitchRpcThrottleResponse response = body.run(r);
          host.postSwitchRpcThrottle(
              response.getPreviousRpcThrottleEnabled(), r.getRpcThrottleEnabled());
          return response;
        },
        "preSwitchRpcThrottle",
        "postSwitchRpcThrottle");
    calls.<IsRpcThrottleEnabledRequest, IsRpcThrottleEnabledResponse>on(
        "IsRpcThrottleEnabled",
        IsRpcThrottleEnabledRequest.class,
        (r, body) -> {
          host.preIsRpcThrottleEnabled();
          IsRpcThrottleEnabledResponse response = body.run(r);
          host.postIsRpcThrottleEnabled(response.getRpcThrottleEnabled());
          return response;
        },
        "preIsRpcThrottleEnabled",
        "postIsRpcThrottleEnabled");
    calls.<SwitchExceedThrottleQuotaRequest, SwitchExceedThrottleQuotaResponse>on(
        "SwitchExceedThrottleQuota",
        SwitchExceedThrottleQuotaRequest.class,
        (r, body) -> {
          host.preSwitchExceedThrottleQuota(r.getExceedThrottleQuotaEnabled());
          SwitchExceedThrottleQuotaResponse response = body.run(r);
          host.postSwitchExceedThrottleQuota(
              response.getPreviousExceedThrottleQuotaEnabled(), r.getExceedThrottleQuotaEnabled());
          return response;
        },
        "preSwitchExceedThrottleQuota",
        "postSwitchExceedThrottleQuota");
  }

  /** Reads the present settings of a target. */
  @FunctionalInterface
  private interface Present {
    Quotas read() throws IOException;
  }

  /**
   * The target of quotas; parts that do not name it are null.
   *
   * @param before the hook before the change
   * @param after the hook after it
   */
  private record Target(
      String user,
      TableName table,
      String namespace,
      String server,
      Present present,
      MasterCalls.Hook<GlobalQuotaSettings> before,
      MasterCalls.Hook<GlobalQuotaSettings> after) {
    GlobalQuotaSettings shown() throws IOException {
      return ShownQuotas.of(user, table, namespace, server, present.read());
    }
  }

  /** Shows hooks the settings before the change, and those after it; null for none, as in HBase. */
  private SetQuotaResponse set(SetQuotaRequest r, Body<SetQuotaRequest, SetQuotaResponse> body)
      throws IOException {
    Optional<Target> target = target(r);
    if (target.isEmpty()) {
      return body.run(r); // which refuses it
    }
    view.checkQuotas(); // without quotas, their table does not exist
    GlobalQuotaSettings shown = r.getRemoveAll() ? null : target.get().shown();
    target.get().before().call(shown);
    SetQuotaResponse response = body.run(r);
    target.get().after().call(shown == null ? null : ShownQuotas.changed(shown, r));
    return response;
  }

  private Optional<Target> target(SetQuotaRequest r) {
    TableName table = r.hasTableName() ? ProtobufUtil.toTableName(r.getTableName()) : null;
    String user = r.hasUserName() ? r.getUserName() : null;
    String namespace = r.hasNamespace() ? r.getNamespace() : null;
    if (user != null) {
      return Optional.of(ofUser(user, table, namespace));
    }
    if (table != null) {
      return Optional.of(
          new Target(
              null,
              table,
              null,
              null,
              () -> QuotaTableUtil.getTableQuota(connection(), table),
              shown -> host.preSetTableQuota(table, shown),
              shown -> host.postSetTableQuota(table, shown)));
    }
    if (namespace != null) {
      return Optional.of(
          new Target(
              null,
              null,
              namespace,
              null,
              () -> QuotaTableUtil.getNamespaceQuota(connection(), namespace),
              shown -> host.preSetNamespaceQuota(namespace, shown),
              shown -> host.postSetNamespaceQuota(namespace, shown)));
    }
    String server = r.getRegionServer();
    return r.hasRegionServer()
        ? Optional.of(
            new Target(
                null,
                null,
                null,
                server,
                () -> QuotaTableUtil.getRegionServerQuota(connection(), server),
                shown -> host.preSetRegionServerQuota(server, shown),
                shown -> host.postSetRegionServerQuota(server, shown)))
        : Optional.empty();
  }

  private Target ofUser(String user, TableName table, String namespace) {
    if (table != null) {
      return new Target(
          user,
          table,
          null,
          null,
          () -> QuotaTableUtil.getUserQuota(connection(), user, table),
          shown -> host.preSetUserQuota(user, table, shown),
          shown -> host.postSetUserQuota(user, table, shown));
    }
    return namespace != null
        ? new Target(
            user,
            null,
            namespace,
            null,
            () -> QuotaTableUtil.getUserQuota(connection(), user, namespace),
            shown -> host.preSetUserQuota(user, namespace, shown),
            shown -> host.postSetUserQuota(user, namespace, shown))
        : new Target(
            user,
            null,
            null,
            null,
            () -> QuotaTableUtil.getUserQuota(connection(), user),
            shown -> host.preSetUserQuota(user, shown),
            shown -> host.postSetUserQuota(user, shown));
  }

  private Connection connection() {
    return environment.connections().shared();
  }
}
