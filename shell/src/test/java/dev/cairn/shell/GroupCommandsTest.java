package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands for groups of region servers, on one server, which stays in the group default. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupCommandsTest {
  private CairnServer server;
  private ScriptedShell shell;
  private String address;

  @BeforeAll
  void start() throws IOException {
    server =
        CairnServer.builder()
            .setting(
                "hbase.coprocessor.master.classes",
                "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint")
            .setting(
                "hbase.master.loadbalancer.class",
                "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer")
            .start();
    try (Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      ServerName name = admin.getRegionServers().iterator().next();
      address = name.getAddress().toString();
    }
    shell = new ScriptedShell(server::connect, false);
    Awaitility.await()
        .pollInSameThread()
        .atMost(Duration.ofMinutes(1))
        .until(() -> !run("list_rsgroups").startsWith("ERROR"));
    run("create 't', 'f'\ncreate_namespace 'shop'\ncreate 'shop:u', 'f'");
  }

  @AfterAll
  void stop() throws IOException {
    shell.close();
    server.close();
  }

  /** Puts the server's address into a statement and runs it. */
  private String run(String statement) throws IOException {
    return shell.run(statement.replace("SERVER", address));
  }

  @Test
  void groupsAreListed() throws IOException {
    run("add_rsgroup 'listed'");
    assertThat(run("list_rsgroups 'l.st'"))
        .containsPattern("^NAME +SERVER / TABLE *\n listed *\n1 row");
    assertThat(run("list_rsgroups")).contains("server HOST:PORT", "table t", "table shop:u");
    run("remove_rsgroup 'listed'");
    assertThat(run("list_rsgroups 'listed'")).contains("0 row(s)");
  }

  @Test
  void membersArePrinted() throws IOException {
    assertThat(run("get_rsgroup 'default'"))
        .containsPattern("^SERVERS *\nHOST:PORT\n1 row\\(s\\)\nTABLES *\n")
        .contains("hbase:meta\n", "shop:u\n");
    assertThat(run("get_server_rsgroup 'SERVER'")).startsWith("default\n1 row(s)");
    assertThat(run("get_table_rsgroup 't'")).startsWith("default\n1 row(s)");
    assertThat(run("get_namespace_rsgroup 'shop'")).startsWith("1 row(s)");
  }

  @Test
  void aGroupHasAConfiguration() throws IOException {
    run("add_rsgroup 'old'");
    run("alter_rsgroup_config 'old', {METHOD => 'set', 'a' => '1', 'b' => '2'}");
    run("alter_rsgroup_config 'old', {METHOD => 'unset', NAME => 'a'}");
    run("rename_rsgroup 'old', 'new'");
    assertThat(run("show_rsgroup_config 'new'").lines())
        .anyMatch(line -> line.matches("KEY +VALUE *"))
        .anyMatch(line -> line.matches(" b +2 *"))
        .noneMatch(line -> line.matches(" a +1 *"))
        .contains("1 row(s)");
    assertThat(run("update_rsgroup_config 'new'")).doesNotContain("ERROR");
    run("remove_rsgroup 'new'");
  }

  @Test
  void aMoveIntoTheSameGroupChangesNothing() throws IOException {
    assertThat(run("move_servers_rsgroup 'default', ['SERVER']")).doesNotContain("ERROR");
    assertThat(run("move_tables_rsgroup 'default', ['t']")).doesNotContain("ERROR");
    assertThat(run("move_servers_tables_rsgroup 'default', ['SERVER'], ['t']"))
        .doesNotContain("ERROR");
    assertThat(run("move_servers_namespaces_rsgroup 'default', ['SERVER'], ['shop']"))
        .doesNotContain("ERROR");
    run("create_namespace 'moved'");
    assertThat(run("move_namespaces_rsgroup 'default', ['moved']")).doesNotContain("ERROR");
    assertThat(run("get_namespace_rsgroup 'moved'")).startsWith("default\n1 row(s)");
    assertThat(run("balance_rsgroup 'default', 'dry_run', 'ignore_rit'"))
        .contains("Balancer ran", "Moves calculated: 0, moves executed: 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "get_rsgroup 'x'; Group does not exist: x",
        "get_server_rsgroup 'x:1'; Server has no group: x:1",
        "get_table_rsgroup 'x'; Table has no group: x",
        "add_rsgroup 'a-b'; letters, digits and underscores",
        "add_rsgroup 'default'; Group already exists: default",
        "remove_rsgroup 'x'; RSGroup x does not exist",
        "move_servers_rsgroup 'x', ['SERVER']; RSGroup does not exist: x",
        "move_tables_rsgroup 'x', ['t']; RSGroup does not exist: x",
        "move_namespaces_rsgroup 'x', ['nowhere']; Can't find a namespace: nowhere",
        "remove_servers_rsgroup ['SERVER']; is online, so it cannot be removed",
        "balance_rsgroup 'default', 'x'; takes 'ignore_rit' and 'dry_run', not x",
        "alter_rsgroup_config 'default', {METHOD => 'set', 'a' => '1'}; cannot be stored",
      })
  void refusals(String statement, String reason) throws IOException {
    assertThat(run(statement)).startsWith("ERROR: ").contains(reason);
  }
}
