package dev.cairn.server.process;

import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.LiveConfig;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.filter.FilterKeys;
import dev.cairn.server.health.HealthMonitor;
import dev.cairn.server.hook.HookModule;
import dev.cairn.server.hook.ServerHost;
import dev.cairn.server.process.health.DamagedFilesHealth;
import dev.cairn.server.process.health.DiskHealth;
import dev.cairn.server.process.health.MemoryHealth;
import dev.cairn.server.process.keys.BindAddresses;
import dev.cairn.server.regionserver.hooked.AbsentClasses;
import dev.cairn.server.regionserver.hooked.HandlerShares;
import dev.cairn.server.regionserver.hooked.HookTimes;
import dev.cairn.server.rpc.client.RpcClient;
import dev.cairn.server.rpc.service.CallInterceptor;
import dev.cairn.server.tracing.CallTracing;
import dev.cairn.server.tracing.OtlpTracing;
import dev.cairn.server.tracing.TracingSettings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/**
 * Holds the resources that the servers of one process share.
 *
 * @param config the settings of the start
 * @param live the settings as they change at run time
 * @param storage the root directory
 * @param client calls other servers, and those of this process
 * @param health receives the health checks of the servers
 * @param tracing traces calls, if the settings name a collector
 * @param hooks runs the coprocessors of all servers
 * @param shutdown closes the resources that the servers open
 * @param failed completes when the process must end: normally if a server was stopped, else
 *     exceptionally with the reason
 */
record Host(
    SiteConfig config,
    LiveConfig live,
    Storage storage,
    Clock clock,
    ServerThreads threads,
    EngineParts engine,
    RpcClient client,
    HealthMonitor health,
    Optional<CallTracing> tracing,
    HookModule hooks,
    Shutdown shutdown,
    CompletableFuture<Void> failed) {
  /** The user of the servers' own calls. */
  static final String USER = System.getProperty("user.name", "cairn");

  /**
   * Creates the shared parts; {@link #shutdown} closes them.
   *
   * @param quorum returns the addresses of ZooKeeper, once that has started
   */
  static Host of(
      LiveConfig live,
      Storage storage,
      Clock clock,
      HealthMonitor health,
      Supplier<String> quorum) {
    SiteConfig config = live.current();
    HookTimes times = new HookTimes();
    ServerThreads threads = new ServerThreads(config, clock, times);
    live.afterReload(() -> threads.resize(live.current()));
    DamagedFilesHealth damagedFiles = new DamagedFilesHealth(storage);
    EngineParts engine = new EngineParts(live, storage, clock, threads, damagedFiles);
    RpcClient client = new RpcClient(threads.loops(), USER);
    Shutdown shutdown = new Shutdown();
    shutdown.then("threads", threads::close);
    shutdown.then("MOB files", engine::close);
    shutdown.then("RPC client", client::close);
    HookModule hooks = new HookModule(hookHost(config, live::current, clock, times, quorum));
    shutdown.then("coprocessors", hooks::close);
    Optional<CallTracing> tracing =
        TracingSettings.of(config).map(settings -> startTracing(settings, threads, shutdown));
    health.add(new DiskHealth(storage, config.get(DiskHealth.ROOM_MIN)));
    health.add(damagedFiles);
    health.add(new MemoryHealth(engine::memoryUsage));
    return new Host(
        config,
        live,
        storage,
        clock,
        threads,
        engine,
        client,
        health,
        tracing,
        hooks,
        shutdown,
        new CompletableFuture<>());
  }

  /** Describes a process with {@code config} to its coprocessors. */
  static ServerHost hookHost(
      SiteConfig config,
      Supplier<SiteConfig> current,
      Clock clock,
      HookTimes times,
      Supplier<String> quorum) {
    return new ServerHost(
        config,
        current,
        quorum,
        FilterKeys.copies(config),
        BindAddresses.isLoopback(BindAddresses.of(config).regionServer()),
        clock,
        new HandlerShares(clock),
        times,
        new AbsentClasses());
  }

  /** Returns the interceptors of all calls to the services of the process, the first outermost. */
  List<CallInterceptor> interceptors() {
    return List.of();
  }

  private static CallTracing startTracing(
      TracingSettings settings, ServerThreads threads, Shutdown shutdown) {
    try {
      OtlpTracing tracing =
          new OtlpTracing(
              settings, threads.background(), () -> ThreadLocalRandom.current().nextDouble());
      shutdown.then("traces", tracing::close);
      return tracing;
    } catch (NoClassDefFoundError e) {
      throw new ConfigException(
          "cairn.tracing.endpoint needs io.opentelemetry's opentelemetry-sdk-trace,"
              + " opentelemetry-exporter-otlp and opentelemetry-exporter-sender-jdk on the class"
              + " path",
          e);
    }
  }
}
