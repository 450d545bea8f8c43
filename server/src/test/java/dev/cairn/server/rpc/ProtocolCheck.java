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

  /**
   * Checks that each method of these services is either registered or refused with the feature's
   * name, but not both.
   */
  public static void assertEachIsServedOrNamed(List<RpcService> services) {
    assertThat(services).isNotEmpty();
    for (RpcService service : services) {
      for (MethodDescriptor method : service.descriptor().getMethods()) {
        boolean served = service.methodNames().contains(method.getName());
        assertThat(UnsupportedFeatures.refusal(service.name(), method.getName()).isPresent())
            .as("%s.%s is refused by name", service.name(), method.getName())
            .isEqualTo(!served);
      }
    }
  }
}
