package dev.cairn.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unpacks the package and uses it with a Java runtime that has no compiler. One server serves all
 * tests; its start records Java's classes, with which all later commands start.
 */
class PackageTest {
  private static final long TIMEOUT_SECONDS = 300;

  @TempDir static Path folder;

  private static Path home;

  /** The configuration folder of the server. */
  private static Path site;

  private static Output started;

  @BeforeAll
  static void unpack() throws Exception {
    Path archive = Path.of(System.getProperty("cairn.package"));
    for (Path file : List.of(archive, Path.of(System.getProperty("cairn.gateways.package")))) {
      assertThat(file).exists();
      Output unpacked =
          run(folder, List.of("tar", "-xzf", file.toString()), Map.of(), Optional.empty());
      assertThat(unpacked.status()).as(unpacked.text()).isZero();
    }
    home = folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
    Files.createDirectories(folder.resolve("java/bin"));
    Files.createSymbolicLink(
        folder.resolve("java/bin/java"), Path.of(System.getProperty("java.home"), "bin/java"));
    site = site("site");
    started = run(site, true, Optional.empty(), "start");
    assertThat(started.status()).as(started.text()).isZero();
  }

  @AfterAll
  static void stop() throws Exception {
    Output stopped = cairn(site, "stop");
    assertThat(stopped.status()).as(stopped.text()).isZero();
    assertThat(cairn(site, "status").status()).as("status of a stopped server").isEqualTo(3);
  }

  @Test
  void containsWhatAnInstallationNeeds() throws IOException {
    assertThat(home.resolve("bin/cairn")).isExecutable();
    for (String file :
        List.of(
            "conf/hbase-site.xml",
            "conf/logback.xml",
            "lib/cairn.calls",
            "docs/OPERATIONS.md",
            "docs/operations/run.md",
            "README.md",
            "LICENSE",
            "NOTICE",
            "CHANGELOG.md",
            "systemd/cairn.service",
            "docker/Dockerfile",
            "docker/compose.yaml",
            "docker/cluster.yaml",
            "docker/cluster/hbase-site.xml")) {
      assertThat(home.resolve(file)).isNotEmptyFile();
    }
    assertThat(home.resolve("pom.xml")).as("sources").doesNotExist();
  }

  @Test
  void everyJarOfTheClassPathsIsThereAndNoOther() throws IOException {
    Set<String> named = new TreeSet<>();
    for (String list :
        List.of(
            "lib/cairn.classpath",
            "lib/coprocessor.classpath",
            "lib/mapreduce.classpath",
            "lib/gateways.classpath")) {
      for (String jar : Files.readString(home.resolve(list)).split(":")) {
        assertThat(home.resolve(jar)).isNotEmptyFile();
        if (!jar.startsWith("lib/cairn-launcher-")) {
          named.add(jar);
        }
      }
    }
    try (Stream<Path> files = Files.list(home.resolve("lib"))) {
      assertThat(
              files
                  .map(file -> "lib/" + file.getFileName())
                  .filter(file -> file.endsWith(".jar") && !file.startsWith("lib/cairn-launcher-")))
          .containsExactlyInAnyOrderElementsOf(named);
    }
  }

  @Test
  void theContainersOfTheClusterRunKnownCommandsWithValidSettings() throws Exception {
    String compose = Files.readString(home.resolve("docker/cluster.yaml"));
    Set<String> commands =
        Pattern.compile("command: \\[\"(\\w+)\"]")
            .matcher(compose)
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(commands)
        .containsExactly(
            "master", "regionserver", "rest", "shell", "thrift", "thrift2", "zookeeper");
    Output help = cairn(home.resolve("docker/cluster"), "help");
    assertThat(help.text()).contains(commands);
    Output settings = cairn(home.resolve("docker/cluster"), "config", "hbase.rootdir");
    assertThat(settings.status()).as(settings.text()).isZero();
    assertThat(settings.text()).contains("hdfs://namenode:8020/hbase");
  }

  @Test
  void refusesCommandsThatBelongToACheckout() throws Exception {
    for (String command : List.of("torture", "bench", "example")) {
      Output refused = cairn(site, command);
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.text())
          .hasLineCount(1)
          .startsWith("cairn: " + command + " needs Cairn's sources, and " + home + " has none");
    }
  }

  @Test
  void listsTheJobsAndWhatHadoopNeedsForThem() throws Exception {
    Output jobs = cairn(site, "mapreduce");
    assertThat(jobs.status()).as(jobs.text()).isZero();
    assertThat(jobs.text()).contains("rowcounter", "importtsv", "exportsnapshot");
    Output jars = cairn(site, "mapredcp");
    assertThat(jars.status()).as(jars.text()).isZero();
    assertThat(jars.text().strip().split(":"))
        .allSatisfy(jar -> assertThat(Path.of(jar)).isNotEmptyFile())
        .anySatisfy(jar -> assertThat(jar).contains("/lib/hbase-mapreduce-"));
  }

  @Test
  void servesShellDoctorAndGateway() throws Exception {
    assertThat(started.text()).doesNotContain("building");
    Output status = cairn(site, "status");
    assertThat(status.status()).as(status.text()).isZero();
    Output listed = shell("create 't', 'f'\nlist\n");
    assertThat(listed.text())
        .contains("Created table t")
        .containsPattern("=> \\[.*\"t\"]"); // after the tables of other tests
    Output doctor = cairn(site, "doctor");
    assertThat(doctor.status()).as(doctor.text()).isLessThan(2);
    assertThat(doctor.text()).contains("What a client is told", "From a client's side");
    try {
      Output gateway = cairn(site, "rest", "start");
      assertThat(gateway.status()).as(gateway.text()).isZero();
      assertThat(gateway.text()).contains("REST gateway serves.");
    } finally {
      cairn(site, "rest", "stop");
    }
  }

  @Test
  void theDemoBringsItsData() throws Exception {
    Output shown =
        run(site("with-demo"), List.of("demo"), Optional.empty(), Map.of("CAIRN_RECORD", "false"));
    assertThat(shown.status()).as(shown.text()).isZero();
    assertThat(shown.text())
        .contains("artifacts loaded")
        .containsPattern("What does the POM of \\S+ say\\?")
        .contains("Stopped the server");
  }

  @Test
  void runsJobsOnTheTablesOfARunningServer() throws Exception {
    Path checkout = Path.of("").toAbsolutePath().getParent();
    assumeTrue(
        Files.exists(checkout.resolve("lib/examples.classpath")), "module examples is not built");
    shell(
        """
        create 'jobs', 'files'
        ['a', 'b', 'c'].each { |row| put 'jobs', row, 'files:name', 'text' }
        """);

    Output counted = cairn(site, "mapreduce", "rowcounter", "jobs");
    assertThat(counted.status()).as(counted.text()).isZero();
    assertThat(counted.text()).contains("ROWS=3");

    // Only a checkout has examples.
    Output copied = run(checkout, site, List.of("example", "read-write", "jobs", "copy"));
    assertThat(copied.status()).as(copied.text()).isZero();
    assertThat(cairn(site, "count", "copy").text()).startsWith("Counted 3 rows ");

    Output refused = cairn(site, "count", "jobs", "--sum=files:name");
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.text())
        .hasLineCount(1)
        .startsWith("cairn: row a has a value of 4 bytes; only counters");
  }

  @Test
  void recordsItsClassesAtTheFirstStart() throws Exception {
    assertThat(started.text()).contains("recording classes").doesNotContain("failed");

    assertThat(loadedClasses(site, "shell"))
        .containsPattern("dev\\.cairn\\.shell\\.ShellProgram source: shared objects file");
    assertThat(loadedClasses(site, "zookeeper")) // with the archive of a server's classes
        .contains(
            "dev.cairn.launcher.server.ForegroundCommand$OfZooKeeper source: shared objects file");
  }

  /** Returns which classes the help of a command loads, and from where. */
  private static String loadedClasses(Path site, String command)
      throws IOException, InterruptedException {
    Path loaded = folder.resolve("loaded-" + command + ".txt");
    Output help =
        run(
            site,
            List.of(command, "--help"),
            Optional.empty(),
            Map.of("HBASE_OPTS", "-Xlog:class+load:file=" + loaded));
    assertThat(help.status()).as(help.text()).isZero();
    assertThat(help.text()).doesNotContain("recording classes");
    return Files.readString(loaded);
  }

  @Test
  void theUnitIsValid() throws Exception {
    Path analyzer = Path.of("/usr/bin/systemd-analyze");
    assumeTrue(Files.isExecutable(analyzer), "systemd is not here");
    Path unit = folder.resolve("cairn.service");
    Files.writeString(
        unit,
        Files.readString(home.resolve("systemd/cairn.service"))
            .replace("/opt/cairn", home.toString()));
    Output verified =
        run(
            folder,
            List.of(analyzer.toString(), "verify", "--man=no", unit.toString()),
            Map.of(),
            Optional.empty());
    assertThat(verified.text().lines().filter(line -> line.contains("cairn.service"))).isEmpty();
  }

  /** Makes a configuration folder of this name, with a data folder of its own and free ports. */
  private static Path site(String name) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    settings.put("hbase.rootdir", folder.resolve(name + "-data").toString());
    for (String port :
        List.of(
            "hbase.master.port",
            "hbase.master.info.port",
            "hbase.regionserver.port",
            "hbase.regionserver.info.port",
            "hbase.zookeeper.property.clientPort",
            "hbase.rest.port",
            "hbase.rest.info.port")) {
      settings.put(port, "0");
    }
    StringBuilder xml = new StringBuilder("<configuration>");
    settings.forEach(
        (key, value) ->
            xml.append(
                "<property><name>%s</name><value>%s</value></property>".formatted(key, value)));
    Path made = Files.createDirectories(folder.resolve(name));
    Files.writeString(made.resolve("hbase-site.xml"), xml.append("</configuration>"));
    return made;
  }

  private static Output shell(String commands) throws IOException, InterruptedException {
    Output output = run(site, false, Optional.of(commands), "shell", "-n");
    assertThat(output.status()).as(output.text()).isZero();
    return output;
  }

  private static Output cairn(Path site, String... words) throws IOException, InterruptedException {
    return run(site, false, Optional.empty(), words);
  }

  /**
   * Runs a command.
   *
   * @param records whether a start may record Java's classes
   * @param input the standard input; empty for none
   */
  private static Output run(Path site, boolean records, Optional<String> input, String... words)
      throws IOException, InterruptedException {
    return run(site, List.of(words), input, Map.of("CAIRN_RECORD", Boolean.toString(records)));
  }

  private static Output run(
      Path site, List<String> words, Optional<String> input, Map<String, String> more)
      throws IOException, InterruptedException {
    return run(home, site, words, input, more);
  }

  /** Runs a command of another installation, which is already built. */
  private static Output run(Path installation, Path site, List<String> words)
      throws IOException, InterruptedException {
    return run(
        installation,
        site,
        words,
        Optional.empty(),
        Map.of("CAIRN_BUILT", "true", "CAIRN_RECORD", "false"));
  }

  private static Output run(
      Path installation,
      Path site,
      List<String> words,
      Optional<String> input,
      Map<String, String> more)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(installation.resolve("bin/cairn").toString(), "--config", site.toString()));
    command.addAll(words);
    Map<String, String> variables = new TreeMap<>(more);
    variables.put("JAVA_HOME", folder.resolve("java").toString());
    variables.put("HBASE_LOG_DIR", folder.resolve("logs").toString());
    variables.put("PATH", "/usr/bin:/bin");
    return run(home, command, variables, input);
  }

  private record Output(int status, String text) {}

  private static Output run(
      Path where, List<String> command, Map<String, String> variables, Optional<String> input)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "output", ".txt");
    Path in = Files.createTempFile(folder, "input", ".txt");
    Files.writeString(in, input.orElse(""));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(where.toFile())
            .redirectErrorStream(true)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile());
    builder.environment().putAll(variables);
    Process process = builder.start();
    try {
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(command + " does not end: " + Files.readString(out));
      }
    } finally {
      process.destroyForcibly();
    }
    return new Output(process.exitValue(), Files.readString(out));
  }
}
