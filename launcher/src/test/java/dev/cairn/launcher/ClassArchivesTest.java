package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks which archives of classes {@code bin/cairn} records, and which one a command loads. The
 * script runs with a {@code java} that writes the files that its options name, and otherwise prints
 * its arguments.
 */
class ClassArchivesTest {
  private static final String JAVA =
      """
      archive='' dumps=false
      for word in "$@"; do
        case $word in
          -XX:DumpLoadedClassList=*.clients) echo client >"${word#*=}"; dumps=true ;;
          -XX:DumpLoadedClassList=*) echo server >"${word#*=}"; dumps=true ;;
          -XX:AOTCacheOutput=*) archive=${word#*=} dumps=true ;;
          -XX:SharedArchiveFile=*) archive=${word#*=} ;;
          -Xshare:dump) dumps=true ;;
        esac
      done
      $dumps || { printf '%s\\n' "$@"; exit 0; }
      case $archive in
        '') [ -z "${STOPPED:-}" ] || kill -TERM "$PPID"; exit "${LISTS_END:-0}" ;;
        *cairn-server*) echo server >"$archive"; exit "${SERVER_END:-0}" ;;
        *) echo all >"$archive"; exit "${ALL_END:-0}" ;;
      esac
      """;

  private static final String RECORDING = "recording classes";
  private static final String FAILED = "that failed";
  private static final Predicate<String> RECORDS = line -> line.contains(RECORDING);

  @TempDir private Path folder;
  private ScriptWithJava cairn;

  @BeforeEach
  void install() throws IOException {
    // Bash takes & in a replacement for the replaced text.
    cairn = new ScriptWithJava(Files.createDirectory(folder.resolve("R&D lab")), JAVA);
  }

  @Test
  void oneRecordingMakesAnArchiveOfAllClassesAndOneOfAServers() throws Exception {
    assertThat(run("17", "start")).anyMatch(line -> line.contains(RECORDING)).noneMatch(failed());
    assertThat(archives()).hasSize(2);
    for (String command : List.of("start", "standalone", "zookeeper")) {
      assertThat(loaded(run("17", command))).as(command).isEqualTo("server\n");
    }
    for (String command :
        List.of("shell", "status", "stop", "master", "regionserver", "mapreduce")) {
      copyClassPath(command);
      assertThat(loaded(run("17", command))).as(command).isEqualTo("all\n");
    }
    assertThat(archives()).hasSize(2);
  }

  private void copyClassPath(String name) throws IOException {
    Path file = cairn.lib().resolve(name + ".classpath");
    if (!Files.exists(file)) {
      Files.copy(cairn.lib().resolve("cairn.classpath"), file);
    }
  }

  @Test
  void java25HasOneArchive() throws Exception {
    run("25", "start");
    assertThat(archives()).hasSize(1);
    assertThat(option(run("25", "standalone"), "-XX:AOTCache="))
        .isEqualTo(option(run("25", "shell"), "-XX:AOTCache="));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LISTS_END", "SERVER_END", "ALL_END"})
  void aFailedRecordingIsNotRepeated(String failing) throws Exception {
    List<String> first = cairn.run("17", Map.of(failing, "1"), "start");
    assertThat(first).anyMatch(failed()).noneMatch(line -> line.contains("SharedArchiveFile"));
    assertThat(run("17", "start"))
        .noneMatch(failed())
        .noneMatch(line -> line.contains(RECORDING))
        .noneMatch(line -> line.contains("SharedArchiveFile"));
    assertThat(archives()).hasSize(2).allMatch(file -> file.toFile().length() == 0);
  }

  @Test
  void aStartThatIsStoppedWhileItRecordsStartsNothingAndLeavesNothing() throws Exception {
    Process stopped = cairn.start("17", Map.of("STOPPED", "yes"), "start");
    assertThat(stopped.inputReader().lines().toList()).hasSize(1).allMatch(RECORDS);
    assertThat(stopped.waitFor()).isEqualTo(130);
    assertThat(archives()).isEmpty();
    assertThat(run("17", "start")).anyMatch(RECORDS).noneMatch(failed());
  }

  @Test
  void aStartRecordsAgainIfOnlyTheArchiveOfAllClassesIsThere() throws Exception {
    run("17", "start");
    String server = option(run("17", "standalone"), "-XX:SharedArchiveFile=");
    Files.delete(Path.of(server));
    assertThat(run("17", "start")).anyMatch(line -> line.contains(RECORDING));
    assertThat(archives()).hasSize(2).contains(Path.of(server));
  }

  @Test
  void aNewJarIsRecordedAgain() throws Exception {
    run("17", "start");
    Path jar = cairn.lib().resolve("cairn-launcher-0.jar");
    Files.setLastModifiedTime(jar, FileTime.from(Instant.now().plusSeconds(60)));
    assertThat(run("17", "start")).anyMatch(line -> line.contains(RECORDING));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void serversReturnNativeMemory() throws Exception {
    for (String command : List.of("standalone", "master", "regionserver", "zookeeper")) {
      assertThat(run("17", command)).contains("-XX:TrimNativeHeapInterval=10000");
    }
    assertThat(run("17", "shell")).noneMatch(line -> line.contains("TrimNativeHeapInterval"));
  }

  private static Predicate<String> failed() {
    return line -> line.contains(FAILED);
  }

  private List<String> run(String java, String command) throws Exception {
    return cairn.run(java, Map.of(), command);
  }

  /** Returns what is in the archive that the process would load. */
  private static String loaded(List<String> arguments) throws IOException {
    return Files.readString(Path.of(option(arguments, "-XX:SharedArchiveFile=")));
  }

  private static String option(List<String> arguments, String prefix) {
    return arguments.stream()
        .filter(word -> word.startsWith(prefix))
        .map(word -> word.substring(prefix.length()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(prefix + " is not in " + arguments));
  }

  /** Returns the archives in the folder, and what a recording may have left beside them. */
  private List<Path> archives() throws IOException {
    try (Stream<Path> files = Files.list(cairn.lib())) {
      return files
          .filter(file -> file.getFileName().toString().contains(".jsa"))
          .filter(file -> !file.getFileName().toString().endsWith(".place"))
          .toList();
    }
  }
}
