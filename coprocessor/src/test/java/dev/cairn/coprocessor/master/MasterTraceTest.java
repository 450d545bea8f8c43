package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;

/**
 * Checks which hooks of the master a client's operations call, in which order and with what. {@code
 * -Dcairn.rewrite=true} writes the expected trace anew.
 */
class MasterTraceTest {
  private static final Path EXPECTED =
      Path.of("src/test/resources/dev/cairn/coprocessor/master/trace.txt");

  /** Steps whose hooks differ, as COMPATIBILITY.md says. */
  private static final Set<String> DIFFERENT =
      Set.of("modify tracker", "modify tracker of family", "delete", "delete namespace");

  /** {@code trace-hbase-2.6.4.txt} is what {@link MasterScript} wrote in Apache HBase 2.6.4. */
  @Test
  void hbaseCallsTheSame() throws IOException {
    List<String> own = steps(EXPECTED);
    List<String> hbase = steps(EXPECTED.resolveSibling("trace-hbase-2.6.4.txt"));
    assertThat(own).hasSameSizeAs(hbase);
    for (int i = 0; i < own.size(); i++) {
      String name = own.get(i).lines().findFirst().orElseThrow();
      if (!DIFFERENT.contains(name)) {
        assertThat(own.get(i)).isEqualTo(hbase.get(i));
      }
    }
  }

  /** Returns the steps of a trace: lines that are not indented begin one. */
  private static List<String> steps(Path trace) throws IOException {
    return List.of(Files.readString(trace, StandardCharsets.UTF_8).split("\n(?! )"));
  }

  @Test
  void operationsCallTheirHooks() throws Exception {
    String trace;
    MasterProbe.CALLS.clear();
    MasterProbe.ACTS.clear();
    MasterProbe.OUT_OF_PLACE.clear();
    try (CairnServer server =
            CairnServer.builder()
                .setting("hbase.coprocessor.master.classes", MasterProbe.class.getName())
                .setting("hbase.quota.enabled", "true")
                .setting("hbase.client.retries.number", "3")
                .start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      assertThat(MasterProbe.CALLS).startsWith("start", "preMasterInitialization()");
      trace = MasterScript.run(admin);
    }
    if (Boolean.getBoolean("cairn.rewrite")) {
      Files.writeString(EXPECTED, trace);
    }
    assertThat(trace).isEqualTo(Files.readString(EXPECTED, StandardCharsets.UTF_8));
    assertThat(MasterProbe.OUT_OF_PLACE).isEmpty();
  }
}
