package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks which collector {@code bin/cairn} chooses for a server and for a shell. The script runs
 * with a {@code java} that only prints its arguments.
 */
class CollectorTest {
  private static final Path SCRIPT = Path.of("").toAbsolutePath().getParent().resolve("bin/cairn");
  private static final String COMPACTED = "-Dcairn.heap.compacted=true";

  @TempDir private Path folder;

  @BeforeEach
  void install() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
    write("home/bin/cairn", Files.readString(SCRIPT));
    write("home/lib/cairn.classpath", "lib/cairn-launcher-0.jar");
    write("home/lib/cairn-launcher-0.jar", "");
    write("java/bin/java", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
  }

  @ParameterizedTest
  @CsvSource({"17, 64", "17, 1000", "17, 1535", "21, 1g"})
  void aSmallHeapHasTheParallelCollectorBeforeJava22(String java, String heap) throws Exception {
    assertThat(arguments(java, heap, "")).contains("-XX:+UseParallelGC", COMPACTED);
  }

  @ParameterizedTest
  @CsvSource({"17, 1536", "17, 4g", "17, ''", "22, 256", "25, 1000"})
  void otherHeapsHaveG1(String java, String heap) throws Exception {
    assertThat(arguments(java, heap, "")).contains("-XX:+UseG1GC").doesNotContain(COMPACTED);
  }

  @Test
  void theOptionsOfTheUserWin() throws Exception {
    assertThat(arguments("17", "1000", "-XX:+UseSerialGC"))
        .contains("-XX:+UseSerialGC", COMPACTED)
        .doesNotContain("-XX:+UseParallelGC", "-XX:+UseG1GC");
    assertThat(arguments("17", "1000", "-XX:+UseG1GC"))
        .contains("-XX:+UseG1GC")
        .doesNotContain("-XX:+UseParallelGC", COMPACTED);
  }

  @ParameterizedTest
  @CsvSource({"17, -XX:+UseG1GC", "25, -XX:+UseSerialGC"})
  void aShellHasTheCollectorThatTakesObjectsFromTheArchive(String java, String collector)
      throws Exception {
    assertThat(arguments("shell", java, "", "")).contains(collector);
  }

  @Test
  void theOptionsOfTheUserWinInAShell() throws Exception {
    assertThat(arguments("shell", "17", "", "-XX:+UseParallelGC"))
        .contains("-XX:+UseParallelGC")
        .doesNotContain("-XX:+UseSerialGC", "-XX:+UseG1GC");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UseSerialGC",
        "-XX:+UseParallelGC",
        "-XX:+UseG1GC",
        "-XX:+UseZGC",
        "-XX:+UseShenandoahGC",
        "-XX:+UseEpsilonGC"
      })
  void eachCollectorOfTheUserIsTheOnlyOne(String collector) throws Exception {
    String options = "-Dx=1 -XX:+UnlockExperimentalVMOptions " + collector + " -XX:+UseNUMA";
    assertThat(collectors(arguments("17", "1000", options))).containsExactly(collector);
    assertThat(collectors(arguments("25", "4g", options))).containsExactly(collector);
    assertThat(collectors(arguments("shell", "17", "", options))).containsExactly(collector);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-XX:+UseConcMarkSweepGC",
        "-XX:+UseParNewGC -XX:+UseConcMarkSweepGC",
        "-XX:+UseParallelOldGC",
        "-XX:+UseGCOverheadLimit",
        "-XX:+UseDynamicNumberOfGCThreads",
        "-XX:+UseMaximumCompactionOnSystemGC",
        "-XX:+UseGCLogFileRotation"
      })
  void anOptionThatSelectsNoCollectorChangesNone(String option) throws Exception {
    assertThat(arguments("17", "4g", option)).contains("-XX:+UseG1GC").doesNotContain(COMPACTED);
    assertThat(arguments("17", "1000", option)).contains("-XX:+UseParallelGC", COMPACTED);
    assertThat(arguments("shell", "17", "", option)).contains("-XX:+UseG1GC");
    assertThat(arguments("shell", "25", "", option)).contains("-XX:+UseSerialGC");
  }

  private static List<String> collectors(List<String> arguments) {
    return arguments.stream().filter(one -> one.matches("-XX:\\+Use[A-Z][A-Za-z0-9]*GC")).toList();
  }

  private List<String> arguments(String java, String heap, String options) throws Exception {
    return arguments("standalone", java, heap, options);
  }

  private List<String> arguments(String command, String java, String heap, String options)
      throws Exception {
    write("java/release", "JAVA_VERSION=\"" + java + ".0.1\"\n");
    ProcessBuilder builder =
        new ProcessBuilder(folder.resolve("home/bin/cairn").toString(), command);
    builder.environment().put("JAVA_HOME", folder.resolve("java").toString());
    builder.environment().put("HBASE_HEAPSIZE", heap);
    builder.environment().put("HBASE_OPTS", options);
    builder.environment().put("CAIRN_RECORD", "false");
    builder.environment().put("HOME", folder.toString());
    builder.environment().remove("XDG_CACHE_HOME");
    Process script = builder.redirectErrorStream(true).start();
    List<String> lines = script.inputReader().lines().toList();
    assertThat(script.waitFor()).as("%s", lines).isZero();
    return lines;
  }

  private void write(String path, String content) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
