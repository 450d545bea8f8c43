package dev.cairn.launcher.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.CairnCommand;
import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.run.CairnDatabase;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cairn report} shows what the master found and did. */
class ReportCommandTest {
  @TempDir private Path home;

  @Test
  void aRowOfMetaThatWasLostIsReported() throws Exception {
    try (LocalServer server = new LocalServer(home.resolve("data"))) {
      String zooKeeper = server.addresses().zooKeeper();
      String port = zooKeeper.substring(zooKeeper.lastIndexOf(':') + 1);
      assertThat(report(port)).startsWith("The masters found nothing wrong");
      String region = loseARow(port);

      assertThat(report(port)).contains("LOST_ROW  " + region, "Wrote the row again");
      JsonArray entries = JsonParser.parseString(report(port, "--json")).getAsJsonArray();
      assertThat(entries).hasSize(1);
      JsonObject entry = entries.get(0).getAsJsonObject();
      assertThat(entry.get("subject").getAsString()).isEqualTo(region);
      assertThat(entry.get("kind").getAsString()).isEqualTo("LOST_ROW");
      assertThat(entry.get("time").getAsLong()).isPositive();
    }
  }

  private static String loseARow(String port) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
    configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, port);
    TableName name = TableName.valueOf("t");
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin();
        Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      RegionInfo region = admin.getRegions(name).get(0);
      meta.delete(new Delete(region.getRegionName()));
      admin.runCatalogJanitor();
      return region.getRegionNameAsString();
    }
  }

  private static String report(String port, String... options) {
    StringWriter out = new StringWriter();
    List<String> arguments =
        Stream.concat(
                Stream.of(
                    "report",
                    "-D",
                    "hbase.zookeeper.quorum=127.0.0.1",
                    "-D",
                    "hbase.zookeeper.property.clientPort=" + port),
                Arrays.stream(options))
            .toList();
    int exit =
        new CairnCommand(new CairnDatabase(), new Properties(), Map.of())
            .commandLine()
            .setOut(new PrintWriter(out))
            .execute(arguments.toArray(String[]::new));
    assertThat(exit).isZero();
    return out.toString();
  }
}
