package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks how {@code bin/cairn} builds a checkout while other commands and servers use its jars. The
 * script runs with a {@code java} that only prints its arguments, and with a {@code mvn} that
 * copies prepared files. If there is a pipe, {@code mvn} first waits until a test writes to it.
 */
@Timeout(120)
class BuildScriptTest {
  private static final Path SCRIPT = Path.of("").toAbsolutePath().getParent().resolve("bin/cairn");

  @TempDir private Path folder;
  private Path lib;

  @BeforeEach
  void checkout() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
    lib = folder.resolve("home/lib");
    write("home/bin/cairn", Files.readString(SCRIPT));
    write("home/pom.xml", "");
    for (String module :
        List.of(
            "keys", "engine", "server", "shell", "tools", "launcher", "coprocessor", "gateways")) {
      write("home/" + module + "/pom.xml", "");
    }
    write("java/bin/java", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    write("java/bin/javac", "");
    write("java/release", "JAVA_VERSION=\"17.0.1\"\n");
    write(
        "tools/mvn",
        """
        #!/bin/sh
        for word; do
          case $word in -Dlib.directory=*) lib=${word#*=} ;; esac
        done
        echo build >>"$HOME/builds"
        [ ! -p "$HOME/pipe" ] || read -r line <"$HOME/pipe"
        mkdir -p "$lib" && cp -R "$HOME/made/." "$lib"
        """);
    make("0", "old");
    assertThat(finish(start("status"))).contains("cairn: building (first use), please wait ...");
  }

  /** Prepares the files of the next build. */
  private void make(String version, String content) throws IOException {
    for (String name : List.of("cairn", "coprocessor", "gateways")) {
      String jars = "lib/cairn-engine-%s.jar:lib/foreign-7.jar".formatted(version);
      write("made/" + name + ".classpath", jars);
    }
    write("made/cairn-launcher-" + version + ".jar", content);
    write("made/cairn-engine-" + version + ".jar", content);
    write("made/foreign-7.jar", "foreign");
  }

  private void remove(String version) throws IOException {
    Files.delete(folder.resolve("made/cairn-launcher-" + version + ".jar"));
    Files.delete(folder.resolve("made/cairn-engine-" + version + ".jar"));
  }

  @Test
  void otherCommandsAndServersHaveAllJarsDuringABuild() throws Exception {
    remove("0");
    make("1", "new");
    Path pipe = pipe();
    try (InputStream server = Files.newInputStream(lib.resolve("cairn-engine-0.jar"))) {
      Process rest = start("rest");
      try (var release = Files.newOutputStream(pipe)) { // opens when the build reads
        assertThat(finish(start("status")))
            .doesNotContain("building")
            .contains("lib/cairn-launcher-0.jar");
        assertThat(files()).contains("cairn-engine-0.jar", "cairn-launcher-0.jar");
        release.write('\n');
      }
      assertThat(finish(rest)).contains("building").contains("lib/cairn-launcher-1.jar");
      assertThat(new String(server.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("old");
    }
    assertThat(files())
        .containsExactlyInAnyOrder("cairn-engine-1.jar", "cairn-launcher-1.jar", "foreign-7.jar");
    assertThat(finish(start("status")))
        .doesNotContain("building")
        .contains("lib/cairn-launcher-1.jar");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void aBuildReplacesAJarByAnotherFileAndLeavesUnchangedOnes() throws Exception {
    Object engine = key("cairn-engine-0.jar");
    Object foreign = key("foreign-7.jar");
    make("0", "new");
    write("home/engine/pom.xml", "changed");
    try (InputStream server = Files.newInputStream(lib.resolve("cairn-engine-0.jar"))) {
      assertThat(finish(start("status"))).contains("building (sources have changed)");
      assertThat(new String(server.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("old");
    }
    assertThat(lib.resolve("cairn-engine-0.jar")).hasContent("new");
    assertThat(key("cairn-engine-0.jar")).isNotEqualTo(engine);
    assertThat(key("foreign-7.jar")).isEqualTo(foreign);
  }

  @Test
  void aBuildKeepsTheJarsOfModulesThatItDoesNotBuild() throws Exception {
    write("home/lib/cairn-studies-0.jar", "of another command");
    remove("0");
    make("1", "new");
    write("home/engine/pom.xml", "changed");
    assertThat(finish(start("status"))).contains("building");
    assertThat(files()).contains("cairn-studies-0.jar", "cairn-engine-1.jar");
    assertThat(files()).doesNotContain("cairn-engine-0.jar");
  }

  @Test
  void theSecondOfTwoBuildsWaitsAndFindsNothingToBuild() throws Exception {
    assumeTrue(
        Stream.of("/usr/bin/flock", "/bin/flock").anyMatch(file -> Files.exists(Path.of(file))));
    write("home/engine/pom.xml", "changed");
    Path pipe = pipe();
    Process first = start("rest");
    Process second;
    try (var release = Files.newOutputStream(pipe)) {
      second = start("status");
      BufferedReader output = second.inputReader();
      assertThat(output.readLine())
          .isEqualTo("cairn: waiting for another build of this checkout ...");
      release.write('\n');
    }
    assertThat(finish(first)).contains("building (first use)");
    assertThat(finish(second)).doesNotContain("building").contains("lib/cairn-launcher-0.jar");
    assertThat(builds()).isEqualTo(2);
  }

  @Test
  void aFailedBuildLeavesTheJars() throws Exception {
    write("home/engine/pom.xml", "changed");
    Files.move(folder.resolve("made"), folder.resolve("unmade"));
    Process status = start("status");
    List<String> lines = status.inputReader().lines().toList();
    assertThat(status.waitFor()).as("%s", lines).isEqualTo(1);
    assertThat(lines).last().asString().startsWith("cairn: the build failed; all of its output is");
    assertThat(files())
        .containsExactlyInAnyOrder("cairn-engine-0.jar", "cairn-launcher-0.jar", "foreign-7.jar");
    assertThat(lib.resolve(".new")).doesNotExist();
  }

  private Process start(String command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(folder.resolve("home/bin/cairn").toString(), command);
    builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
    builder.environment().put("HOME", folder.toString());
    builder
        .environment()
        .merge("PATH", folder.resolve("tools") + ":", (path, tools) -> tools + path);
    for (String name : List.of("CAIRN_BUILT", "HBASE_OPTS", "XDG_CACHE_HOME")) {
      builder.environment().remove(name);
    }
    return builder.redirectErrorStream(true).start();
  }

  private static String finish(Process script) throws Exception {
    String output = String.join("\n", script.inputReader().lines().toList());
    assertThat(script.waitFor()).as(output).isZero();
    return output;
  }

  private Path pipe() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    return pipe;
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(lib)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .toList();
    }
  }

  private long builds() throws IOException {
    return Files.readAllLines(folder.resolve("builds")).size();
  }

  private Object key(String jar) throws IOException {
    return Files.readAttributes(lib.resolve(jar), BasicFileAttributes.class).fileKey();
  }

  private void write(String path, String content) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
