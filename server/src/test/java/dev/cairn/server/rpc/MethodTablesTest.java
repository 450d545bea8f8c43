package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.rpc.MethodPolicy.Subject.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.BootstrapNodeService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.HbckService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStatusService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of methods and HBase's protocol agree. */
class MethodTablesTest {
  /** The types of fields that name a region, a table or a namespace; others are plain names. */
  private static final Map<String, Kind> KINDS =
      Map.of("RegionSpecifier", Kind.REGION, "RegionInfo", Kind.REGION, "TableName", Kind.TABLE);

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

  @ParameterizedTest
  @MethodSource("tables")
  void eachSubjectIsAFieldOfTheRequest(MethodTable table, ServiceDescriptor protocol) {
    for (String name : table.served()) {
      MethodPolicy.Subject subject = table.find(name).orElseThrow().subject();
      Descriptor request = protocol.findMethodByName(name).getInputType();
      if (subject.kind() == Kind.NONE) {
        assertThat(subject.field()).isEmpty();
        continue;
      }
      FieldDescriptor field = null;
      for (String part : subject.field().split("[.]")) {
        Descriptor message = field == null ? request : field.getMessageType();
        field = message.findFieldByName(part);
        assertThat(field).as("%s: %s in %s", name, part, message.getName()).isNotNull();
      }
      if (field.getJavaType() == JavaType.MESSAGE) {
        assertThat(KINDS.get(field.getMessageType().getName())).as(name).isEqualTo(subject.kind());
      }
    }
  }

  @Test
  void aMethodWithoutAnEntryCannotBeRegistered() {
    assertThatThrownBy(
            () ->
                RpcService.builder(MethodTables.CLIENT)
                    .on(
                        "Frobnicate",
                        GetRequest.getDefaultInstance(),
                        (call, request) -> GetResponse.getDefaultInstance()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ClientService.Frobnicate has no entry in MethodTables: add one");
  }

  @Test
  void interceptorsStandBeforeEachMethodInTheirOrder() throws Exception {
    StringBuilder log = new StringBuilder();
    RpcService service =
        RpcService.builder(MethodTables.CLIENT)
            .behind(List.of(logging("a", log), logging("b", log)))
            .later(
                methods ->
                    methods.<MultiRequest, MultiResponse>on(
                        "Multi",
                        RpcMethod.Parser.of(MultiRequest.getDefaultInstance()),
                        (call, request) -> CallOutcome.declined(),
                        Optional.empty(),
                        ResponseBody::of))
            .build();
    @SuppressWarnings("unchecked") // as registered
    RpcMethod<MultiRequest, MultiResponse> multi =
        (RpcMethod<MultiRequest, MultiResponse>) service.method("Multi").orElseThrow();
    multi.handler().handle(null, MultiRequest.getDefaultInstance());
    assertThat(log).hasToString("a ClientService.Multi, b ClientService.Multi, ");
  }

  private static CallInterceptor logging(String name, StringBuilder log) {
    return new CallInterceptor() {
      @Override
      public <Q, R> RpcMethod.Handler<Q, R> around(
          MethodPolicy method, RpcMethod.Handler<Q, R> next) {
        return (call, request) -> {
          log.append(name).append(' ').append(method.fullName()).append(", ");
          return next.handle(call, request);
        };
      }
    };
  }
}
