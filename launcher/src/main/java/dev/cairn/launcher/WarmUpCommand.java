package dev.cairn.launcher;

import dev.cairn.launcher.output.LauncherException;
import dev.cairn.launcher.process.ServerStatus;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.SiteConfigLoader;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * {@code cairn warm-up}: runs a server with clients, in a folder of its own, and ends. {@code
 * bin/cairn} lets Java record the classes that this loads (class data sharing), so that later
 * processes start from the recording. The clients run in this process, or in another one, so that
 * the classes of a server are recorded apart from those of clients.
 */
@Command(
    name = "warm-up",
    hidden = true,
    description = "Runs a server and clients once, for Java to record their classes.")
final class WarmUpCommand implements Callable<Integer> {
  private static final String CLIENTS_OF = "--clients-of";

  private static final List<String> PORTS =
      List.of(
          "hbase.master.port",
          "hbase.master.info.port",
          "hbase.regionserver.port",
          "hbase.regionserver.info.port",
          "hbase.zookeeper.property.clientPort");

  private static final List<String> BIND_ADDRESSES =
      List.of(
          "hbase.master.ipc.address",
          "hbase.master.info.bindAddress",
          "hbase.regionserver.ipc.address",
          "hbase.zookeeper.property.clientPortAddress");

  private static final String LOOPBACK = "127.0.0.1";
  private static final int START_MILLIS = 60_000;
  private static final int CLIENTS_MILLIS = 120_000;
  private static final int LOOK_MILLIS = 5;

  @ParentCommand private CairnCommand cairn;

  @Option(
      names = CLIENTS_OF,
      paramLabel = "DIR",
      description = "Run only the clients, of the server whose hbase-site.xml is in the folder.")
  private Optional<Path> clientsOf;

  @Parameters(
      paramLabel = "COMMAND",
      description = "Starts a process with Cairn's command warm-up, in which the clients run.")
  private List<String> clients = List.of();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (clientsOf.isPresent()) {
      cairn.logErrorsOnly();
      new WarmUpClients(cairn, clientsOf.get()).run();
      return 0;
    }
    cairn.logAsConfigured(); // before anything else logs
    Path folder = Files.createTempDirectory("cairn-warm-up");
    try {
      return run(folder);
    } finally {
      delete(folder);
    }
  }

  /** Runs the very command that is to start quickly, and returns its exit status. */
  private int run(Path folder) throws IOException, InterruptedException {
    Path data = folder.resolve("data");
    Path site = Files.createDirectory(folder.resolve("conf"));
    Files.writeString(site.resolve(SiteConfigLoader.FILE_NAME), xml(settings(data)));
    CairnCommand server = new CairnCommand(cairn.database(), System.getProperties(), Map.of());
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    Thread thread =
        new Thread(() -> ended.complete(server.standalone(Optional.of(site))), "warm-up");
    thread.setDaemon(true);
    thread.start();
    awaitServing(data, ended);
    if (clients.isEmpty()) {
      new WarmUpClients(cairn, site).run();
    } else {
      runApart(site);
    }
    try {
      return ended.get(START_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new LauncherException("the server did not stop", e);
    }
  }

  private static Map<String, String> settings(Path data) {
    Map<String, String> texts = new TreeMap<>();
    PORTS.forEach(name -> texts.put(name, "0"));
    BIND_ADDRESSES.forEach(name -> texts.put(name, LOOPBACK));
    texts.put(FolderKeys.ROOT_DIR.name(), data.toString());
    texts.put("cairn.hostname", LOOPBACK);
    texts.put("cairn.start.timeout", Integer.toString(START_MILLIS));
    return texts;
  }

  private static String xml(Map<String, String> texts) {
    Configuration configuration = new Configuration(false);
    texts.forEach(configuration::set);
    StringWriter xml = new StringWriter();
    try {
      configuration.writeXml(xml);
    } catch (IOException e) {
      throw new UncheckedIOException("Nothing fails in memory", e);
    }
    return xml.toString();
  }

  private static void awaitServing(Path data, CompletableFuture<Integer> ended)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    while (System.nanoTime() - end < 0 && !ended.isDone()) {
      if (ServerStatus.read(data).isPresent()) {
        return;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS); // no file system tells
    }
    throw new LauncherException("the server did not start");
  }

  /** Runs the clients in a process of their own. */
  private void runApart(Path site) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(clients);
    command.add(CLIENTS_OF + "=" + site);
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      if (!process.waitFor(CLIENTS_MILLIS, TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
        throw new LauncherException("the clients have failed");
      }
    } finally {
      process.destroyForcibly();
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
