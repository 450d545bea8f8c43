package dev.cairn.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  private static final String COMPACTED = "-Dcairn.heap.compacted=true";

  @TempDir private Path folder;
  private ScriptWithJava cairn;

  @BeforeEach
  void install() throws IOException {
    cairn = new ScriptWithJava(folder, "printf '%s\\n' \"$@\"\n");
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
    Map<String, String> environment =
        Map.of("HBASE_HEAPSIZE", heap, "HBASE_OPTS", options, "CAIRN_RECORD", "false");
    return cairn.run(java, environment, command);
  }
}
