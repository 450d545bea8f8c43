package dev.cairn.interop.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.cluster.ClusterProcesses;
import dev.cairn.interop.tools.CairnTool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cairn changes} beside a cluster whose regions move, split and merge. */
@Timeout(600)
class ChangesOfClusterTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  @TempDir Path folder;

  /** The values that were written to each row, in order. */
  private final Map<String, List<String>> written = new TreeMap<>();

  private int values;

  private void put(Table table, String row) throws IOException {
    String value = "v" + ++values;
    table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes(value)));
    written.computeIfAbsent(row, any -> new ArrayList<>()).add(value);
  }

  private void putAll(Connection connection) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < 10; i++) {
        put(table, "row" + i);
      }
    }
  }

  private static void move(Admin admin, Random random) throws IOException {
    List<RegionInfo> regions = admin.getRegions(TABLE);
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    RegionInfo region = regions.get(random.nextInt(regions.size()));
    admin.move(region.getEncodedNameAsBytes(), servers.get(random.nextInt(servers.size())));
  }

  private static void merge(Admin admin) throws Exception {
    List<RegionInfo> regions = admin.getRegions(TABLE);
    byte[][] names = {regions.get(0).getRegionName(), regions.get(1).getRegionName()};
    admin.mergeRegionsAsync(names, false).get();
  }

  private String take(Map<String, List<String>> rows, String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of("changes", "--format=cells", "--root", folder.resolve("root").toString()));
    all.addAll(List.of(arguments));
    CairnTool run = CairnTool.run(all.toArray(String[]::new));
    assertThat(run.status()).as(run.toString()).isZero();
    String token = "";
    for (String line : run.out().split("\n")) {
      if (line.startsWith("# token ")) {
        token = line.substring("# token ".length());
      } else {
        String[] fields = line.split("\t", -1);
        rows.computeIfAbsent(fields[4], any -> new ArrayList<>()).add(fields[8]);
      }
    }
    return token;
  }

  @Test
  void eachChangeIsPrintedOnceAcrossMovesSplitsAndMerges() throws Exception {
    Random random = new Random(5);
    Map<String, List<String>> printed = new TreeMap<>();
    try (ClusterProcesses cluster = ClusterProcesses.onLocalFolder(folder, 1, 2, Map.of());
        Connection connection = ConnectionFactory.createConnection(cluster.client());
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build(),
          new byte[][] {Bytes.toBytes("row3"), Bytes.toBytes("row6")});
      putAll(connection);
      String token = take(printed, "t");
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 5; i++) {
          move(admin, random);
          putAll(connection);
        }
        if (round == 0) {
          merge(admin);
        } else if (round == 2) {
          byte[] region = admin.getRegions(TABLE).get(0).getRegionName();
          admin.splitRegionAsync(region, Bytes.toBytes("row2")).get();
        }
        putAll(connection);
        if (round % 2 == 0) {
          token = take(printed, "--token=" + token);
        }
      }
      take(printed, "--token=" + token);
    }
    assertThat(printed).isEqualTo(written);
  }
}
