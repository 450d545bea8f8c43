package dev.cairn.server.process;

import dev.cairn.server.config.ServerRole;
import dev.cairn.server.metrics.JmxBeans;
import dev.cairn.server.metrics.MetricRegistry;
import dev.cairn.server.metrics.MetricSource;
import dev.cairn.server.metrics.RecordName;
import dev.cairn.server.metrics.Scope.Label;
import dev.cairn.server.process.metrics.GcPauses;
import dev.cairn.server.process.metrics.JvmMetrics;
import dev.cairn.server.process.metrics.SessionMetrics;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The metrics of a process: those of its servers, of their sessions, and of its JVM. */
final class ProcessMetrics {
  /** The time between two updates of the tables' JMX beans. */
  private static final long BEANS_SECONDS = 10;

  private final Host host;
  private final Set<ServerRole> roles;
  private final HostedServers servers;
  private final ServerSessions sessions;
  private final GcPauses gcPauses = new GcPauses();
  private final MetricRegistry registry;

  ProcessMetrics(Host host, Set<ServerRole> roles, HostedServers servers, ServerSessions sessions) {
    this.host = host;
    this.roles = roles;
    this.servers = servers;
    this.sessions = sessions;
    this.registry = new MetricRegistry(host.clock(), servers::hostName, this::sources);
  }

  /** Returns the registry of all metrics. */
  MetricRegistry registry() {
    return registry;
  }

  /** Registers JMX beans, after the start: this takes time and memory that the start needs. */
  void startBeans() {
    JmxBeans beans = new JmxBeans(registry, ManagementFactory::getPlatformMBeanServer);
    host.shutdown().then("JMX beans", beans::close);
    host.shutdown().then("garbage collection's listener", gcPauses::close);
    host.threads()
        .timer()
        .scheduleWithFixedDelay(
            () -> host.threads().background().execute(beans::refresh),
            BEANS_SECONDS,
            BEANS_SECONDS,
            TimeUnit.SECONDS);
  }

  private Collection<MetricSource> sources() {
    List<MetricSource> sources = new ArrayList<>();
    servers.all().forEach(server -> sources.addAll(server.metrics()));
    servers.all().forEach(server -> sources.add(cluster(server.bound())));
    sources.addAll(host.hooks().metrics());
    String process = roles.contains(ServerRole.MASTER) ? "Master" : "RegionServer";
    sources.add(JvmMetrics.source(process, gcPauses));
    return sources;
  }

  /** Returns what a server's record says about its cluster. */
  private MetricSource cluster(BoundServer server) {
    String kind = server.role() == ServerRole.MASTER ? "Master" : "RegionServer";
    return MetricSource.of(
        RecordName.of(kind, "Server", kind.toLowerCase(Locale.ROOT))
            .with(List.of(new Label("server", server.name().hostAndPort()))),
        to -> {
          to.tag("zookeeperQuorum", sessions.quorum().orElse(""))
              .tag("clusterId", sessions.clusterId().orElse(""));
          sessions.lease(server.name()).ifPresent(lease -> SessionMetrics.addTo(to, lease));
          if (server.role() == ServerRole.REGION_SERVER) {
            gcPauses.collect(to);
          }
        });
  }
}
