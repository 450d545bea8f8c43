package dev.cairn.interop.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Copies of {@code bin/}, {@code lib/} and {@code conf/} work at another place, for another user,
 * and without the builder's Maven repository.
 */
class MovedInstallationTest {
  private static final Path CHECKOUT = Path.of("").toAbsolutePath().getParent();
  private static final List<String> PORTS =
      List.of(
          "hbase.master.port",
          "hbase.master.info.port",
          "hbase.regionserver.port",
          "hbase.regionserver.info.port",
          "hbase.zookeeper.property.clientPort");
  private static final List<String> ADDRESSES =
      List.of(
          "hbase.master.ipc.address",
          "hbase.master.info.bindAddress",
          "hbase.regionserver.ipc.address",
          "hbase.zookeeper.property.clientPortAddress",
          "cairn.hostname");

  private final Map<String, String> variables = new TreeMap<>();
  private final List<Path> started = new ArrayList<>();

  @TempDir private Path folder;
  private Path home;

  @BeforeEach
  void move() throws IOException {
    assumeTrue(
        Files.exists(CHECKOUT.resolve("lib/cairn.classpath")), "lib/ comes with `mvn package`");
    boolean letters = "UTF-8".equals(System.getProperty("sun.jnu.encoding"));
    home = folder.resolve(letters ? "Räume & Gänge" : "rooms & halls");
    link(CHECKOUT.resolve("bin"), home.resolve("bin"));
    link(CHECKOUT.resolve("conf"), home.resolve("conf"));
    Files.createDirectories(home.resolve("lib"));
    for (String list : List.of("lib/cairn.classpath", "lib/coprocessor.classpath")) {
      link(CHECKOUT.resolve(list), home.resolve(list));
      for (String jar : Files.readString(CHECKOUT.resolve(list)).strip().split(":")) {
        Files.createDirectories(home.resolve(jar).getParent());
        if (!Files.exists(home.resolve(jar))) {
          link(CHECKOUT.resolve(jar), home.resolve(jar));
        }
      }
    }
    try (Stream<Path> jars = Files.list(CHECKOUT.resolve("lib"))) {
      for (Path jar : jars.filter(MovedInstallationTest::isLauncher).toList()) {
        link(jar, home.resolve("lib").resolve(jar.getFileName()));
      }
    }
    variables.put("PATH", System.getenv("PATH"));
    variables.put("JAVA_HOME", System.getProperty("java.home"));
    variables.put("HOME", Files.createDirectories(folder.resolve("home")).toString());
    variables.put("LC_ALL", "POSIX");
    variables.put("CAIRN_RECORD", "false"); // recording takes longer than the whole test
  }

  @AfterEach
  void stop() throws Exception {
    for (Path config : started) {
      cairn(config, "stop");
    }
  }

  private static boolean isLauncher(Path jar) {
    return jar.getFileName().toString().startsWith("cairn-launcher-");
  }

  /** Copies by hard links if the file system has them, which is faster. */
  private static void link(Path from, Path to) throws IOException {
    if (Files.isDirectory(from)) {
      Files.createDirectories(to);
      try (Stream<Path> children = Files.list(from)) {
        for (Path child : children.toList()) {
          link(child, to.resolve(child.getFileName()));
        }
      }
      return;
    }
    try {
      Files.createLink(to, from);
    } catch (IOException | UnsupportedOperationException e) {
      Files.copy(from, to);
    }
  }

  @Test
  void servesAndKeepsTwoServersApart() throws Exception {
    variables.put("HBASE_OPTS", "-Dcairn.log.size=1KB");
    Path first = config("first");
    Path second = config("second");
    String log = start(first);
    assertThat(start(second)).isNotEqualTo(log);
    JsonObject status = status(first);
    assertThat(status.get("state").getAsString()).isEqualTo("serving");
    assertThat(status.get("log").getAsString()).isEqualTo(log);
    assertThat(status.getAsJsonObject("health").get("status").getAsString())
        .isIn("ok", "warn"); // warn: the disk of the test machine may be nearly full
    assertThat(Path.of(log)).exists().hasParentRaw(home.resolve("logs"));

    assertThat(cairn(first, "stop").status()).isZero();
    assertThat(status(first).get("state").getAsString()).isEqualTo("stopped");
    assertThat(status(second).get("state").getAsString()).isEqualTo("serving");
    assertThat(Path.of(log + ".1")).as("rolled by its size").exists();
  }

  @Test
  void namesAHeapThatIsTooSmall() throws Exception {
    Path config = config("small");
    for (String size : List.of("32", "32m", "1000k")) {
      variables.put("HBASE_HEAPSIZE", size);
      CommandLine.Result refused = cairn(config, "standalone");
      assertThat(refused.status()).isEqualTo(1);
      assertThat(refused.output())
          .isEqualTo(
              "cairn: HBASE_HEAPSIZE is %s: the server needs at least 64 megabytes\n"
                  .formatted(size));
    }
    for (String nonsense : List.of("4x", "four", "-1", "1.5g")) {
      variables.put("HBASE_HEAPSIZE", nonsense);
      assertThat(cairn(config, "standalone").output())
          .startsWith("cairn: HBASE_HEAPSIZE is " + nonsense)
          .hasLineCount(1);
    }
  }

  @Test
  void namesAnInstallationThatIsNotComplete() throws Exception {
    Files.delete(home.resolve("lib/cairn.classpath"));
    assertThat(cairn(config("any"), "status").output())
        .startsWith("cairn: ")
        .contains("lib/cairn.classpath is missing");
  }

  private String start(Path config) throws Exception {
    started.add(config);
    CommandLine.Result result = cairn(config, "start");
    assertThat(result.status()).as(result.output()).isZero();
    return result
        .output()
        .lines()
        .filter(line -> line.startsWith("  log "))
        .map(line -> line.substring(17))
        .findAny()
        .orElseThrow();
  }

  private JsonObject status(Path config) throws Exception {
    return JsonParser.parseString(cairn(config, "status", "--json").output()).getAsJsonObject();
  }

  private CommandLine.Result cairn(Path config, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/cairn").toString());
    command.addAll(List.of("--config", config.toString()));
    command.addAll(List.of(arguments));
    return CommandLine.run(folder, variables, command);
  }

  private Path config(String name) throws IOException {
    Map<String, String> settings = new TreeMap<>();
    PORTS.forEach(key -> settings.put(key, "0"));
    ADDRESSES.forEach(key -> settings.put(key, "127.0.0.1"));
    settings.put("hbase.rootdir", folder.resolve("data of " + name).toString());
    StringBuilder site = new StringBuilder("<configuration>\n");
    settings.forEach(
        (key, value) ->
            site.append(
                "<property><name>%s</name><value>%s</value></property>\n".formatted(key, value)));
    Path config = Files.createDirectories(folder.resolve(name));
    Files.writeString(config.resolve("hbase-site.xml"), site.append("</configuration>\n"));
    return config;
  }
}
