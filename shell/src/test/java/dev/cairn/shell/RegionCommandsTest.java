package dev.cairn.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The commands that take the names of regions, on a table with the rows a, b, c and d. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RegionCommandsTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final String NONE = "";

  private CairnServer server;
  private Connection connection;
  private Admin admin;
  private ScriptedShell shell;

  @BeforeAll
  void start() throws IOException {
    server = CairnServer.start();
    connection = server.connect();
    admin = connection.getAdmin();
    shell = new ScriptedShell(server::connect, false);
  }

  @AfterAll
  void stop() throws IOException {
    shell.close();
    admin.close();
    connection.close();
    server.close();
  }

  @BeforeEach
  void create() throws IOException {
    shell.run("create 't', 'f', SPLITS => ['c']\n('a'..'d').each { |r| put 't', r, 'f:q', r, 1 }");
  }

  @AfterEach
  void drop() throws IOException {
    shell.run("disable 't'; drop 't'");
  }

  private List<RegionInfo> regions() throws IOException {
    return admin.getRegions(TABLE);
  }

  private String encoded(int index) throws IOException {
    return regions().get(index).getEncodedName();
  }

  private String name(int index) throws IOException {
    return regions().get(index).getRegionNameAsString();
  }

  private String count() throws IOException {
    return shell.run("count 't'");
  }

  /** A region comes first, as in Apache's shell. */
  @Test
  void aTableMayHaveTheFormOfAnEncodedName() throws IOException {
    String hash = "0123456789abcdef0123456789abcdef";
    String region = encoded(0);
    for (String table : List.of(hash, region)) {
      shell.run("create '" + table + "', 'f'\nput '" + table + "', 'r', 'f:q', 1");
      for (String command : List.of("flush", "compact", "major_compact")) {
        assertThat(shell.run(command + " '" + table + "'")).as(command).isEqualTo(NONE);
        assertThat(shell.run(command + " '" + table + "', 'f'")).as(command).isEqualTo(NONE);
      }
    }
    assertThat(files(hash)).isPositive();
    assertThat(files(region)).as("the region was flushed, not the table").isZero();
    assertThat(shell.run("split '" + hash + "', 'm'")).isEqualTo(NONE);
    ScriptedShell.await(
        () -> admin.getRegions(TableName.valueOf(hash)).size() == 2, "the table is split");
    assertThat(shell.run("flush 'fedcba9876543210fedcba9876543210'"))
        .startsWith("ERROR: Unknown regionname");
    for (String table : List.of(hash, region)) {
      shell.run("disable '" + table + "'; drop '" + table + "'");
    }
  }

  private int files(String table) throws IOException {
    int files = 0;
    for (ServerName server : admin.getRegionServers()) {
      for (RegionMetrics region : admin.getRegionMetrics(server, TableName.valueOf(table))) {
        files += region.getStoreFileCount();
      }
    }
    return files;
  }

  @Test
  void aRegionIsFlushedAndCompactedByItsNameOrEncodedName() throws IOException {
    assertThat(shell.run("flush '" + encoded(0) + "'")).isEqualTo(NONE);
    assertThat(shell.run("flush '" + name(1) + "', 'f'")).isEqualTo(NONE);
    assertThat(shell.run("compact '" + encoded(0) + "'")).isEqualTo(NONE);
    assertThat(shell.run("compact '" + encoded(0) + "', 'f'")).isEqualTo(NONE);
    assertThat(shell.run("major_compact '" + name(1) + "'")).isEqualTo(NONE);
    assertThat(shell.run("major_compact '" + name(1) + "', 'f'")).isEqualTo(NONE);
    assertThat(shell.run("compact '" + encoded(0) + "', 'nosuch'")).startsWith("ERROR: ");
  }

  @Test
  void aClosedRegionOpensAgain() throws IOException {
    String region = name(0);
    assertThat(shell.run("unassign '" + region + "'")).isEqualTo(NONE);
    assertThat(shell.run("assign '" + region + "'")).isEqualTo(NONE);
    assertThat(count()).isEqualTo("4 row(s)\n=> 4\n");
    assertThat(shell.run("unassign '" + region + "', true")).contains("has no effect");
    assertThat(shell.run("assign '" + region + "'")).isEqualTo(NONE);
    assertThat(shell.run("assign 'nosuch'")).startsWith("ERROR: ");
  }

  @Test
  void aRegionMovesToAServer() throws IOException {
    String own = admin.getRegionServers().iterator().next().toString();
    assertThat(shell.run("move '" + encoded(0) + "', '" + own + "'")).isEqualTo(NONE);
    assertThat(shell.run("move '" + encoded(0) + "', 'nosuch'"))
        .startsWith("ERROR: nosuch is not the name of a server");
    assertThat(count()).startsWith("4 row(s)");
  }

  @Test
  void aRegionIsEmptied() throws IOException {
    assertThat(shell.run("truncate_region '" + name(1) + "'")).isEqualTo(NONE);
    assertThat(count()).startsWith("2 row(s)");
  }

  @Test
  void regionsSplitAndMerge() throws IOException {
    assertThat(shell.run("split '" + encoded(0) + "', 'b'")).isEqualTo(NONE);
    awaitRegions(3);
    shell.run("major_compact 't'");
    assertThat(shell.run("merge_region '" + encoded(0) + "', '" + encoded(1) + "'"))
        .isEqualTo(NONE);
    awaitRegions(2);
    shell.run("major_compact 't'");
    assertThat(shell.run("merge_region ['" + encoded(0) + "', '" + encoded(1) + "'], true"))
        .isEqualTo(NONE);
    awaitRegions(1);
    assertThat(count()).startsWith("4 row(s)");
  }

  private void awaitRegions(int count) throws IOException {
    ScriptedShell.await(() -> regions().size() == count, count + " regions of t");
  }

  @Test
  void regioninfoPrintsServerAndRegion() throws IOException {
    assertThat(shell.run("regioninfo '" + encoded(1) + "'"))
        .startsWith("HOST  REGION\n SERVER {ENCODED => HASH, NAME => 't,c,TIME.HASH.'")
        .endsWith("1 row(s)\n");
    assertThat(shell.run("regioninfo 'hbase:meta,,1'"))
        .contains("{ENCODED => 1588230740, NAME => 'hbase:meta,,1'")
        .endsWith("1 row(s)\n")
        .isEqualTo(shell.run("regioninfo '1588230740'"));
    assertThat(shell.run("regioninfo 'nosuch'")).startsWith("ERROR: Unknown region nosuch!");
  }

  @Test
  void regionsInTransitionAreNone() throws IOException {
    assertThat(shell.run("rit")).isEqualTo("0 row(s)\n");
  }
}
