package dev.cairn.interop.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The living region servers split the log of a dead one, also if one of them dies meanwhile. */
@Timeout(600)
class SharedRecoveryTest {
  private static final TableName TABLE = TableName.valueOf("shared");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final Map<String, String> SETTINGS = Map.of("zookeeper.session.timeout", "6000");
  private static final int REGIONS = 24;
  private static final int VALUE_SIZE = 1 << 20;

  /** So many bytes that two servers share the log. */
  private static final int VALUES_PER_SERVER = 40;

  private static final Pattern GIVEN =
      Pattern.compile("(\\S+,\\d+,\\d+) splits \\d+ parts of the log of (\\S+,\\d+,\\d+) \\(REG");

  @TempDir private Path folder;

  private final Set<String> written = new TreeSet<>();

  @Test
  void theLivingServersShareTheLogAndNothingIsLostIfOneOfThemDies() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.onLocalFolder(folder, 1, 4, SETTINGS);
        Connection connection = ConnectionFactory.createConnection(cluster.client())) {
      byte[][] splits = new byte[REGIONS - 1][];
      for (int i = 1; i < REGIONS; i++) {
        splits[i - 1] = Bytes.toBytes("%02d".formatted(i));
      }
      connection
          .getAdmin()
          .createTable(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build(),
              splits);

      ServerName first = serverWithoutMeta(connection, server -> true);
      write(connection, first, "a");
      cluster.kill(cluster.nameOf(first.getPort()));
      cluster.await("others split the log", () -> workers(cluster, first).size() >= 2);
      assertNothingIsLost(connection);

      ServerName second = serverWithoutMeta(connection, server -> !server.equals(first));
      ServerName frozen =
          serverWithoutMeta(connection, server -> !server.equals(first) && !server.equals(second));
      write(connection, second, "b");
      cluster.freeze(cluster.nameOf(frozen.getPort()));
      cluster.kill(cluster.nameOf(second.getPort()));
      cluster.await(
          "the frozen server is ordered to split, and its procedures are listed",
          () ->
              isOrdered(cluster, frozen)
                  && connection.getAdmin().getProcedures().contains("SplitWALRemoteProcedure"));
      cluster.kill(cluster.nameOf(frozen.getPort()));
      assertNothingIsLost(connection);
    }
  }

  /** Returns the servers that the master has told to split the log of a dead server. */
  private static Set<String> workers(ClusterProcesses cluster, ServerName dead) throws IOException {
    Set<String> workers = new TreeSet<>();
    Matcher given = GIVEN.matcher(cluster.output("master1"));
    while (given.find()) {
      if (given.group(2).equals(dead.toString())) {
        workers.add(given.group(1));
      }
    }
    return workers;
  }

  private static boolean isOrdered(ClusterProcesses cluster, ServerName worker) throws IOException {
    return cluster.output("master1").contains(worker + " splits ");
  }

  private static ServerName serverWithoutMeta(Connection connection, Predicate<ServerName> which)
      throws IOException {
    ServerName meta =
        connection
            .getRegionLocator(TableName.META_TABLE_NAME)
            .getRegionLocation(new byte[0], true)
            .getServerName();
    return connection.getAdmin().getRegionServers(true).stream()
        .filter(server -> !server.equals(meta))
        .filter(which)
        .findFirst()
        .orElseThrow();
  }

  /** Writes to the regions of one server. */
  private void write(Connection connection, ServerName server, String round) throws IOException {
    List<String> prefixes = new ArrayList<>();
    for (int i = 0; i < REGIONS; i++) {
      String prefix = "%02d".formatted(i);
      if (server.equals(
          connection
              .getRegionLocator(TABLE)
              .getRegionLocation(Bytes.toBytes(prefix), true)
              .getServerName())) {
        prefixes.add(prefix);
      }
    }
    assertThat(prefixes).isNotEmpty();
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < VALUES_PER_SERVER; i++) {
        String row = prefixes.get(i % prefixes.size()) + round + i;
        table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, QUALIFIER, value(row)));
        written.add(row);
      }
    }
  }

  private static byte[] value(String row) {
    byte[] value = new byte[VALUE_SIZE];
    new Random(row.hashCode()).nextBytes(value);
    return value;
  }

  private void assertNothingIsLost(Connection connection) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (String row : written) {
        assertThat(table.get(new Get(Bytes.toBytes(row))).getValue(FAMILY, QUALIFIER))
            .as(row)
            .isEqualTo(value(row));
      }
    }
  }
}
