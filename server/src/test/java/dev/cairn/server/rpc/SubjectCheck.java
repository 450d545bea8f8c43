package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.server.rpc.service.CallCheck;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodPolicy;
import dev.cairn.server.rpc.service.RpcCall;
import dev.cairn.server.rpc.service.RpcMethod;
import dev.cairn.server.rpc.service.RpcService;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.BootstrapNodeService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.HbckService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStatusService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.Service;

/**
 * Checks that each method of a service passes an interceptor, and that its subject names the table,
 * the region or the namespace that its request names.
 */
public final class SubjectCheck implements CallInterceptor {
  private static final RpcChannel NONE =
      (method, controller, request, prototype, done) -> {
        throw new UnsupportedOperationException();
      };
  private static final List<Service> PROTOCOL =
      List.of(
          AdminService.newStub(NONE),
          BootstrapNodeService.newStub(NONE),
          ClientMetaService.newStub(NONE),
          ClientService.newStub(NONE),
          HbckService.newStub(NONE),
          LockService.newStub(NONE),
          MasterService.newStub(NONE),
          RegionServerStatusService.newStub(NONE));

  /** The messages that name a subject. */
  private static final Set<String> NAMES =
      Set.of("TableName", "RegionSpecifier", "RegionInfo", "TableSchema", "NamespaceDescriptor");

  /**
   * Methods of which the names in the request are no subject: a server reports on itself, or a
   * service of a whole server is called with the message of one of a region.
   */
  private static final Set<String> OTHERS =
      Set.of(
          "ClientService.ExecRegionServerService",
          "MasterService.ExecMasterService",
          "RegionServerStatusService.RegionServerReport",
          "RegionServerStatusService.ReportRegionSpaceUse");

  private static final int DEPTH_MAX = 4;

  private final Set<String> passed = new HashSet<>();

  /** Methods whose subject does not say what their request names. */
  private final Set<String> silent = new TreeSet<>();

  @Override
  public <Q> Optional<CallCheck<Q>> check(MethodPolicy method, CallSubject.Reader<Q> subject) {
    passed.add(method.fullName());
    return Optional.empty();
  }

  /** Checks all methods of services that were built behind this interceptor. */
  public void check(List<RpcService> services) throws IOException {
    for (RpcService service : services) {
      for (String name : service.methodNames()) {
        RpcMethod<?, ?> method = service.method(name).orElseThrow();
        assertThat(passed).contains(method.policy().fullName());
        Optional<Message> request = request(method.policy());
        if (request.isPresent()) {
          checkSubject(method, request.get());
        }
      }
    }
    assertThat(silent).isEmpty();
  }

  private <Q> void checkSubject(RpcMethod<Q, ?> method, Message request) throws IOException {
    String name = method.policy().fullName();
    byte[] sample = sample(request.newBuilderForType(), 0).build().toByteArray();
    CallSubject subject = method.subject().read(call(), method.parser().parse(sample));
    if (subject == CallSubject.CLUSTER
        && !OTHERS.contains(name)
        && names(request.getDescriptorForType(), 0)) {
      silent.add(name);
    }
  }

  private static Optional<Message> request(MethodPolicy policy) {
    for (Service service : PROTOCOL) {
      if (service.getDescriptorForType().getName().equals(policy.service())) {
        MethodDescriptor method = service.getDescriptorForType().findMethodByName(policy.name());
        return Optional.of(service.getRequestPrototype(method));
      }
    }
    return Optional.empty(); // a service of Cairn's own
  }

  /** Tells whether a message or a part of it names a table, a region or a namespace. */
  private static boolean names(Descriptor message, int depth) {
    return NAMES.contains(message.getName())
        || depth < DEPTH_MAX
            && message.getFields().stream()
                .filter(field -> field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
                .anyMatch(field -> names(field.getMessageType(), depth + 1));
  }

  /** Fills the fields of a message. */
  private static Message.Builder sample(Message.Builder message, int depth) {
    if (message.getDescriptorForType().getName().equals("TableName")) {
      ByteString name = ByteString.copyFromUtf8("t");
      return TableName.newBuilder().setNamespace(name).setQualifier(name);
    }
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      boolean isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      if (isMessage && depth > DEPTH_MAX && !field.isRequired()) {
        continue;
      }
      Object value =
          switch (field.getJavaType()) {
            case MESSAGE -> sample(message.newBuilderForField(field), depth + 1).build();
            case STRING -> "t";
            case BYTE_STRING -> ByteString.copyFromUtf8("t");
            case ENUM -> field.getEnumType().getValues().get(0);
            case BOOLEAN -> false;
            case INT -> 0;
            case LONG -> 0L;
            case FLOAT -> 0f;
            case DOUBLE -> 0d;
          };
      if (field.isRepeated()) {
        message.addRepeatedField(field, value);
      } else {
        message.setField(field, value);
      }
    }
    return message;
  }

  private static RpcCall call() {
    return (RpcCall)
        Proxy.newProxyInstance(
            RpcCall.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, method, arguments) -> new CellBuffer());
  }
}
