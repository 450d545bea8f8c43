package dev.cairn.launcher.run;

import dev.cairn.engine.time.Clock;
import dev.cairn.launcher.control.Role;
import dev.cairn.launcher.control.RoleFiles;
import dev.cairn.launcher.control.RoleStatus;
import dev.cairn.launcher.control.StartOutput;
import dev.cairn.launcher.folder.RootFolder;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.HostAndPort;
import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.launcher.site.LocalPaths;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.log.ServerLog;
import dev.cairn.server.process.CairnProcess;
import dev.cairn.server.process.Endpoints;
import dev.cairn.server.process.ZooKeeperProcess;
import dev.cairn.server.process.keys.ProcessSettings;
import dev.cairn.server.process.keys.ZooKeeperKeys;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine;

/**
 * Runs one process of a cluster: {@code cairn master}, {@code cairn regionserver} or {@code cairn
 * zookeeper}.
 *
 * @param cairn has the settings
 * @param overrides settings that override those of {@code hbase-site.xml}
 * @param files receive the status of the process, if it runs in the background
 * @param out receives what a long start waits for, and the addresses once the process serves
 * @param err receives errors of the stop
 */
public record RoleProcess(
    CommandContext cairn,
    Role role,
    Map<String, String> overrides,
    Optional<RoleFiles> files,
    PrintWriter out,
    PrintWriter err) {
  /** The time after which a region server that still waits for a master is reported as started. */
  private static final Duration MASTER_PATIENCE = Duration.ofSeconds(5);

  /** A running server. */
  private interface Running extends Closeable {
    /** Returns its addresses and data folder, by name. */
    Map<String, String> facts();

    /** Waits until it has ended. Returns the reason, unless it was asked to end. */
    Optional<String> awaitEnded() throws InterruptedException;

    /** Tells, once it has ended by itself, whether it may {@link #startAgain}. */
    default boolean mayStartAgain() {
      return false;
    }

    /** Restarts it. */
    default Running startAgain() throws IOException, InterruptedException {
      throw new IllegalStateException("It must not start again");
    }
  }

  /**
   * Runs a process until it is stopped.
   *
   * @param overrides settings that override those of {@code hbase-site.xml}
   * @return the exit status
   */
  public static int run(
      CommandContext cairn, Role role, Map<String, String> overrides, CommandLine commandLine)
      throws IOException, InterruptedException {
    return new RoleProcess(
            cairn,
            role,
            overrides,
            RoleFiles.ofEnvironment(cairn.environment()),
            commandLine.getOut(),
            commandLine.getErr())
        .run();
  }

  private int run() throws IOException, InterruptedException {
    cairn.logAsConfigured();
    ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current());
    if (files.isPresent()) {
      files.get().begin(self);
    }
    AtomicBoolean asked = new AtomicBoolean();
    AtomicBoolean failed = new AtomicBoolean();
    AtomicReference<Running> server = new AtomicReference<>(begin());
    Restarts restarts = new Restarts(this::notice);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  asked.set(true);
                  stop(server.get(), failed.get());
                },
                "cairn-stop"));
    while (true) {
      RoleStatus status = new RoleStatus(self, System.currentTimeMillis(), server.get().facts());
      if (files.isPresent()) {
        files.get().publish(status);
      }
      announce(status);
      Optional<String> failure = server.get().awaitEnded();
      if (failure.isEmpty() || asked.get()) {
        return 0;
      }
      if (!server.get().mayStartAgain()) {
        failed.set(true);
        throw new LauncherException(failure.get());
      }
      Running ended = server.get();
      ended.close();
      try {
        server.set(restarts.start(failure.get(), ended::startAgain));
      } catch (LauncherException | ConfigException e) {
        failed.set(true);
        throw e;
      }
    }
  }

  private Running begin() throws IOException, InterruptedException {
    try {
      return role.server().isPresent()
          ? startServer(role.server().get(), Optional.empty())
          : startZooKeeper();
    } catch (IOException | RuntimeException | InterruptedException e) {
      forget();
      throw e;
    }
  }

  /**
   * Starts a server.
   *
   * @param ended the ended process that this one replaces; empty for the first start
   */
  private Running startServer(ServerRole server, Optional<CairnProcess> ended)
      throws IOException, InterruptedException {
    SiteConfig config = config();
    if (!ProcessSettings.usesOtherZooKeeper(config)) {
      throw new ConfigException(
          "cairn "
              + role
              + " starts a server of a cluster: set hbase.cluster.distributed to true, and"
              + " hbase.rootdir and hbase.zookeeper.quorum to those of the cluster. To start a"
              + " standalone server, use cairn start");
    }
    RootFolder.Open root = RootFolder.open(config, cairn.installation().home(), this::notice);
    CairnProcess process;
    try {
      process =
          ended.isPresent()
              ? CairnProcess.startAgain(
                  ended.get(),
                  config,
                  this::config,
                  root.storage(),
                  Optional.empty(),
                  Clock.SYSTEM,
                  this::notice)
              : CairnProcess.start(
                  config,
                  this::config,
                  root.storage(),
                  Optional.empty(),
                  Clock.SYSTEM,
                  this::notice,
                  Set.of(server));
    } catch (IOException | RuntimeException e) {
      root.close();
      ServerLog.writeCounts();
      throw e;
    }
    if (server == ServerRole.REGION_SERVER && !process.awaitServing(MASTER_PATIENCE)) {
      notice("Waiting for the master of the cluster at " + process.endpoints().zooKeeper());
    }
    return new RunningServer(this, process, root, server);
  }

  private Running startZooKeeper() throws IOException {
    SiteConfig config = config();
    Path folder =
        config
            .find(ZooKeeperKeys.DATA_DIR)
            .filter(text -> !text.isBlank())
            .map(
                text ->
                    LocalPaths.absolute(ZooKeeperKeys.DATA_DIR, text, cairn.installation().home()))
            .or(() -> cairn.installation().home().map(home -> home.resolve("zookeeper")))
            .orElseThrow(() -> new ConfigException(ZooKeeperKeys.DATA_DIR.name() + " is not set"));
    return new RunningZooKeeper(ZooKeeperProcess.start(config, folder), folder);
  }

  /** Reads the present settings. */
  private SiteConfig config() {
    return cairn.readSiteConfig().withTexts(overrides);
  }

  private void notice(String line) {
    out.println(StartOutput.NOTICE_PREFIX + line);
    out.flush();
  }

  private void announce(RoleStatus status) {
    out.println(StartOutput.SERVES);
    status.facts().forEach((name, value) -> Descriptions.line(name, value, out));
    out.flush();
  }

  private void stop(Running server, boolean failed) {
    try {
      server.close();
      if (!failed) {
        forget();
      }
    } catch (IOException | RuntimeException e) {
      err.println(Failures.ERROR_PREFIX + "stopping failed: " + Failures.reason(e));
      err.flush();
    }
    ServerLog.writeCounts();
  }

  private void forget() throws IOException {
    if (files.isPresent()) {
      files.get().delete();
    }
  }

  private record RunningServer(
      RoleProcess starter, CairnProcess process, RootFolder.Open root, ServerRole role)
      implements Running {
    @Override
    public Map<String, String> facts() {
      Endpoints endpoints = process.endpoints();
      ServerName name = endpoints.servers().get(role);
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("server", name.toString());
      facts.put("ZooKeeper", endpoints.zooKeeper());
      endpoints
          .web()
          .ifPresent(
              web -> {
                facts.put("web", "http://" + HostAndPort.text(name.host(), web.getPort()) + "/");
                facts.put(
                    RoleStatus.HEALTH,
                    "http://" + HostAndPort.onThisMachine(web) + "/health?format=json");
              });
      facts.put("data folder", root.name());
      return facts;
    }

    @Override
    public Optional<String> awaitEnded() throws InterruptedException {
      boolean asked = process.awaitStopped();
      return asked
          ? Optional.empty()
          : process.failure().or(() -> Optional.of("the server ended by itself: its log says why"));
    }

    @Override
    public boolean mayStartAgain() {
      return process.mayStartAgain();
    }

    @Override
    public Running startAgain() throws IOException, InterruptedException {
      return starter.startServer(role, Optional.of(process));
    }

    @Override
    public void close() throws IOException {
      try (root) {
        process.close();
      }
    }
  }

  private record RunningZooKeeper(ZooKeeperProcess process, Path folder) implements Running {
    @Override
    public Map<String, String> facts() {
      Map<String, String> facts = new LinkedHashMap<>();
      facts.put("ZooKeeper", process.address());
      facts.put("data folder", folder.toString());
      return facts;
    }

    @Override
    public Optional<String> awaitEnded() throws InterruptedException {
      return process.awaitEnded();
    }

    @Override
    public void close() {
      process.close();
    }
  }
}
