package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.GroupMessages;
import dev.cairn.server.rpc.RpcEventLoops;
import dev.cairn.server.rpc.client.RpcClient;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockHeartbeatResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SetQuotaResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks hooks around the services for groups of servers, for locks and for settings. */
class OtherServicesTest {
  private static final RpcEventLoops LOOPS = new RpcEventLoops(1, Thread::new);
  private static final RpcClient CLIENT = new RpcClient(LOOPS, "test");

  private static CairnServer server;

  @BeforeAll
  static void start() throws IOException {
    MasterProbe.ACTS.clear();
    server =
        CairnServer.builder()
            .setting(
                "hbase.coprocessor.master.classes",
                "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint,"
                    + MasterProbe.class.getName())
            .setting(
                "hbase.master.loadbalancer.class",
                "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer")
            .start();
  }

  @AfterAll
  static void stop() throws IOException {
    MasterProbe.ACTS.clear();
    CLIENT.close();
    LOOPS.close();
    server.close();
  }

  @BeforeEach
  void begin() {
    MasterProbe.ACTS.clear();
    MasterProbe.CALLS.clear();
  }

  private static <R extends Message> R call(
      String service, String method, Message request, R prototype) throws IOException {
    return CLIENT.call(
        InetSocketAddress.createUnresolved("127.0.0.1", server.endpoints().master().port()),
        service,
        method,
        request,
        prototype,
        Duration.ofMinutes(1));
  }

  private static void group(String method, GroupMessages.Builder request) throws IOException {
    call(
        "MasterService",
        "ExecMasterService",
        CoprocessorServiceRequest.newBuilder()
            .setRegion(
                HBaseProtos.RegionSpecifier.newBuilder()
                    .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME)
                    .setValue(ByteString.EMPTY))
            .setCall(
                CoprocessorServiceCall.newBuilder()
                    .setRow(ByteString.EMPTY)
                    .setServiceName(GroupMessages.SERVICE)
                    .setMethodName(method)
                    .setRequest(request.build().toByteString()))
            .build(),
        CoprocessorServiceResponse.getDefaultInstance());
  }

  private static GroupMessages.Builder request(String method) {
    return GroupMessages.builder(method + "Request");
  }

  private static void hears(String... calls) {
    assertThat(MasterProbe.CALLS).containsSubsequence(calls);
    MasterProbe.CALLS.clear();
  }

  @Test
  void groupsOfServersHaveTheirHooks() throws IOException {
    HBaseProtos.ServerName self = server.endpoints().regionServer().message();
    String shown = self.getHostName() + ":" + self.getPort();
    group("AddRSGroup", request("AddRSGroup").set("r_s_group_name", "g"));
    hears("preAddRSGroup(g)", "postAddRSGroup(g)");
    group("GetRSGroupInfo", request("GetRSGroupInfo").set("r_s_group_name", "g"));
    hears("preGetRSGroupInfo(g)", "postGetRSGroupInfo(g)");
    group("ListRSGroupInfos", request("ListRSGroupInfos"));
    hears("preListRSGroups()", "postListRSGroups()");
    group("GetRSGroupInfoOfServer", request("GetRSGroupInfoOfServer").set("server", self));
    hears("preGetRSGroupInfoOfServer(" + shown + ")", "postGetRSGroupInfoOfServer(" + shown + ")");
    HBaseProtos.TableName table =
        HBaseProtos.TableName.newBuilder()
            .setNamespace(ByteString.copyFromUtf8("default"))
            .setQualifier(ByteString.copyFromUtf8("t"))
            .build();
    group("GetRSGroupInfoOfTable", request("GetRSGroupInfoOfTable").set("table_name", table));
    hears("preGetRSGroupInfoOfTable(t)", "postGetRSGroupInfoOfTable(t)");
    group(
        "UpdateRSGroupConfig",
        request("UpdateRSGroupConfig")
            .set("group_name", "g")
            .add(
                "configuration",
                HBaseProtos.NameStringPair.newBuilder().setName("a").setValue("b").build()));
    hears("preUpdateRSGroupConfig(g, {a=b})", "postUpdateRSGroupConfig(g, {a=b})");
    group("BalanceRSGroup", request("BalanceRSGroup").set("r_s_group_name", "default"));
    assertThat(MasterProbe.CALLS)
        .anyMatch(call -> call.startsWith("preBalanceRSGroup(default, balance dry=false"))
        .anyMatch(call -> call.startsWith("postBalanceRSGroup(default, balance dry=false"));
    group(
        "RenameRSGroup",
        request("RenameRSGroup").set("old_rsgroup_name", "g").set("new_rsgroup_name", "h"));
    hears("preRenameRSGroup(g, h)", "postRenameRSGroup(g, h)");
    assertThatThrownBy(
            () ->
                group(
                    "MoveServers",
                    request("MoveServers").set("target_group", "h").add("servers", self)))
        .isInstanceOf(IOException.class);
    hears("preMoveServers([" + shown + "], h)");
    assertThatThrownBy(
            () ->
                group(
                    "MoveTables",
                    request("MoveTables").set("target_group", "h").add("table_name", table)))
        .isInstanceOf(IOException.class);
    hears("preMoveTables([t], h)");
    assertThatThrownBy(
            () ->
                group(
                    "MoveServersAndTables",
                    request("MoveServersAndTables")
                        .set("target_group", "h")
                        .add("servers", self)
                        .add("table_name", table)))
        .isInstanceOf(IOException.class);
    hears("preMoveServersAndTables([" + shown + "], [t], h)");
    assertThatThrownBy(() -> group("RemoveServers", request("RemoveServers").add("servers", self)))
        .isInstanceOf(IOException.class);
    hears("preRemoveServers([" + shown + "])");
    MasterProbe.ACTS.put(
        "preRemoveRSGroup",
        arguments -> {
          throw new AccessDeniedException("no");
        });
    assertThatThrownBy(
            () -> group("RemoveRSGroup", request("RemoveRSGroup").set("r_s_group_name", "h")))
        .hasMessageContaining("no");
    MasterProbe.ACTS.clear();
    group("RemoveRSGroup", request("RemoveRSGroup").set("r_s_group_name", "h"));
    hears("preRemoveRSGroup(h)", "postRemoveRSGroup(h)");
  }

  @Test
  void locksHaveTheirHooks() throws IOException {
    long id =
        call(
                "LockService",
                "RequestLock",
                LockRequest.newBuilder()
                    .setLockType(LockType.EXCLUSIVE)
                    .setNamespace("n")
                    .setDescription("why")
                    .build(),
                LockResponse.getDefaultInstance())
            .getProcId();
    hears("preRequestLock(n, null, null, why)", "postRequestLock(n, null, null, why)");
    call(
        "LockService",
        "LockHeartbeat",
        LockHeartbeatRequest.newBuilder().setProcId(id).setKeepAlive(true).build(),
        LockHeartbeatResponse.getDefaultInstance());
    hears("preLockHeartbeat(hbase:namespace, why)", "postLockHeartbeat()");
    call(
        "LockService",
        "LockHeartbeat",
        LockHeartbeatRequest.newBuilder().setProcId(id).setKeepAlive(false).build(),
        LockHeartbeatResponse.getDefaultInstance());
    MasterProbe.CALLS.clear();
    call(
        "LockService",
        "LockHeartbeat",
        LockHeartbeatRequest.newBuilder().setProcId(id).setKeepAlive(true).build(),
        LockHeartbeatResponse.getDefaultInstance());
    assertThat(MasterProbe.CALLS).as("the lock is gone").isEmpty();
  }

  @Test
  void aRepeatedRequestOfALockCallsNoHooks() throws IOException {
    LockRequest request =
        LockRequest.newBuilder()
            .setLockType(LockType.EXCLUSIVE)
            .setNamespace("repeated")
            .setDescription("why")
            .setNonceGroup(1)
            .setNonce(2)
            .build();
    LockResponse none = LockResponse.getDefaultInstance();
    long id = call("LockService", "RequestLock", request, none).getProcId();
    hears("preRequestLock(repeated, null, null, why)");
    assertThat(call("LockService", "RequestLock", request, none).getProcId()).isEqualTo(id);
    assertThat(MasterProbe.CALLS).isEmpty();
    call(
        "LockService",
        "LockHeartbeat",
        LockHeartbeatRequest.newBuilder().setProcId(id).setKeepAlive(false).build(),
        LockHeartbeatResponse.getDefaultInstance());
  }

  @Test
  void quotasHaveNoHooksWhereTheyAreOff() {
    assertThatThrownBy(
            () ->
                call(
                    "MasterService",
                    "SetQuota",
                    SetQuotaRequest.newBuilder().setNamespace("n").setBypassGlobals(true).build(),
                    SetQuotaResponse.getDefaultInstance()))
        .hasMessageContaining("quota support disabled");
    assertThat(MasterProbe.CALLS).isEmpty();
  }

  @Test
  void theReloadOfSettingsHasItsHooks() throws IOException {
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      ServerName master = admin.getMaster();
      assertThatThrownBy(() -> admin.updateConfiguration(master))
          .hasMessageContaining("started without a configuration folder");
      assertThat(List.copyOf(MasterProbe.CALLS)).contains("preUpdateMasterConfiguration(settings)");
      MasterProbe.ACTS.put(
          "preUpdateMasterConfiguration",
          arguments -> {
            throw new AccessDeniedException("no");
          });
      assertThatThrownBy(() -> admin.updateConfiguration(master)).hasMessageContaining("no");
    }
  }
}
