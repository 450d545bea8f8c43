package dev.cairn.interop.changes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.tools.CairnTool;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cairn changes} beside a server that writes, flushes, rolls, splits, stops and crashes. */
class ChangesCommandTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");

  @TempDir Path folder;

  /** What was done to each row, in order. */
  private final Map<String, List<String>> done = new TreeMap<>();

  private final Map<String, Long> counters = new TreeMap<>();
  private final Map<String, String> appended = new TreeMap<>();
  private int values;

  private CairnTool changes(Object... arguments) {
    List<String> all = new ArrayList<>(List.of("changes", "--root", folder.toString()));
    Stream.of(arguments).map(Object::toString).forEach(all::add);
    return CairnTool.run(all.toArray(String[]::new));
  }

  private CairnTool succeed(Object... arguments) {
    CairnTool run = changes(arguments);
    assertThat(run.status()).as(run.toString()).isZero();
    return run;
  }

  private static void create(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build(),
          new byte[][] {Bytes.toBytes("row5")});
    }
  }

  private void note(String row, String change) {
    done.computeIfAbsent(row, any -> new ArrayList<>()).add(change);
  }

  private void write(Connection connection, Random random) throws IOException {
    String row = "row" + random.nextInt(10);
    byte[] key = Bytes.toBytes(row);
    try (Table table = connection.getTable(TABLE)) {
      switch (random.nextInt(6)) {
        case 0 -> {
          table.increment(new Increment(key).addColumn(F, Bytes.toBytes("n"), 3));
          long now = counters.merge(row, 3L, Long::sum);
          note(row, "Put f:n " + Bytes.toStringBinary(Bytes.toBytes(now)));
        }
        case 1 -> {
          table.append(new Append(key).addColumn(F, Bytes.toBytes("a"), Bytes.toBytes("x")));
          note(row, "Put f:a " + appended.merge(row, "x", String::concat));
        }
        case 2 -> {
          table.delete(new Delete(key).addColumns(F, Bytes.toBytes("q")));
          note(row, "DeleteColumn f:q ");
        }
        default -> {
          String value = "v" + ++values;
          table.put(new Put(key).addColumn(F, Bytes.toBytes("q"), Bytes.toBytes(value)));
          note(row, "Put f:q " + value);
        }
      }
    }
  }

  private void disturb(Connection connection, Random random) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      switch (random.nextInt(4)) {
        case 0 -> admin.flush(TABLE);
        case 1 -> {
          for (ServerName server : admin.getRegionServers()) {
            admin.rollWALWriter(server);
          }
        }
        case 2 -> admin.compact(TABLE);
        default -> {
          byte[] region =
              admin
                  .getRegions(TABLE)
                  .get(random.nextInt(admin.getRegions(TABLE).size()))
                  .getRegionName();
          admin.flushRegion(region);
        }
      }
    }
  }

  /** Takes cells as the command prints them; returns the token. */
  private static String take(String out, Map<String, List<String>> rows) {
    String token = "";
    for (String line : out.split("\n")) {
      if (line.startsWith("# token ")) {
        token = line.substring("# token ".length());
      } else {
        String[] fields = line.split("\t", -1);
        assertThat(fields).as(line).hasSize(9);
        rows.computeIfAbsent(fields[4], any -> new ArrayList<>())
            .add(fields[5] + " " + fields[6] + " " + fields[8]);
      }
    }
    return token;
  }

  @Test
  void printsEachChangeOnceAcrossRollsSplitsStopsAndCrashes() throws Exception {
    Random random = new Random(11);
    Map<String, List<String>> byToken = new TreeMap<>();
    Map<String, List<String>> byCursor = new TreeMap<>();
    try (CairnServer server =
        CairnServer.builder()
            .folder(folder)
            .setting("hbase.master.cleaner.interval", "100")
            .setting("hbase.master.logcleaner.ttl", "0")
            .start()) {
      try (Connection connection = server.connect()) {
        create(connection);
      }
      assertThat(succeed("t", "--cursor=c", "--format=cells").out()).isEmpty();
      String token = take(succeed("t", "--format=cells", "--from=now").out(), byToken);
      for (int phase = 0; phase < 4; phase++) {
        try (Connection connection = server.connect()) {
          for (int i = 0; i < 60; i++) {
            write(connection, random);
            if (random.nextInt(12) == 0) {
              disturb(connection, random);
            }
          }
          if (phase == 0) {
            try (Admin admin = connection.getAdmin()) {
              admin
                  .splitRegionAsync(
                      admin.getRegions(TABLE).get(0).getRegionName(), Bytes.toBytes("row3"))
                  .get();
            }
          }
        }
        if (phase == 1) {
          server.restart();
        } else if (phase == 2) {
          server.crash();
          server.restart();
        }
        token = take(succeed("--format=cells", "--token=" + token, "--limit=7").out(), byToken);
        token = take(succeed("--format=cells", "--token=" + token).out(), byToken);
        if (phase % 2 == 1) {
          take(succeed("t", "--format=cells", "--cursor=c").out(), byCursor);
        }
      }
    }
    assertThat(byToken).isEqualTo(done);
    assertThat(byCursor).isEqualTo(done);
    assertThat(succeed("--cursors").out()).startsWith("c\t[t]\tsaved ").hasLineCount(1);
    assertThat(succeed("--delete-cursor=c").out()).isEmpty();
    assertThat(succeed("--cursors").out()).isEmpty();
  }

  @Test
  void jsonLinesHaveMarkersAndBytesAndBadArgumentsAreRefused() throws Exception {
    try (CairnServer server = CairnServer.builder().folder(folder).start();
        Connection connection = server.connect()) {
      create(connection);
      try (Table table = connection.getTable(TABLE)) {
        table.put(new Put(Bytes.toBytes("r")).addColumn(F, Bytes.toBytes("q"), 7, new byte[] {-1}));
        table.delete(new Delete(Bytes.toBytes("r")).addFamily(F, 8));
      }
      String[] lines = succeed("t").out().split("\n");
      assertThat(lines).hasSize(3);
      assertThat(lines[0])
          .startsWith("{\"table\":\"t\",\"region\":\"")
          .endsWith(
              "\"cells\":[{\"row\":\"r\",\"column\":\"f:q\",\"timestamp\":7,\"type\":\"Put\","
                  + "\"value\":{\"base64\":\"/w==\"}}]}");
      assertThat(lines[1])
          .endsWith(
              "{\"row\":\"r\",\"column\":\"f:\",\"timestamp\":8,\"type\":\"DeleteFamily\"}]}");
      assertThat(lines[2]).startsWith("{\"token\":\"");
      String token = lines[2].substring(10, lines[2].length() - 2);

      assertThat(succeed("misspelled").err()).contains("there is no table misspelled now");
      assertThat(changes("--token=" + token.substring(3)).err()).contains("--token is ");
      assertThat(changes("u", "--token=" + token).err())
          .contains("the stream is of the tables [t], not of [u]");
      assertThat(changes("t", "--from=yesterday").err()).contains("--from is <yesterday>: write");
      assertThat(changes("hbase:meta").err()).contains("is a system table");
      assertThat(changes("--delete-cursor=none").err()).contains("there is no cursor none");
      assertThat(changes("t", "--cursor=a/b").err()).contains("the name of a cursor has letters");
      assertThat(changes().err()).contains("name the tables");
    }
  }
}
