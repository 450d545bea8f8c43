package dev.cairn.bench.cluster;

import dev.cairn.bench.compare.CairnSide;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A cluster that {@code bin/cairn cluster} runs on this machine. */
public final class LocalProcesses implements ClusterProcesses {
  private static final Pattern PROCESS = Pattern.compile("process (\\d+) +port (\\d+)");

  private static final Pattern NAMED_PROCESS =
      Pattern.compile("^ *(\\w+) +process (\\d+)", Pattern.MULTILINE);

  private final Path program;
  private final Path folder;
  private final List<Path> classes;

  private LocalProcesses(Path program, Path folder, List<Path> classes) {
    this.program = program;
    this.folder = folder;
    this.classes = classes;
  }

  /**
   * Starts a new cluster of this installation.
   *
   * @param folder the folder of the measurement, where the cluster gets a folder of its own
   * @param dataNodes its DataNodes; with 0, all servers share a local folder
   * @param settings keys of {@code hbase-site.xml} with their values
   * @throws IOException if it does not start; nothing runs then
   */
  public static LocalProcesses start(
      Path folder, int masters, int servers, int dataNodes, Map<String, String> settings)
      throws IOException, InterruptedException {
    return start(folder, masters, servers, dataNodes, settings, List.of());
  }

  /**
   * Starts a new cluster of this installation, with further classes.
   *
   * @param classes jars and folders with classes that the servers can load
   * @see #start(Path, int, int, int, Map)
   */
  static LocalProcesses start(
      Path folder,
      int masters,
      int servers,
      int dataNodes,
      Map<String, String> settings,
      List<Path> classes)
      throws IOException, InterruptedException {
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--masters", Integer.toString(masters)));
    options.addAll(List.of("--servers", Integer.toString(servers)));
    options.addAll(
        dataNodes > 0
            ? List.of("--datanodes", Integer.toString(dataNodes))
            : List.of("--rootdir", folder.resolve("root").toUri().toString()));
    settings.forEach((key, value) -> options.addAll(List.of("-D", key + "=" + value)));
    return start(
        Path.of(System.getProperty("cairn.home")), folder.resolve("cluster"), options, classes);
  }

  /**
   * Starts a new cluster.
   *
   * @param home the folder above {@code bin}
   * @param folder a folder that does not exist
   * @param options the options of {@code bin/cairn cluster start}
   * @throws IOException if it does not start; nothing runs then
   */
  private static LocalProcesses start(
      Path home, Path folder, List<String> options, List<Path> classes)
      throws IOException, InterruptedException {
    LocalProcesses cluster = new LocalProcesses(CairnSide.program(home), folder, classes);
    try {
      cluster.run("start", options);
      return cluster;
    } catch (IOException | InterruptedException e) {
      cluster.close();
      throw e;
    }
  }

  @Override
  public Path configuration() {
    return folder.resolve("conf");
  }

  @Override
  public Optional<Path> logs() {
    return Optional.of(folder.resolve("logs"));
  }

  @Override
  public long pid(int port) throws IOException {
    try {
      Matcher process = PROCESS.matcher(run("status", List.of()));
      while (process.find()) {
        if (Integer.parseInt(process.group(2)) == port) {
          return Long.parseLong(process.group(1));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IOException("No process of the cluster in " + folder + " serves port " + port);
  }

  /** Returns the ids of the running processes, by their names ({@code master1}, {@code rs1}, …). */
  public Map<String, Long> pids() throws IOException, InterruptedException {
    Map<String, Long> pids = new LinkedHashMap<>();
    Matcher process = NAMED_PROCESS.matcher(run("status", List.of()));
    while (process.find()) {
      pids.put(process.group(1), Long.parseLong(process.group(2)));
    }
    return pids;
  }

  /** Kills a process (SIGKILL). */
  public void kill(String name) throws IOException, InterruptedException {
    run("kill", List.of(name));
  }

  /** Stops all processes cleanly, so that {@link #restart} starts the whole cluster. */
  public void stop() throws IOException, InterruptedException {
    run("stop", List.of());
  }

  @Override
  public void restart() throws IOException, InterruptedException {
    run("start", List.of());
  }

  @Override
  public void close() throws IOException, InterruptedException {
    stop();
  }

  private String run(String command, List<String> options)
      throws IOException, InterruptedException {
    List<String> line =
        new ArrayList<>(
            List.of(program.toString(), "cluster", "--folder", folder.toString(), command));
    line.addAll(options);
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    if (!classes.isEmpty()) {
      builder
          .environment()
          .merge(
              "HBASE_CLASSPATH",
              classes.stream().map(Path::toString).collect(Collectors.joining(":")),
              (given, added) -> given + ":" + added);
    }
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("cluster " + command + " failed: " + output.strip());
    }
    return output;
  }
}
