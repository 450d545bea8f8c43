package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.rpc.service.MethodTable;
import dev.cairn.server.rpc.service.RpcService;
import java.util.List;

/** Compares services with the table of their methods. */
public final class ProtocolCheck {
  private ProtocolCheck() {}

  /** Checks that exactly the methods that the service's table declares are registered. */
  public static void assertServesItsTable(List<RpcService> services, MethodTable... tables) {
    assertThat(services.stream().map(RpcService::name))
        .containsExactlyInAnyOrderElementsOf(
            List.of(tables).stream().map(MethodTable::service).toList());
    for (MethodTable table : tables) {
      RpcService service =
          services.stream()
              .filter(one -> one.name().equals(table.service()))
              .findFirst()
              .orElseThrow();
      assertThat(service.methodNames())
          .as(table.service())
          .containsExactlyInAnyOrderElementsOf(table.served());
    }
  }
}
