package dev.cairn.server.rpc;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The services of one port, by name. Immutable. */
final class RpcServices {
  private final Map<String, RpcService> byName;

  RpcServices(List<RpcService> services) {
    Map<String, RpcService> byName = new TreeMap<>();
    for (RpcService service : services) {
      if (byName.put(service.name(), service) != null) {
        throw new IllegalArgumentException("The service " + service.name() + " is given twice");
      }
    }
    this.byName = byName;
  }

  Optional<RpcService> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  String names() {
    return String.join(", ", byName.keySet());
  }
}
