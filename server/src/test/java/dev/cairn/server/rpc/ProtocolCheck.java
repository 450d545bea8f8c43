package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;

/** Holds services against what HBase's protocol says of them. */
public final class ProtocolCheck {
  private ProtocolCheck() {}

  /** Fails if a service has another name, or a method that the protocol does not have. */
  public static void assertKnown(List<RpcService> services) {
    assertThat(services).isNotEmpty();
    for (RpcService service : services) {
      assertThat(service.descriptor().getName()).isEqualTo(service.name());
      assertThat(service.descriptor().getMethods().stream().map(MethodDescriptor::getName))
          .as(service.name())
          .containsAll(service.methodNames());
    }
  }
}
