package dev.cairn.server.process;

import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.traffic.Traffic;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The servers of a process. Thread-safe. */
final class HostedServers {
  private volatile List<HostedServer> servers = List.of();

  /** Publishes the servers, whose ports are bound. Called once. */
  void bound(List<HostedServer> bound) {
    servers = List.copyOf(bound);
  }

  /** Returns the servers in the order in which they start; empty before their ports are bound. */
  List<HostedServer> all() {
    return servers;
  }

  /** Returns the name of each server, in the order of {@link #all}. */
  Map<ServerRole, ServerName> names() {
    Map<ServerRole, ServerName> names = new EnumMap<>(ServerRole.class);
    servers.forEach(server -> names.put(server.bound().role(), server.bound().name()));
    return Collections.unmodifiableMap(names);
  }

  /** Returns the host of the servers; empty before their ports are bound. */
  String hostName() {
    return servers.isEmpty() ? "" : servers.get(0).bound().name().host();
  }

  /** Returns the open regions of all servers. */
  List<HostedRegion> regions() {
    return servers.stream().flatMap(server -> server.regions().stream()).toList();
  }

  /** Returns the traffic of the region server; empty if there is none yet. */
  Optional<Traffic> traffic() {
    return servers.stream().flatMap(server -> server.traffic().stream()).findFirst();
  }

  /** Tells whether others have replaced a server; see {@link HostedServer#isReplaced}. */
  boolean isAnyReplaced() {
    return servers.stream().anyMatch(HostedServer::isReplaced);
  }
}
