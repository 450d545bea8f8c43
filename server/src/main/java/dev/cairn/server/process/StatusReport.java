package dev.cairn.server.process;

import dev.cairn.engine.storage.Storage.BytesRead;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.http.ServerStatus;
import dev.cairn.server.http.ServerStatus.Fact;
import dev.cairn.server.process.metrics.MemoryUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Gathers what the web page shows. */
final class StatusReport {
  private static final String STARTING = "starting";
  private static final double MEGA = 1 << 20;

  private StatusReport() {}

  /**
   * Returns the facts for the web page.
   *
   * @param servers the servers of the process; the last one names it
   * @param zooKeeper empty in the first moments of a start
   * @param memory the memory usage
   * @param warnings the warnings about settings and attributes without effect
   * @param read the bytes read from HDFS; empty on a local disk
   * @param session the timeout that ZooKeeper has given the session; empty before there is one
   */
  static ServerStatus of(
      List<HostedServer> servers,
      Optional<String> zooKeeper,
      MemoryUsage memory,
      Optional<BytesRead> read,
      List<String> warnings,
      Optional<Duration> session,
      Clock clock) {
    ServerName name = servers.get(servers.size() - 1).bound().name();
    Duration up = Duration.ofMillis(clock.currentTimeMillis() - name.startCode());
    List<Fact> facts = new ArrayList<>();
    for (HostedServer server : servers) {
      BoundServer bound = server.bound();
      facts.add(0, new Fact(bound.role().title(), bound.name().hostAndPort()));
    }
    facts.addAll(
        List.of(
            new Fact("ZooKeeper", zooKeeper.orElse(STARTING)),
            new Fact("Started", Instant.ofEpochMilli(name.startCode()).toString()),
            new Fact(
                "Up for",
                up.truncatedTo(ChronoUnit.SECONDS)
                    .toString()
                    .substring(2)
                    .toLowerCase(Locale.ROOT)),
            new Fact("Java", Runtime.version().toString()),
            new Fact("Memory", memory.line())));
    read.ifPresent(bytes -> facts.add(new Fact("Read from HDFS", line(bytes))));
    session.ifPresent(
        timeout -> facts.add(new Fact("ZooKeeper session", timeout.toMillis() + " ms")));
    warnings.forEach(warning -> facts.add(new Fact("Without effect", warning)));
    servers.stream()
        .flatMap(server -> server.loadNotices().stream())
        .forEach(notice -> facts.add(new Fact("Load", notice)));
    return new ServerStatus(name.toString(), version(), facts, clock.currentTimeMillis(), session);
  }

  private static String line(BytesRead read) {
    return String.format(
        Locale.ROOT,
        "%.1f MB from this machine (%.1f MB short-circuit), %.1f MB from others",
        read.local() / MEGA,
        read.shortCircuit() / MEGA,
        read.remote() / MEGA);
  }

  /** Returns the version of Cairn; empty if the classes are in no jar. */
  static String version() {
    String version = StatusReport.class.getPackage().getImplementationVersion();
    return version == null ? "" : version;
  }
}
