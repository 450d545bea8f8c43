package dev.cairn.shell;

import static dev.cairn.shell.TypedShell.CTRL_C;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The prompt at a terminal, with a server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PromptWithServerTest {
  private static final int ROWS = 2_000;

  @TempDir private Path folder;

  private CairnServer server;
  private TypedShell shell;

  @BeforeAll
  void start() throws IOException {
    server = CairnServer.builder().start();
    try (ScriptedShell setup = new ScriptedShell(server::connect, false);
        Connection connection = server.connect()) {
      setup.run("create 'visits', 'pages', 'times'");
      try (Table table = connection.getTable(TableName.valueOf("visits"))) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
          puts.add(
              new Put(Bytes.toBytes(String.format("row%04d", i)))
                  .addColumn(Bytes.toBytes("pages"), Bytes.toBytes("q"), Bytes.toBytes(i)));
        }
        table.put(puts);
      }
    }
  }

  @BeforeEach
  void begin() throws IOException {
    shell = new TypedShell(server::connect, folder.resolve("history"));
    shell.sees("hbase:001:0> ");
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    shell.close();
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  @Test
  void tabCompletesCommandsTablesFamiliesAndOptions() throws IOException {
    shell.type("get_spl").completes("get_splits").type(" 'vis").completes("its'").type("\n");
    shell.sees("Total number of splits = 1").sees("hbase:002:0> ");
    shell.type("scan 'vis").completes("its'").type(", {STARTR").completes("OW");
    shell
        .type(" => 'row1', COLUMNS => 'pag")
        .completes("es")
        .type("', LIM")
        .completes("IT")
        .type(" => 1}\n");
    shell.sees("column=pages:q").sees("1 row(s)");
  }

  @Test
  void tabCompletesTheFurtherLinesOfAStatement() throws IOException {
    shell.type("scan 'visits',\n").sees("hbase:002:0* ");
    shell
        .type("{STOPR")
        .completes("OW")
        .type(" => 'row0001'}\n")
        .sees("column=pages:q")
        .sees("1 row(s)");
  }

  @Test
  void longOutputStopsAfterEachScreen() throws IOException {
    shell.type("scan 'visits', LIMIT => 30\n").sees("row0000").sees("-- more");
    shell.type(" ").sees("row0029").sees("30 row(s)");
  }

  @Test
  void theRestOfALongOutputCanBeSkipped() throws IOException {
    shell.type("scan 'visits'\n").sees("row0000").sees("-- more").type("q");
    shell.sees("hbase:002:0> ").type("puts 'awake'\n").sees("awake\n");
  }

  @Test
  void aSignalAtTheQuestionCancelsTheScan() throws IOException {
    shell.type("scan 'visits'\n").sees("-- more").type(CTRL_C);
    shell.sees("hbase:002:0> ").type("count 'visits'\n").sees(ROWS + " row(s)");
  }
}
