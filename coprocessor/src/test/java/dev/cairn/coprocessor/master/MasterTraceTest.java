package dev.cairn.coprocessor.master;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @Test
  void operationsCallTheirHooks() throws Exception {
    String trace;
    MasterProbe.CALLS.clear();
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
    assertThat(MasterProbe.THREADS)
        .noneMatch(thread -> thread.contains("driver") || thread.contains("io-"));
  }
}
