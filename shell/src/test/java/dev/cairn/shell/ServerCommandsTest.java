package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
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
    server = CairnServer.start();
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

  /** Servers without such a method refuse it by name, in one line. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "balancer",
        "balancer 'force'",
        "balancer 'dry_run'",
        "catalogjanitor_run",
        "change_sft 't', 'DEFAULT'",
        "change_sft 't', 'f', 'DEFAULT'",
        "cleaner_chore_run",
        "clear_block_cache 't'",
        "clear_compaction_queues 'SERVER'",
        "clear_compaction_queues 'SERVER', ['long', 'short']",
        "clear_slowlog_responses",
        "clear_slowlog_responses ['SERVER']",
        "decommission_regionservers ['SERVER']",
        "recommission_regionserver 'SERVER'",
        "flush_master_store",
        "get_balancer_decisions",
        "get_balancer_rejections LIMIT => 2",
        "get_largelog_responses '*'",
        "get_slowlog_responses '*', {LIMIT => 2}",
        "get_slowlog_responses ['SERVER'], {TABLE_NAME => 't', FILTER_BY_OP => 'OR', USER => 'u'}",
        "list_quota_table_sizes",
        "normalize",
        "normalize TABLE_NAME => 't'",
        "normalize NAMESPACE => 'default', REGEX => 't.*'",
        "update_config 'SERVER'",
        "update_all_config",
      })
  void aToolIsDoneOrRefusedByTheServer(String statement) throws IOException {
    assertThat(run(statement))
        .satisfiesAnyOf(
            answer -> assertThat(answer).doesNotContain("ERROR"),
            answer ->
                assertThat(answer)
                    .containsPattern("^ERROR: org\\S*DoNotRetryIOException: .* not supported yet")
                    .hasLineCount(2));
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
  void theStatusIsShortSimpleOrDetailed() throws IOException {
    assertThat(run("status 'simple'"))
        .startsWith("active master:  HOST:PORT ")
        .contains("1 live servers\n    HOST:PORT ", "requestsPerSecond=", "Aggregate load: ");
    assertThat(run("status 'detailed'"))
        .startsWith("version 2.6")
        .contains("0 regionsInTransition", "        \"t,,TIME.HASH.\"", "numberOfStores=1");
    assertThat(run("status 'tasks'")).contains(" tasks");
  }

  @Test
  void serversAreStoppedByName() throws IOException {
    assertThat(run("stop_regionserver 'nosuch'")).startsWith("ERROR: ");
    assertThat(run("stop_master 'now'")).startsWith("ERROR: wrong number of arguments");
  }
}
