package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodPolicy.Queue;
import dev.cairn.server.rpc.service.MethodTable;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.BootstrapNodeService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.HbckService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStatusService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of methods and HBase's protocol agree. */
class MethodTablesTest {
  static Stream<Arguments> tables() {
    return Stream.of(
        Arguments.of(MethodTables.CLIENT, ClientService.getDescriptor()),
        Arguments.of(MethodTables.ADMIN, AdminService.getDescriptor()),
        Arguments.of(MethodTables.MASTER, MasterService.getDescriptor()),
        Arguments.of(MethodTables.HBCK, HbckService.getDescriptor()),
        Arguments.of(MethodTables.LOCK, LockService.getDescriptor()),
        Arguments.of(MethodTables.REGION_SERVER_STATUS, RegionServerStatusService.getDescriptor()),
        Arguments.of(MethodTables.CLIENT_META, ClientMetaService.getDescriptor()),
        Arguments.of(MethodTables.BOOTSTRAP_NODE, BootstrapNodeService.getDescriptor()));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void eachMethodOfTheProtocolIsServedOrRefused(MethodTable table, ServiceDescriptor protocol) {
    assertThat(table.service()).isEqualTo(protocol.getName());
    assertThat(protocol.getMethods().stream().map(MethodDescriptor::getName))
        .containsAll(table.served())
        .allMatch(
            name -> table.find(name).isPresent() != table.refusal(name).isPresent(),
            "is served or refused");
  }

  @Test
  void slowMessagesToReplicasDoNotHoldUpAdministration() {
    assertThat(MethodTables.ADMIN.find("Replay").orElseThrow().queue())
        .isEqualTo(Queue.REPLICATION);
    assertThat(MethodTables.ADMIN.find("OpenRegion").orElseThrow().queue())
        .isEqualTo(Queue.PRIORITY);
  }

  @Test
  void aMethodWithoutAnEntryCannotBeRegistered() {
    assertThatThrownBy(
            () ->
                RpcService.builder(MethodTables.CLIENT, List.of())
                    .on(
                        "Frobnicate",
                        GetRequest.getDefaultInstance(),
                        CallSubject::cluster,
                        (call, request) -> GetResponse.getDefaultInstance()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ClientService.Frobnicate has no entry in MethodTables: add one");
  }
}
