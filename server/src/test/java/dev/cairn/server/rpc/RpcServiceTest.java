package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.rpc.service.CallSubject;
import dev.cairn.server.rpc.service.MethodTables;
import dev.cairn.server.rpc.service.RpcService;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.junit.jupiter.api.Test;

/** Methods of a service that are registered when somebody calls one of them. */
class RpcServiceTest {
  private final List<String> registered = new ArrayList<>();
  private final RpcService service =
      RpcService.builder(MethodTables.CLIENT, List.of())
          .later(group("Get"))
          .later(group("Mutate"))
          .later(group("Scan"))
          .build();

  @Test
  void areNotRegisteredBeforeSomebodyCallsOne() {
    assertThat(registered).isEmpty();
  }

  @Test
  void areRegisteredInTurnUntilOneIsFound() {
    assertThat(service.method("Mutate")).map(method -> method.policy().name()).contains("Mutate");

    assertThat(registered).containsExactly("Get", "Mutate");
    assertThat(service.method("Get")).map(method -> method.policy().name()).contains("Get");
    assertThat(registered).containsExactly("Get", "Mutate");
  }

  @Test
  void areAllRegisteredBeforeAMethodIsUnknown() {
    assertThat(service.method("Multi")).isEmpty();

    assertThat(registered).containsExactly("Get", "Mutate", "Scan");
    assertThat(service.method("Scan")).isPresent();
  }

  @Test
  void areAmongTheNames() {
    assertThat(service.methodNames()).containsExactlyInAnyOrder("Get", "Mutate", "Scan");
  }

  @Test
  void areRefusedIfRegisteredTwice() {
    RpcService twice =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .later(group("Get"))
            .later(group("Get"))
            .build();

    assertThatThrownBy(twice::methodNames).hasMessage("Get is registered twice");
  }

  @Test
  void areTriedAgainIfTheyCouldNotBeRegistered() {
    List<String> failures = new ArrayList<>(List.of("no memory"));
    RpcService failsOnce =
        RpcService.builder(MethodTables.CLIENT, List.of())
            .later(
                builder -> {
                  group("Get").accept(builder);
                  if (!failures.isEmpty()) {
                    throw new IllegalStateException(failures.remove(0));
                  }
                })
            .build();

    assertThatThrownBy(() -> failsOnce.method("Get")).hasMessage("no memory");
    assertThat(failsOnce.method("Get")).map(method -> method.policy().name()).contains("Get");
  }

  private Consumer<RpcService.Builder> group(String method) {
    return builder -> {
      registered.add(method);
      builder.on(
          method,
          GetRequest.getDefaultInstance(),
          CallSubject::cluster,
          (call, request) -> GetResponse.getDefaultInstance());
    };
  }
}
