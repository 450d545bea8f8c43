package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The commands for indexes, on tables whose files are older than the index. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IndexCommandsTest {
  private static final String SCAN =
      "scan 't', FILTER => \"SingleColumnValueFilter('f', 'city', =, 'binary:Rome', true, true)\"";

  private CairnServer server;
  private ScriptedShell shell;

  @BeforeAll
  void start() throws IOException {
    server = CairnServer.start();
    shell = new ScriptedShell(server::connect, false);
    shell.run(
        """
        create 't', 'f', 'g', SPLITS => ['h', 'p'], COMPACTION_ENABLED => false
        put 't', 'ada', 'f:city', 'Rome', 1
        put 't', 'kim', 'f:city', 'Oslo', 1
        put 't', 'zoe', 'f:city', 'Rome', 1
        flush 't'
        put 't', 'ada', 'f:city', 'Bern', 2
        put 't', 'zoe', 'g:other', 'x', 2
        flush 't'
        put 't', 'kim', 'f:city', 'Rome', 2
        """);
  }

  @AfterAll
  void stop() throws IOException {
    shell.close();
    server.close();
  }

  @Test
  void anIndexIsBuiltByCompactionsAndThenUsed() throws IOException {
    String rows = shell.run(SCAN);
    assertThat(rows).contains("kim", "zoe", "2 row(s)");
    assertThat(shell.run("create_index 't', 'by_city', COLUMNS => 'f:city'"))
        .contains("3/3 regions updated.");
    // The alteration has flushed the row in memory; the new files have the index.
    assertThat(state()).startsWith("by_city f:city PAUSED 0/3 ");
    assertThat(shell.run(SCAN)).isEqualTo(rows);

    Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
    shell.run("alter 't', COMPACTION_ENABLED => true");
    await("by_city f:city READY 3/3 3/3");
    assertThat(shell.run(SCAN)).isEqualTo(rows);
    assertThat(marks.count(IndexMark.TAKEN)).isPositive();

    shell.run("disable 't'");
    assertThat(state()).isEqualTo("by_city f:city PAUSED 0/3 0/0");
    shell.run("enable 't'");
    await("by_city f:city READY 3/3 3/3");

    shell.run("drop_index 't', 'by_city'");
    assertThat(shell.run("list_indexes 't'")).contains("0 row(s)");
    assertThat(shell.run(SCAN)).isEqualTo(rows);
  }

  private void await(String state) {
    Awaitility.await()
        .pollInSameThread()
        .atMost(Duration.ofMinutes(2))
        .until(() -> state().equals(state));
  }

  /** Returns the only row of the list. */
  private String state() throws IOException {
    String[] lines = shell.run("list_indexes 't'").split("\n");
    assertThat(lines).hasSize(3).contains("1 row(s)");
    return lines[1].strip();
  }
}
