package dev.cairn.server.rpc.service;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The services of one port, by name. Immutable. */
public final class RpcServices {
  private final Map<String, RpcService> byName;

  public RpcServices(List<RpcService> services) {
    Map<String, RpcService> byName = new TreeMap<>();
    for (RpcService service : services) {
      if (byName.put(service.name(), service) != null) {
        throw new IllegalArgumentException("The service " + service.name() + " is given twice");
      }
    }
    this.byName = byName;
  }

  public Optional<RpcService> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public String names() {
    return String.join(", ", byName.keySet());
  }
}
