package dev.cairn.coprocessor.master;

import dev.cairn.server.catalog.GroupMessages;
import dev.cairn.server.catalog.GroupMessages.Reader;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.BalanceResponse;
import org.apache.hadoop.hbase.master.MasterCoprocessorHost;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;

/** The hooks around the methods of the service for groups of region servers. */
record GroupCalls(MasterCoprocessorHost host) {
  void register(MasterCalls calls) {
    on(
        calls,
        "MoveServers",
        "MoveServers",
        r -> host.preMoveServers(servers(r), r.text("target_group")),
        r -> host.postMoveServers(servers(r), r.text("target_group")));
    on(
        calls,
        "MoveTables",
        "MoveTables",
        r -> host.preMoveTables(tables(r), r.text("target_group")),
        r -> host.postMoveTables(tables(r), r.text("target_group")));
    on(
        calls,
        "MoveServersAndTables",
        "MoveServersAndTables",
        r -> host.preMoveServersAndTables(servers(r), tables(r), r.text("target_group")),
        r -> host.postMoveServersAndTables(servers(r), tables(r), r.text("target_group")));
    on(
        calls,
        "RemoveServers",
        "RemoveServers",
        r -> host.preRemoveServers(servers(r)),
        r -> host.postRemoveServers(servers(r)));
    on(
        calls,
        "AddRSGroup",
        "AddRSGroup",
        r -> host.preAddRSGroup(r.text("r_s_group_name")),
        r -> host.postAddRSGroup(r.text("r_s_group_name")));
    on(
        calls,
        "RemoveRSGroup",
        "RemoveRSGroup",
        r -> host.preRemoveRSGroup(r.text("r_s_group_name")),
        r -> host.postRemoveRSGroup(r.text("r_s_group_name")));
    on(
        calls,
        "RenameRSGroup",
        "RenameRSGroup",
        r -> host.preRenameRSGroup(r.text("old_rsgroup_name"), r.text("new_rsgroup_name")),
        r -> host.postRenameRSGroup(r.text("old_rsgroup_name"), r.text("new_rsgroup_name")));
    on(
        calls,
        "UpdateRSGroupConfig",
        "UpdateRSGroupConfig",
        r -> host.preUpdateRSGroupConfig(r.text("group_name"), r.pairs("configuration")),
        r -> host.postUpdateRSGroupConfig(r.text("group_name"), r.pairs("configuration")));
    registerQueries(calls);
    registerBalance(calls);
  }

  private void registerQueries(MasterCalls calls) {
    on(
        calls,
        "GetRSGroupInfo",
        "GetRSGroupInfo",
        r -> host.preGetRSGroupInfo(r.text("r_s_group_name")),
        r -> host.postGetRSGroupInfo(r.text("r_s_group_name")));
    on(
        calls,
        "GetRSGroupInfoOfTable",
        "GetRSGroupInfoOfTable",
        r -> host.preGetRSGroupInfoOfTable(table(r.table("table_name"))),
        r -> host.postGetRSGroupInfoOfTable(table(r.table("table_name"))));
    on(
        calls,
        "GetRSGroupInfoOfServer",
        "GetRSGroupInfoOfServer",
        r -> host.preGetRSGroupInfoOfServer(server(r.server("server"))),
        r -> host.postGetRSGroupInfoOfServer(server(r.server("server"))));
    on(
        calls,
        "ListRSGroupInfos",
        "ListRSGroups",
        r -> host.preListRSGroups(),
        r -> host.postListRSGroups());
  }

  private void registerBalance(MasterCalls calls) {
    calls.<CoprocessorServiceRequest, CoprocessorServiceResponse>on(
        name("BalanceRSGroup"),
        CoprocessorServiceRequest.class,
        (request, body) -> {
          Reader r = GroupMessages.parse("BalanceRSGroupRequest", request.getCall().getRequest());
          String group = r.text("r_s_group_name");
          BalanceRequest shown =
              BalanceRequest.newBuilder()
                  .setIgnoreRegionsInTransition(r.flag("ignore_rit"))
                  .setDryRun(r.flag("dry_run"))
                  .build();
          host.preBalanceRSGroup(group, shown);
          CoprocessorServiceResponse response = body.run(request);
          Reader answer =
              GroupMessages.parse("BalanceRSGroupResponse", response.getValue().getValue());
          host.postBalanceRSGroup(
              group,
              shown,
              BalanceResponse.newBuilder()
                  .setBalancerRan(answer.flag("balanceRan"))
                  .setMovesCalculated(answer.number("moves_calculated"))
                  .setMovesExecuted(answer.number("moves_executed"))
                  .build());
          return response;
        },
        "preBalanceRSGroup",
        "postBalanceRSGroup");
  }

  private static String name(String method) {
    return GroupMessages.SERVICE + "." + method;
  }

  private static void on(
      MasterCalls calls,
      String method,
      String hook,
      MasterCalls.Hook<Reader> before,
      MasterCalls.Hook<Reader> after) {
    calls.on(
        name(method),
        CoprocessorServiceRequest.class,
        "pre" + hook,
        r -> before.call(request(method, r)),
        "post" + hook,
        r -> after.call(request(method, r)));
  }

  private static Reader request(String method, CoprocessorServiceRequest request)
      throws IOException {
    return GroupMessages.parse(method + "Request", request.getCall().getRequest());
  }

  private static Set<Address> servers(Reader request) throws IOException {
    Set<Address> servers = new LinkedHashSet<>();
    request.servers("servers").forEach(one -> servers.add(server(one)));
    return servers;
  }

  private static Set<TableName> tables(Reader request) throws IOException {
    Set<TableName> tables = new LinkedHashSet<>();
    request.tables("table_name").forEach(one -> tables.add(table(one)));
    return tables;
  }

  private static Address server(dev.cairn.server.catalog.Address server) {
    return Address.fromParts(server.host(), server.port());
  }

  private static TableName table(dev.cairn.engine.schema.TableName table) {
    return TableName.valueOf(table.toString());
  }
}
