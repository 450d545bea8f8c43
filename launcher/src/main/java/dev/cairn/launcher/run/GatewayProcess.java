package dev.cairn.launcher.run;

import dev.cairn.launcher.apache.Gateway;
import dev.cairn.launcher.apache.SettingsClassLoader;
import dev.cairn.launcher.client.RunningServer;
import dev.cairn.launcher.control.Role;
import dev.cairn.launcher.control.RoleFiles;
import dev.cairn.launcher.control.RoleStatus;
import dev.cairn.launcher.control.StartOutput;
import dev.cairn.launcher.output.Descriptions;
import dev.cairn.launcher.output.Failures;
import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.HostAndPort;
import dev.cairn.launcher.process.ProcessIdentity;
import dev.cairn.launcher.site.CommandContext;
import dev.cairn.server.process.keys.BindAddresses;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * Runs a gateway of Apache HBase in this process: {@code cairn rest}, {@code cairn thrift} or
 * {@code cairn thrift2}. Its classes come from {@code lib/gateways.classpath} alone and share
 * nothing with Cairn's, so it brings its own Hadoop.
 *
 * @param cairn has the settings
 * @param role the kind of gateway
 * @param overrides settings that override those of {@code hbase-site.xml}
 * @param arguments the arguments of Apache's command
 * @param out receives the address once the gateway answers
 */
public record GatewayProcess(
    CommandContext cairn,
    Role role,
    Map<String, String> overrides,
    List<String> arguments,
    PrintWriter out) {
  /** Names the jars, relative to the folder above {@code bin}. */
  private static final String JARS = "lib/gateways.classpath";

  /** The time between two checks of the port: the program does not report that it listens. */
  private static final long POLL_MILLIS = 20;

  /** Runs the gateway until it is stopped, and returns the exit status. */
  public int run() throws IOException {
    cairn.logAsConfigured();
    ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current());
    Optional<RoleFiles> files = RoleFiles.ofEnvironment(cairn.environment());
    String classPath = classPath();
    Gateway.Plan plan =
        Gateway.valueOf(role.name())
            .plan(settings(), BindAddresses.forOthers(cairn.siteConfig()), arguments);
    if (files.isPresent()) {
      RoleFiles own = files.get();
      own.begin(self);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> forget(own), "cairn-stop"));
    }
    Thread watch = new Thread(() -> awaitAnswer(plan, self, files), "cairn-gateway-start");
    watch.setDaemon(true);
    watch.start();
    run(plan, classPath);
    return 0;
  }

  private void run(Gateway.Plan plan, String classPath) {
    ClassLoader loader = new SettingsClassLoader(plan.settings(), folders(), classPath);
    Thread.currentThread().setContextClassLoader(loader);
    try {
      Method program =
          Class.forName(Gateway.valueOf(role.name()).program(), true, loader)
              .getMethod("main", String[].class);
      program.invoke(null, (Object) plan.arguments().toArray(String[]::new));
    } catch (InvocationTargetException e) {
      throw new LauncherException(
          "the " + role.title() + " ended: " + Failures.reason(e.getCause()), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new LauncherException("the jars of " + JARS + " are incomplete: " + e, e);
    }
  }

  private String classPath() throws IOException {
    Path home =
        cairn
            .installation()
            .home()
            .orElseThrow(() -> new LauncherException("only bin/cairn can start a gateway"));
    Path list = home.resolve(JARS);
    if (!Files.exists(list)) {
      throw new LauncherException(list + " is missing: this installation has no gateways");
    }
    return Arrays.stream(Files.readString(list).strip().split(":"))
        .map(jar -> home.resolve(jar).toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Returns the site's settings with ZooKeeper's address, as clients find it. */
  private Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(cairn.siteConfig().texts());
    settings.putAll(overrides);
    Configuration client = RunningServer.configuration(cairn, overrides);
    for (String key : List.of(HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT)) {
      Optional.ofNullable(client.get(key)).ifPresent(value -> settings.put(key, value));
    }
    return settings;
  }

  /** Returns the folders with the settings of Hadoop's parts. */
  private List<Path> folders() {
    Optional<Path> hadoop =
        Optional.ofNullable(cairn.environment().get("HADOOP_CONF_DIR"))
            .filter(folder -> !folder.isBlank())
            .map(Path::of);
    return Stream.of(cairn.configFolder(), hadoop).flatMap(Optional::stream).toList();
  }

  private void awaitAnswer(Gateway.Plan plan, ProcessIdentity self, Optional<RoleFiles> files) {
    try {
      while (!answers(plan)) {
        Thread.sleep(POLL_MILLIS);
      }
      String address = HostAndPort.onThisMachine(plan.address());
      RoleStatus status =
          new RoleStatus(
              self,
              System.currentTimeMillis(),
              Map.of("address", role == Role.REST ? "http://" + address + "/" : address));
      if (files.isPresent()) {
        files.get().publish(status);
      }
      out.println(StartOutput.SERVES);
      status.facts().forEach((name, value) -> Descriptions.line(name, value, out));
      out.flush();
    } catch (IOException e) {
      out.println(Failures.ERROR_PREFIX + "cannot write the status: " + Failures.reason(e));
      out.flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean answers(Gateway.Plan plan) {
    try (Socket socket = new Socket()) {
      socket.connect(plan.address(), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void forget(RoleFiles files) {
    try {
      files.delete();
    } catch (IOException e) {
      System.err.println(Failures.ERROR_PREFIX + Failures.reason(e));
    }
  }
}
