package dev.cairn.coprocessor.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks which hooks of a region a client's operations call, in which order and with what. {@code
 * -Dcairn.rewrite=true} writes the expected trace anew.
 */
class RegionTraceTest {
  private static final Path EXPECTED =
      Path.of("src/test/resources/dev/cairn/coprocessor/region/trace.txt");

  /** The calls of HBase that Cairn does not make, by steps, as COMPATIBILITY.md says. */
  private static final Map<Pattern, Pattern> MISSING =
      Map.of(
          Pattern.compile("increment|append|check|delete of a version"),
          Pattern.compile(".*RegionOperation\\(SCAN\\)|  preStoreScannerOpen.*|.*DeleteTracker.*"),
          Pattern.compile("aggregate"),
          Pattern.compile(".*RegionOperation\\(SCAN\\)"),
          Pattern.compile("flush.*"),
          Pattern.compile(".*RegionOperation\\(ANY\\)"),
          Pattern.compile("snapshot"),
          Pattern.compile(".*RegionOperation\\(SNAPSHOT\\)"),
          Pattern.compile("scan.* in a stream"),
          Pattern.compile(".*ReaderOpen.*"));

  /** The calls of Cairn that HBase does not make. */
  private static final Map<Pattern, Pattern> ADDED =
      Map.of(
          Pattern.compile("aggregate"), // the opening of the scan, which HBase has, too
          Pattern.compile(".*RegionOperation\\(SCAN\\)"),
          Pattern.compile("split|merge"),
          Pattern.compile(".*(pre|post)Flush\\(dummy\\)"),
          Pattern.compile("get of an absent family"),
          Pattern.compile(".*"),
          Pattern.compile("endpoint that fails"),
          Pattern.compile(".*postBatchMutateIndispensably.*"));

  /** Steps with flushes that come at another place, as COMPATIBILITY.md says. */
  private static final Set<String> ANOTHER_ORDER = Set.of("flush", "split");

  /** {@code trace-hbase-2.6.4.txt} is what {@link RegionScript} wrote in Apache HBase 2.6.4. */
  @Test
  void hbaseCallsTheSame() throws IOException {
    List<String> own = steps(EXPECTED);
    List<String> hbase = steps(EXPECTED.resolveSibling("trace-hbase-2.6.4.txt"));
    assertThat(own).hasSameSizeAs(hbase);
    for (int i = 0; i < own.size(); i++) {
      assertThat(common(own.get(i), ADDED)).isEqualTo(common(hbase.get(i), MISSING));
    }
  }

  /** Returns the steps of a trace: lines that are not indented begin one. */
  private static List<String> steps(Path trace) throws IOException {
    return List.of(Files.readString(trace, StandardCharsets.UTF_8).split("\n(?! )"));
  }

  /** Returns a step without what is known to differ. */
  private static List<String> common(String step, Map<Pattern, Pattern> left) {
    List<String> lines = new ArrayList<>();
    String name = step.lines().findFirst().orElseThrow();
    for (String line : step.lines().toList()) {
      String shown =
          line.replace("cache", "null").replace("file, in,", "file, null,").replace(" major)", ")");
      boolean again = line.contains("preClose(") && lines.contains(shown);
      boolean known =
          !line.equals(name)
              && left.entrySet().stream()
                  .anyMatch(
                      entry ->
                          entry.getKey().matcher(name.replaceFirst(":.*", "")).matches()
                              && entry.getValue().matcher(line).matches());
      if (!again && !known) {
        lines.add(shown);
      }
    }
    if (ANOTHER_ORDER.contains(name)) {
      lines.sort(null);
    }
    return lines;
  }

  @Test
  void operationsCallTheirHooks(@TempDir Path folder) throws Exception {
    String trace;
    RegionProbe.CALLS.clear();
    try (CairnServer server =
            CairnServer.builder()
                .folder(folder.resolve("server"))
                .setting("hbase.client.retries.number", "2")
                .setting("hbase.client.scanner.timeout.period", "5000")
                .start();
        Connection connection = server.connect()) {
      trace =
          RegionScript.run(
              connection, new org.apache.hadoop.fs.Path(folder.resolve("files").toUri()));
    }
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.createDirectories(EXPECTED.getParent());
      Files.writeString(EXPECTED, trace);
    }
    assertThat(trace).isEqualTo(Files.readString(EXPECTED, StandardCharsets.UTF_8));
  }
}
