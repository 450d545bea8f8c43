package dev.cairn.launcher.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.LocalServer;
import dev.cairn.launcher.client.ClientConfiguration;
import dev.cairn.launcher.process.Addresses;
import dev.cairn.server.health.HealthReport;
import dev.cairn.server.health.HealthResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what {@code cairn start} reports of the health of the server that it has started. */
class FirstHealthTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir private Path home;

  @Test
  void waitsForTheRegionsAndPrintsALineForEachRefusedTable() throws Exception {
    HealthReport early =
        report(HealthResult.warn("2 regions are not open"), HealthResult.ok("No table is refused"));
    HealthReport late = report(HealthResult.ok("All open"), HealthResult.warn("t: bad\nu: bad"));

    assertThat(printed(LONG, early, early, late))
        .containsExactly("  tables         t: bad", "  tables         u: bad");
  }

  @Test
  void givesUpAndSaysThatRegionsAreNotOpen() throws Exception {
    HealthReport early = report(HealthResult.warn("2 are not open"), HealthResult.ok("fine"));

    assertThat(printed(Duration.ZERO, early)).containsExactly("  regions        2 are not open");
  }

  @Test
  void ofManyRefusedTablesStatusHasTheOthers() throws Exception {
    HealthReport many = report(HealthResult.ok("All open"), HealthResult.warn("a\nb\nc\nd\ne"));

    assertThat(printed(LONG, many)).hasSize(4).last().asString().contains("2 more", "cairn status");
  }

  @Test
  void aServersTableWithADamagedDescriptorIsNamed() throws Exception {
    try (LocalServer server = new LocalServer(home.resolve("data"))) {
      createTable(server.addresses());
    }
    Path descriptor;
    try (Stream<Path> files = Files.walk(home.resolve("data/data/default/t/.tabledesc"))) {
      descriptor = files.filter(Files::isRegularFile).findFirst().orElseThrow();
    }
    Files.writeString(descriptor, "damaged");

    StringWriter out = new StringWriter();
    try (LocalServer server = new LocalServer(home.resolve("data"))) {
      FirstHealth.of(server.addresses()).print(new PrintWriter(out, true));
    }

    assertThat(out.toString().lines())
        .filteredOn(line -> line.startsWith("  tables "))
        .singleElement()
        .asString()
        .contains("t", descriptor.getFileName().toString());
  }

  private static void createTable(Addresses addresses) throws IOException {
    try (Connection connection =
            ConnectionFactory.createConnection(ClientConfiguration.of(Map.of(), addresses));
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Bytes.toBytes("f")))
              .build());
    }
  }

  private static HealthReport report(HealthResult regions, HealthResult tables) {
    return new HealthReport(
        List.of(
            new HealthReport.Entry("settings", HealthResult.warn("A setting has no effect.")),
            new HealthReport.Entry("regions", regions),
            new HealthReport.Entry("tables", tables)));
  }

  private static List<String> printed(Duration patience, HealthReport... reports)
      throws InterruptedException {
    Deque<HealthReport> answers = new ArrayDeque<>(List.of(reports));
    StringWriter out = new StringWriter();
    new FirstHealth(
            Optional.of(() -> answers.size() > 1 ? answers.pop() : answers.getFirst()), patience)
        .print(new PrintWriter(out, true));
    return out.toString().lines().toList();
  }
}
