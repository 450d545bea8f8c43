package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.site.Database;
import dev.cairn.server.config.ConfigException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CairnCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Properties properties = new Properties();
  private final Map<String, String> environment = new HashMap<>();
  private Database database =
      (config, source, storage, folder, notice) -> {
        throw new IOException("port 16000 is in use");
      };

  @TempDir private Path home;

  @BeforeEach
  void setHome() {
    properties.setProperty("cairn.home", home.toString());
  }

  @Test
  void tellsTheUsageOnStandardErrorOfWhatItDoesNotUnderstand() {
    assertThat(run("status", "--nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("--nonsense").contains("Usage: cairn status");
    assertThat(run("nonsense")).isEqualTo(2);
    assertThat(run()).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void knowsTheServersOwnCommandBehindItsConfigurationFolder() {
    Optional<Path> here = Optional.of(Path.of("here"));
    assertThat(Cairn.plainStandalone(List.of("standalone"))).contains(Optional.empty());
    assertThat(Cairn.plainStandalone(List.of("--config", "here", "standalone"))).contains(here);
    assertThat(Cairn.plainStandalone(List.of("--config=here", "standalone"))).contains(here);
    for (String other :
        List.of(
            "",
            "--config standalone",
            "--config=here --config=there standalone",
            "explain standalone",
            "help standalone",
            "standalone --help",
            "--help standalone",
            "standalone --config here")) {
      assertThat(Cairn.plainStandalone(List.of(other.split(" ")))).as(other).isEmpty();
    }
    assertThat(Cairn.plainStandalone(List.of())).isEmpty();
  }

  @Test
  void setsUpTheNamedCommandAsAmongAllOthers() {
    CairnCommand cairn = new CairnCommand(database, properties, environment);
    CommandLine all = cairn.commandLine();
    for (String name : all.getSubcommands().keySet()) {
      for (List<String> arguments :
          List.of(
              List.of(name, "--help"),
              List.of("--config=/here", name, "--nonsense"),
              List.of("--config", "./here", name, "--help"),
              List.of("--config", name, "status"),
              List.of("--config=" + name, "status"),
              List.of("--config", "--version", name),
              List.of("help", name),
              List.of("count", "t", name))) {
        assertThat(usage(cairn.commandLine(arguments), arguments))
            .as("%s", arguments)
            .isEqualTo(usage(all, arguments));
      }
    }
  }

  /** Returns the usage that is printed, and why the arguments are not understood, if so. */
  private static String usage(CommandLine commandLine, List<String> arguments) {
    try {
      List<CommandLine> parsed =
          commandLine.parseArgs(arguments.toArray(String[]::new)).asCommandLineList();
      return parsed.get(parsed.size() - 1).getUsageMessage();
    } catch (CommandLine.ParameterException e) {
      return e.getMessage() + e.getCommandLine().getUsageMessage();
    }
  }

  @Test
  void tellsByTheExitStatusThatNothingRuns() {
    assertThat(run("status")).isEqualTo(3);
    assertThat(out.toString()).contains("not running").contains(home.resolve("data").toString());
    assertThat(home.resolve("data")).doesNotExist();
  }

  @Test
  void hasNothingToStopIfNothingRuns() {
    assertThat(run("stop")).isZero();
    assertThat(out.toString()).contains("is not running");
  }

  @Test
  void takesTheSettingsOfTheOptionBeforeThoseOfTheEnvironment() throws IOException {
    environment.put("HBASE_CONF_DIR", site("environment", "/by/environment").toString());
    run("status");
    run("--config", site("option", "/by/option").toString(), "status");
    run("status", "--config", site("option", "/by/option").toString());

    assertThat(out.toString().lines().filter(line -> line.contains("data folder")))
        .map(line -> line.replaceFirst(".* ", ""))
        .containsExactly("/by/environment", "/by/option", "/by/option");
  }

  @Test
  void saysInOneLineThatTheSettingsCannotBeUsed() throws IOException {
    assertThat(run("--config", home.resolve("none").toString(), "status")).isEqualTo(1);
    assertThat(run("--config", home.toString(), "status")).isEqualTo(1);
    assertThat(run("--config", site("remote", "hdfs://host/x").toString(), "standalone"))
        .isEqualTo(1);
    Path file = Files.writeString(home.resolve("file"), "");
    assertThat(run("--config", file.toString(), "status")).isEqualTo(1);
    assertThat(err.toString()).contains(file + " is a file, not a folder");
    Path broken = Files.createDirectories(home.resolve("broken"));
    Files.writeString(broken.resolve("hbase-site.xml"), "<configuration><oops");
    assertThat(run("--config", broken.toString(), "standalone")).isEqualTo(1);

    assertThat(err.toString().lines()).hasSize(5).allMatch(line -> line.startsWith("cairn: "));
  }

  @Test
  void saysInOneLineWhyTheServerDoesNotStartAndLeavesNothingBehind() {
    assertThat(run("standalone")).isEqualTo(1);
    database =
        (config, source, storage, folder, notice) -> {
          throw new ConfigException("hbase.master.port must be 0 to 65535, not <x>");
        };
    assertThat(run("standalone")).isEqualTo(1);

    assertThat(err.toString().lines())
        .containsExactly(
            "cairn: port 16000 is in use", "cairn: hbase.master.port must be 0 to 65535, not <x>");
    assertThat(home.resolve("data")).doesNotExist();
  }

  @Test
  void letsTheServerReadItsSettingsAgain() throws IOException {
    Path config = site("changing", home.resolve("first").toString());
    List<String> read = new ArrayList<>();
    database =
        (settings, source, storage, folder, notice) -> {
          read.add(settings.texts().get("hbase.rootdir"));
          site("changing", "/second");
          read.add(source.get().texts().get("hbase.rootdir"));
          site("changing", "/third");
          read.add(source.get().texts().get("hbase.rootdir"));
          throw new IOException("enough");
        };
    run("--config", config.toString(), "standalone");
    assertThat(read).containsExactly(home.resolve("first").toString(), "/second", "/third");
  }

  @Test
  void refusesNumbersThatMeanNothingWithoutRunning() {
    assertThat(run("stop", "--timeout", "-1")).isEqualTo(2);

    assertThat(err.toString().lines().filter(line -> line.startsWith("--")))
        .containsExactly("--timeout must be at least 0, not -1");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void theDemoNeedsAnArtifactAndARegion() {
    assertThat(run("demo", "--limit", "0")).isEqualTo(1);
    assertThat(run("demo", "--regions", "0")).isEqualTo(1);
    assertThat(err.toString().lines())
        .containsExactly(
            "cairn: --limit must be at least 1", "cairn: --regions must be at least 1");
  }

  private int run(String... arguments) {
    CommandLine commandLine =
        new CairnCommand(database, properties, environment)
            .commandLine(List.of(arguments))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }

  private Path site(String name, String rootDir) throws IOException {
    Path folder = Files.createDirectories(home.resolve(name));
    Files.writeString(
        folder.resolve("hbase-site.xml"),
        "<configuration><property><name>hbase.rootdir</name><value>"
            + rootDir
            + "</value></property></configuration>");
    return folder;
  }
}
