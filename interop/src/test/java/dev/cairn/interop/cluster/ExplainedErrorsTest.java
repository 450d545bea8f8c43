package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.cluster.ExplainedErrors.Fault;
import dev.cairn.launcher.cluster.NodeKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An error that a test's faults do not explain is found. */
class ExplainedErrorsTest {
  private static final String START = "2027-01-02 03:04:05.678 ";

  @TempDir private Path logs;

  private LocalDateTime now = LocalDateTime.parse("2027-01-02T03:04:05.678999");
  private final ExplainedErrors errors = new ExplainedErrors(() -> now);

  @BeforeEach
  void writeUsualLines() throws IOException {
    write("rs1", "INFO  [main] d.c.s.p.CairnProcess: ready", "cairn: serves");
    write("master1", "WARN  [main] d.c.s.m.Master: java.io.IOException: x", "\tat a.B.c(B.java:1)");
    write("nn", "ERROR [main] NameNode: of HDFS");
  }

  private void write(String process, String event, String... more) throws IOException {
    Files.writeString(
        logs.resolve(process + ".log"), START + event + "\n" + String.join("\n", more) + "\n");
  }

  @Test
  void aLogWithoutErrorsPasses() {
    assertThatCode(() -> errors.check(logs)).doesNotThrowAnyException();
  }

  @Test
  void aPlantedErrorIsFoundWhateverTheFaults() throws IOException {
    write("rs2", "ERROR [t-1] d.c.s.r.Compactions: planted");
    for (NodeKind kind : NodeKind.values()) {
      errors.inject("rs2", Fault.killed(kind));
      errors.inject("rs2", Fault.frozen(kind));
    }
    assertThatThrownBy(() -> errors.check(logs))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rs2.log: " + START + "ERROR [t-1] d.c.s.r.Compactions: planted");
  }

  @Test
  void anErrorNeedsTheFaultThatExplainsIt() throws IOException {
    write("rs2", "ERROR [t-1] d.c.s.p.WalLog: Writes are refused: no room");
    errors.inject("rs2", Fault.killed(NodeKind.REGION_SERVER));
    errors.inject("master1", Fault.frozen(NodeKind.MASTER));
    assertThatThrownBy(() -> errors.check(logs)).isInstanceOf(AssertionError.class);
    errors.inject("dn1", Fault.killed(NodeKind.DATA_NODE));
    assertThatCode(() -> errors.check(logs)).doesNotThrowAnyException();
  }

  @Test
  void aFrozenServerExplainsErrorsOfItsOwn() throws IOException {
    write("rs2", "ERROR [t-1] d.c.s.p.CairnProcess: The process ends by itself: no session");
    errors.inject("rs1", Fault.frozen(NodeKind.REGION_SERVER));
    errors.inject("master1", Fault.frozen(NodeKind.MASTER));
    assertThatThrownBy(() -> errors.check(logs)).isInstanceOf(AssertionError.class);
    errors.inject("rs2", Fault.frozen(NodeKind.REGION_SERVER));
    assertThatCode(() -> errors.check(logs)).doesNotThrowAnyException();
  }

  @Test
  void aFrozenZooKeeperExplainsErrorsOfAllServers() throws IOException {
    write("rs2", "ERROR [t-1] d.c.s.p.CairnProcess: The process ends by itself: no session");
    errors.inject("zk", Fault.frozen(NodeKind.ZOOKEEPER));
    assertThatCode(() -> errors.check(logs)).doesNotThrowAnyException();
  }

  @Test
  void aFaultExplainsNoEarlierErrors() throws IOException {
    write("rs2", "ERROR [t-1] d.c.s.p.WalLog: Writes are refused: no room");
    now = now.plus(Duration.ofMillis(1));
    errors.inject("dn1", Fault.killed(NodeKind.DATA_NODE));
    assertThatThrownBy(() -> errors.check(logs)).isInstanceOf(AssertionError.class);
  }

  @Test
  void anErrorInAFileThatHasRolledIsFound() throws IOException {
    Files.writeString(
        logs.resolve("rs1.log.1"), START + "ERROR [t-1] d.c.s.r.Compactions: rolled\n");
    assertThatThrownBy(() -> errors.check(logs))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("rs1.log.1: " + START);
  }

  @Test
  void theStackOfALibraryIsFound() throws IOException {
    write("zk", "WARN  [t] o.a.z.s.NIOServerCnxn: Close of session", "java.x.Y", "\tat a.B.c(B:1)");
    assertThatThrownBy(() -> errors.check(logs))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("stack of a library")
        .hasMessageContaining("Close of session");
  }
}
