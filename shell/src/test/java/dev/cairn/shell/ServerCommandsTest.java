package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that take the names of servers, or ask the master. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServerCommandsTest {
  private static final String NONE = "";

  private CairnServer server;
  private ScriptedShell shell;
  private String name;

  @BeforeAll
  void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.regionserver.slowlog.buffer.enabled", "true")
            .setting("hbase.ipc.warn.response.time", "0")
            .start();
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      name = admin.getRegionServers().iterator().next().toString();
    }
    shell = new ScriptedShell(server::connect, false);
    shell.run("create 't', 'f'\nput 't', 'r', 'f:q', 'v'");
  }

  @AfterAll
  void stop() throws IOException {
    shell.close();
    server.close();
  }

  /** Puts the server's name into a statement and runs it. */
  private String run(String statement) throws IOException {
    return shell.run(statement.replace("SERVER", name));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flush 'SERVER'",
        "compact_rs 'SERVER'",
        "compact_rs 'SERVER', true",
        "wal_roll 'SERVER'",
        "hlog_roll 'SERVER'",
      })
  void aServerIsNamedByHostPortAndStartCode(String statement) throws IOException {
    assertThat(run(statement)).isEqualTo(NONE);
    assertThat(run(statement.replace("SERVER", "nosuch,1,2"))).startsWith("ERROR: ");
  }

  @Test
  void theStartCodeMayBeLeftOut() throws IOException {
    assertThat(shell.run("wal_roll '" + name.substring(0, name.lastIndexOf(',')) + "'"))
        .isEqualTo(NONE);
  }

  @Test
  void compactionsAreSwitchedOnNamedServers() throws IOException {
    assertThat(run("compaction_switch false, ['SERVER']")).contains(" SERVER true\n");
    assertThat(run("compaction_switch true, 'SERVER'")).contains(" SERVER false\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "change_sft 't', 'FILE'",
        "change_sft 't', 'f', 'DEFAULT'",
        "clear_compaction_queues 'SERVER'",
        "clear_compaction_queues 'SERVER', ['long', 'short']",
        "flush_master_store",
      })
  void someToolsPrintNothing(String statement) throws IOException {
    assertThat(run(statement)).isEqualTo(NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "balancer                                       | true",
        "balancer 'force'                               | true",
        "balancer 'dry_run'                             | true",
        "catalogjanitor_run                             | => ",
        "cleaner_chore_run                              | => ",
        "clear_block_cache 't'                          | CacheEvictionStats{evictedBlocks=",
        "clear_slowlog_responses                        | Cleared Slowlog responses from ",
        "clear_slowlog_responses ['SERVER']             | Cleared Slowlog responses from ",
        "get_largelog_responses '*'                     | Retrieved LargeLog Responses from RegionServers",
        "get_slowlog_responses '*', {LIMIT => 2}        | Retrieved SlowLog Responses from RegionServers",
        "get_slowlog_responses ['SERVER'], {USER => 'u', FILTER_BY_OP => 'OR'} | Retrieved SlowLog",
        "list_quota_table_sizes                         | TABLE",
        "normalize                                      | true",
        "normalize TABLE_NAME => 't'                    | true",
        "normalize NAMESPACE => 'default', REGEX => 't' | true",
      })
  void someToolsPrintTheirAnswer(String statement, String answer) throws IOException {
    assertThat(run(statement)).startsWith(answer);
  }

  @Test
  void aSlowCallIsPrintedAsJson() throws IOException {
    ScriptedShell.await(
        () -> {
          // Each time, because every call is slow here, and only the latest 50 are returned.
          run("scan 't', {LIMIT => 1}");
          return run("get_slowlog_responses '*', {LIMIT => 50}")
              .contains("\"methodName\": \"Scan\"");
        },
        "the record of a scan");
    assertThat(run("get_slowlog_responses '*', {LIMIT => 50}"))
        .contains("{\n  \"startTime\": ", "  \"serverClass\": \"HRegionServer\",\n");
  }

  @Test
  void settingsAreReadAgainFromAFolder() throws IOException {
    assertThat(run("update_config 'SERVER'"))
        .contains("ERROR: ", "started without a configuration folder");
    assertThat(run("update_all_config")).contains("started without a configuration folder");
  }

  @Test
  void serversAreDecommissioned() throws IOException {
    String host = name.substring(0, name.indexOf(','));
    assertThat(run("decommission_regionservers ['SERVER'], true"))
        .containsPattern("^ERROR: org\\S*DoNotRetryIOException: No region server is left")
        .hasLineCount(2);
    assertThat(run("decommission_regionservers '" + host + "'")).doesNotContain("ERROR");
    assertThat(run("list_decommissioned_regionservers")).contains("SERVER", "1 row(s)");
    assertThat(run("recommission_regionserver '" + host + "'")).doesNotContain("ERROR");
    assertThat(run("list_decommissioned_regionservers")).contains("0 row(s)");
    assertThat(run("decommission_regionservers 'nosuch'"))
        .contains("No live region server matches nosuch");
  }

  @Test
  void proceduresAreListed() throws IOException {
    assertThat(run("list_procedures"))
        .contains("master.procedure.CreateTableProcedure SUCCESS ")
        .containsPattern("\\d+ row\\(s\\)\n$");
  }

  @Test
  void zooKeeperIsDumped() throws IOException {
    assertThat(run("zk_dump"))
        .startsWith(
            """
            HBase is rooted at /hbase
            Active master address:
             SERVER
            Backup master addresses:
            Region server holding hbase:meta:
             SERVER
            Region servers:
             SERVER
            Quorum Server Statistics:
             HOST:PORT
              Zookeeper version: \
            """)
        .contains("  Mode: standalone\n");
  }

  @Test
  void theShellTellsOfItself() throws IOException {
    assertThat(run("version")).startsWith("Cairn ").contains(", with the client of HBase 2.");
    assertThat(run("whoami")).contains("(auth:SIMPLE)");
    assertThat(run("table_help")).contains("t = get_table 't1'");
  }

  @Test
  void referencesToTablesExplainThemselves() throws IOException {
    String help = run("table_help");
    assertThat(help).contains("help, ");
    assertThat(run("get_table('t').help")).isEqualTo(help);
    assertThat(run("get_table('t').help 'scan'")).isEqualTo(run("help 'scan'"));
  }

  @Test
  void aServerThatCannotBeReachedIsNamedWithTheCause() throws IOException {
    Configuration impatient = server.configuration();
    impatient.setInt("hbase.client.retries.number", 1);
    try (ScriptedShell other =
        new ScriptedShell(() -> ConnectionFactory.createConnection(impatient), false)) {
      assertThat(other.run("get_slowlog_responses 'nosuch,1,1'"))
          .startsWith("ERROR: ")
          .contains("nosuch")
          .doesNotContain("Failed after attempts");
    }
  }

  @Test
  void theListOfTasksHasCompactionsOnly() throws IOException {
    ScriptedShell.await(
        () ->
            run("processlist")
                .equals(
                    """
                    0 tasks as of: 1970-01-01 00:00:00
                    No compactions currently running; servers report no other tasks.
                    """),
        "the end of all compactions");
    assertThat(run("processlist 'nosuch'")).startsWith("0 tasks as of: ");
  }

  @Test
  void theStatusIsShortSimpleOrDetailed() throws IOException {
    assertThat(run("status 'simple'"))
        .startsWith("active master:  HOST:PORT ")
        .contains("1 live servers\n    HOST:PORT ", "requestsPerSecond=", "Aggregate load: ");
    assertThat(run("status 'detailed'"))
        .startsWith("version 2.6")
        .contains("0 regionsInTransition", "        \"t,,TIME.HASH.\"", "numberOfStores=1");
    assertThat(run("status 'tasks'")).contains("master: 0 tasks\n", "HOST:PORT ", ": 0 tasks\n");
  }

  @Test
  void theStatusHasFieldsInJson() throws IOException {
    try (ScriptedShell json = new ScriptedShell(server::connect, true)) {
      assertThat(json.run("status"))
          .startsWith("{\"active_masters\":1,\"backup_masters\":0,\"live_servers\":1,")
          .containsPattern("\"average_load\":\\d+\\.\\d+}\n$");
      assertThat(json.run("status 'simple'"))
          .startsWith("{\"active_master\":\"SERVER\",\"backup_masters\":[],")
          .contains("\"live_servers\":[{\"server\":\"SERVER\",\"requestsPerSecond\":")
          .containsPattern("\"aggregate_load\":\\d+,\"region_count\":\\d+}\n$");
      assertThat(json.run("status 'detailed'"))
          .startsWith("{\"version\":\"2.6")
          .contains(
              "\"regions_in_transition\":[]",
              "\"regions\":[{\"region\":\"",
              "{\"region\":\"t,,TIME.HASH.\",\"numberOfStores\":1,",
              "\"compactionProgressPct\":")
          .doesNotContain("NaN")
          .hasLineCount(1);
      assertThat(json.run("status 'tasks'"))
          .contains("\"master\":[", "\"live_servers\":[{\"server\":\"SERVER\",\"tasks\":[");
      assertThat(json.run("processlist")).startsWith("{\"tasks\":[");
    }
  }

  @Test
  void serversAreStoppedByName() throws IOException {
    assertThat(run("stop_regionserver 'nosuch'")).startsWith("ERROR: ");
    assertThat(run("stop_master 'now'")).startsWith("ERROR: wrong number of arguments");
  }
}
