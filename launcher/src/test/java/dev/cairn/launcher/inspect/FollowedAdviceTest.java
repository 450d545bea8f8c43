package dev.cairn.launcher.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CommandHome;
import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.client.ClientConfiguration;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the adviser's promised spread of load is reached: keys that only grow are written to a
 * table with 8 regions, then to the tables that the adviser proposes, and the busiest region's
 * share of the writes is measured by HBase's own counters.
 */
class FollowedAdviceTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int REGIONS = 8;
  private static final int ROWS = 4_000;
  private static final int BATCH = 200;
  private static final Pattern CREATED =
      Pattern.compile("create '([^']+)', \\{NAME => 'f'.*\\}, SPLITS => \\[(.*)\\]");

  /** The measured share may exceed the promised one by this, if the borders are even. */
  private static final double TOLERANCE = 0.03;

  /** Borders that come from samples divide the load less well. */
  private static final double UNEVEN_MAX = 0.4;

  @TempDir private Path home;
  private int next;

  @Test
  void theLoadAfterFollowingTheAdviceIsAsPromised() throws Exception {
    try (LocalServer server = new LocalServer(home.resolve("data"));
        Connection connection =
            ConnectionFactory.createConnection(
                ClientConfiguration.of(Map.of(), server.addresses()))) {
      new CommandHome(home).site(server.addresses().zooKeeper());
      try (Admin admin = connection.getAdmin()) {
        admin.splitSwitch(false, true); // splits for load would change what is measured
      }
      List<byte[]> splits = new ArrayList<>();
      for (int i = 1; i < REGIONS; i++) {
        splits.add(Bytes.toBytes(i + "000000000"));
      }
      create(connection, "events", splits);
      List<JsonObject> proposals = writeUntilAdvised(connection);
      System.out.println(new CommandHome(home).run("advise", "events"));
      double before = busiest(connection, "events", UnaryOperator.identity());
      assertThat(before).as("before").isGreaterThan(0.99);
      Map<String, UnaryOperator<byte[]>> keys =
          Map.of(
              "events_hashed", FollowedAdviceTest::hashed,
              "events_reversed", FollowedAdviceTest::reversed,
              "events_salted", FollowedAdviceTest::salted);
      List<String> followed = new ArrayList<>();
      for (JsonObject proposal : proposals) {
        String table = follow(connection, proposal);
        double promised = proposal.getAsJsonObject("effect").get("after").getAsDouble();
        double measured = busiest(connection, table, keys.get(table));
        System.out.printf(
            Locale.ROOT,
            "%s: busiest of %d regions: %.1f %% before, %.1f %% promised, %.1f %% measured%n",
            table,
            REGIONS,
            100 * before,
            100 * promised,
            100 * measured);
        boolean even = !table.equals("events_reversed");
        assertThat(measured)
            .as(table)
            .isBetween(0.99 / REGIONS, even ? promised + TOLERANCE : UNEVEN_MAX);
        followed.add(table);
      }
      assertThat(followed).contains("events_hashed", "events_salted");
    }
  }

  private static byte[] hashed(byte[] row) {
    try {
      byte[] md5 = MessageDigest.getInstance("MD5").digest(row);
      return Bytes.add(Bytes.toBytes(HexFormat.of().formatHex(md5, 0, 2) + "-"), row);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] reversed(byte[] row) {
    return Bytes.toBytes(
        new StringBuilder(new String(row, StandardCharsets.US_ASCII)).reverse().toString());
  }

  private static byte[] salted(byte[] row) {
    CRC32 sum = new CRC32();
    sum.update(row);
    return Bytes.add(
        Bytes.toBytes(String.format(Locale.ROOT, "%02d-", sum.getValue() % REGIONS)), row);
  }

  private static void create(Connection connection, String name, List<byte[]> splits)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splits.toArray(byte[][]::new));
    }
  }

  private void write(Connection connection, String name, int rows, UnaryOperator<byte[]> keys)
      throws IOException {
    try (Table table = connection.getTable(TableName.valueOf(name))) {
      for (int done = 0; done < rows; done += BATCH) {
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          byte[] row = Bytes.toBytes(String.format(Locale.ROOT, "%010d", next++));
          puts.add(new Put(keys.apply(row)).addColumn(FAMILY, FAMILY, FAMILY));
        }
        table.put(puts);
      }
    }
  }

  /** Writes growing keys until the adviser proposes tables; returns the proposals. */
  private List<JsonObject> writeUntilAdvised(Connection connection) throws IOException {
    Instant end = Instant.now().plus(PATIENCE);
    while (true) {
      write(connection, "events", ROWS, UnaryOperator.identity());
      List<JsonObject> proposals = new ArrayList<>();
      JsonObject report =
          JsonParser.parseString(new CommandHome(home).run("advise", "--json", "events"))
              .getAsJsonObject();
      for (JsonElement table : report.getAsJsonArray("tables")) {
        for (JsonElement finding : table.getAsJsonObject().getAsJsonArray("findings")) {
          finding
              .getAsJsonObject()
              .getAsJsonArray("proposals")
              .forEach(one -> proposals.add(one.getAsJsonObject()));
        }
      }
      if (!proposals.isEmpty()) {
        return proposals;
      }
      assertThat(Instant.now()).as(report.toString()).isBefore(end);
    }
  }

  /** Creates the table that a proposal's command creates; returns its name. */
  private static String follow(Connection connection, JsonObject proposal) throws IOException {
    String command = proposal.getAsJsonArray("commands").get(0).getAsString();
    Matcher created = CREATED.matcher(command);
    assertThat(created.matches()).as(command).isTrue();
    List<byte[]> splits = new ArrayList<>();
    for (String split : created.group(2).split(", ")) {
      splits.add(Bytes.toBytesBinary(split.substring(1, split.length() - 1)));
    }
    create(connection, created.group(1), splits);
    return created.group(1);
  }

  /** Writes more rows; returns the busiest region's share of their writes. */
  private double busiest(Connection connection, String table, UnaryOperator<byte[]> keys)
      throws IOException {
    Map<String, Long> before = writes(connection, table);
    write(connection, table, ROWS, keys);
    long most = 0;
    for (Map.Entry<String, Long> region : writes(connection, table).entrySet()) {
      most = Math.max(most, region.getValue() - before.getOrDefault(region.getKey(), 0L));
    }
    return (double) most / ROWS;
  }

  private static Map<String, Long> writes(Connection connection, String table) throws IOException {
    Map<String, Long> writes = new HashMap<>();
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        admin
            .getRegionMetrics(server, TableName.valueOf(table))
            .forEach(region -> writes.put(region.getNameAsString(), region.getWriteRequestCount()));
      }
    }
    return writes;
  }
}
