package dev.cairn.coprocessor.opening;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.coprocessor.Lines;
import dev.cairn.coprocessor.load.FaultLog;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.CairnProcess;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A region that a coprocessor does not let open counts as open nowhere, and users see the reason.
 * Once the cause has gone, or the coprocessor, the region opens.
 */
class OpeningTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("t");
  private static final String SITE = "hbase.coprocessor.user.region.classes";

  @AfterEach
  void open() {
    Gate.closed = "";
  }

  private static CairnServer.Builder server() {
    return CairnServer.builder()
        .setting("hbase.client.retries.number", "1")
        .setting("hbase.master.info.port", "0");
  }

  private static TableDescriptorBuilder table() {
    return TableDescriptorBuilder.newBuilder(NAME)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
  }

  private static TableDescriptor gated() throws IOException {
    return table().setCoprocessor(Gate.class.getName()).build();
  }

  private static void assertServed(Connection connection) throws IOException {
    try (Table table = connection.getTable(NAME)) {
      table.put(new Put(F).addColumn(F, F, F));
      assertThat(table.exists(new Get(F))).isTrue();
    }
  }

  private static List<String> inTransition(Admin admin) throws IOException {
    return admin.getClusterMetrics().getRegionStatesInTransition().stream()
        .map(RegionState::toDescriptiveString)
        .toList();
  }

  /** Checks all places that tell of a region that is not served. */
  private static void assertShown(CairnServer server, Admin admin, String... reason) {
    await()
        .atMost(2, TimeUnit.MINUTES)
        .untilAsserted(
            () -> {
              assertThat(inTransition(admin))
                  .singleElement()
                  .asString()
                  .contains("t,,", "FAILED_OPEN");
              assertThat(Shown.health(server, "regions"))
                  .startsWith("warn: 1 region is not open: t,,")
                  .contains(reason);
              assertThat(Shown.rows(server, "transitions", "transitions"))
                  .singleElement()
                  .asString()
                  .contains(reason)
                  .contains("FAILED_OPEN");
              var counts = admin.getClusterMetrics().getTableRegionStatesCount().get(NAME);
              assertThat(counts.getOpenRegions()).isZero();
              assertThat(counts.getRegionsInTransition()).isEqualTo(1);
            });
  }

  private static void assertClientsHearTheReason(Table table) {
    await()
        .atMost(1, TimeUnit.MINUTES)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> table.get(new Get(F)))
                    .hasStackTraceContaining(NotServingRegionException.class.getName())
                    .hasStackTraceContaining("the gate is closed"));
  }

  private static void assertAllOpen(CairnServer server, Admin admin) {
    await()
        .atMost(2, TimeUnit.MINUTES)
        .untilAsserted(
            () -> {
              assertThat(inTransition(admin)).isEmpty();
              assertThat(Shown.health(server, "regions")).isEqualTo("ok: All regions are open.");
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"start", "preOpen"})
  void aClassOfTheSiteKeepsRegionsFromOpeningAfterARestart(String place) throws Exception {
    String type = Gate.class.getName();
    try (CairnServer server = server().setting(SITE, type).start()) {
      try (Connection connection = server.connect();
          Admin admin = connection.getAdmin()) {
        admin.createTable(table().build());
        assertServed(connection);
      }
      Gate.closed = place;
      server.restart();
      try (Connection connection = server.connect();
          Admin admin = connection.getAdmin();
          Table table = connection.getTable(NAME)) {
        assertShown(server, admin, type, "key " + SITE, "the gate is closed", "restart");
        assertClientsHearTheReason(table);
        Gate.closed = "";
        assertAllOpen(server, admin);
        assertServed(connection);
      }
    }
  }

  @Test
  void aTableWhoseHookRefusesTheOpeningIsNotCreatedWithSuccessAndCanBeChanged() throws Exception {
    try (CairnServer server = server().start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      Gate.closed = "preOpen";
      assertThatThrownBy(() -> admin.createTable(gated()))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("Table t is created, but t,,")
          .hasMessageContaining(Gate.class.getName() + " (attribute coprocessor$1)")
          .hasMessageContaining("the gate is closed")
          .hasMessageContaining("table_remove_coprocessor");
      assertShown(server, admin, Gate.class.getName(), "attribute coprocessor$1", "is closed");
      assertThat(Shown.rows(server, "coprocessors", "hooks"))
          .filteredOn(row -> row.contains("preOpen"))
          .singleElement()
          .asString()
          .doesNotContain("\"failures\":0");

      try (Table table = connection.getTable(NAME)) {
        assertClientsHearTheReason(table);
      }

      admin.modifyTable(table().build());
      assertServed(connection);
      assertThatThrownBy(() -> admin.modifyTable(gated()))
          .hasMessageContaining("Table t is changed, but t,,")
          .hasMessageContaining("the gate is closed");
      Gate.closed = "";
      assertAllOpen(server, admin);
      assertServed(connection);
    }
  }

  @Test
  void aTableWhoseClassDoesNotStartRefusesCallsAndIsNotShownAsOpen() throws Exception {
    try (CairnServer server = server().start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(table().build());
      assertServed(connection);
      Gate.closed = "start";
      assertThatThrownBy(() -> admin.modifyTable(gated()))
          .hasMessageContaining("Table t is changed, but t,,")
          .hasMessageContaining("(attribute coprocessor$1) could not be started")
          .hasMessageContaining("the gate is closed");
      assertShown(server, admin, "attribute coprocessor$1", "the gate is closed");
      assertThatThrownBy(() -> table.get(new Get(F)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("the gate is closed");
      assertThat(Shown.rows(server, "coprocessors", "hooks"))
          .filteredOn(row -> row.contains("\"start\""))
          .singleElement()
          .asString()
          .doesNotContain("\"failures\":0");
      Gate.closed = "";
      admin.disableTable(NAME);
      admin.enableTable(NAME);
      assertAllOpen(server, admin);
      assertServed(connection);
    }
  }

  @Test
  void aNewMasterHearsOfARegionThatRefusesCalls() throws Exception {
    try (CairnServer server = server().start()) {
      Gate.closed = "start";
      try (Connection connection = server.connect();
          Admin admin = connection.getAdmin()) {
        assertThatThrownBy(() -> admin.createTable(gated())).hasMessageContaining("gate is closed");
      }
      server.restart();
      try (Connection connection = server.connect();
          Admin admin = connection.getAdmin()) {
        assertShown(server, admin, "attribute coprocessor$1", "the gate is closed");
      }
    }
  }

  @Test
  void classesThatAreLeftOutOrRemovedAreShown() throws Exception {
    try (CairnServer server =
            server()
                .setting("hbase.coprocessor.abortonerror", "false")
                .setting(SITE, "no.such.Class")
                .start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(gated());
      assertThat(Shown.health(server, "coprocessors"))
          .startsWith("warn: ")
          .contains("no.such.Class (" + SITE + ") is left out, regions: ");
      assertThat(Shown.rows(server, "coprocessors", "loaded")).hasSize(1);
      Gate.closed = "prePut";
      Put put = new Put(F).addColumn(F, F, F);
      assertThatThrownBy(() -> table.put(put)).hasStackTraceContaining("no puts");
      table.put(put);
      assertThat(Shown.health(server, "coprocessors"))
          .contains(Gate.class.getName() + " (coprocessor$1) is removed, table t: ")
          .contains("no puts");
      assertThat(Shown.rows(server, "coprocessors", "loaded")).isEmpty();
      assertThat(Shown.rows(server, "coprocessors", "absent"))
          .hasSize(2)
          .anyMatch(row -> row.contains("left out") && row.contains("no.such.Class"))
          .anyMatch(row -> row.contains("removed") && row.contains("no puts"));
      Gate.closed = "";
      admin.disableTable(NAME);
      admin.enableTable(NAME);
      assertThat(Shown.rows(server, "coprocessors", "absent")).hasSize(1);
      assertThat(Shown.rows(server, "coprocessors", "loaded")).hasSize(1);
    }
  }

  @Test
  void anUnexpectedExceptionOfAHookIsLoggedOnceAMinute() throws Exception {
    try (CairnServer server = server().start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME);
        Lines lines = new Lines(FaultLog.class)) {
      admin.createTable(gated());
      Gate.closed = "prePut";
      Put put = new Put(F).addColumn(F, F, F);
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> table.put(put)).hasStackTraceContaining("no puts");
      }
      assertThat(lines.all())
          .singleElement()
          .asString()
          .contains("The coprocessor " + Gate.class.getName(), "failed", "no puts");
    }
  }

  @Test
  void aStartTellsWhyMetaCannotOpen() throws Exception {
    Gate.closed = "start";
    SiteConfig config =
        new SiteConfig(
            Map.of(
                "hbase.coprocessor.region.classes", Gate.class.getName(),
                "hbase.master.port", "0",
                "hbase.master.ipc.address", "localhost",
                "hbase.master.info.port", "-1",
                "hbase.regionserver.port", "0",
                "hbase.regionserver.ipc.address", "localhost",
                "hbase.regionserver.info.port", "-1",
                "hbase.zookeeper.property.clientPort", "0",
                "hbase.zookeeper.property.clientPortAddress", "localhost",
                "cairn.hostname", "localhost"));
    List<String> notices = new CopyOnWriteArrayList<>();
    Consumer<String> opening =
        line -> {
          notices.add(line);
          Gate.closed = "";
        };
    CairnProcess.start(
            config,
            () -> config,
            new MemoryStorage(Clock.SYSTEM),
            Optional.empty(),
            Clock.SYSTEM,
            opening)
        .close();
    assertThat(notices)
        .first()
        .asString()
        .startsWith("hbase:meta cannot be opened, and is tried again: ")
        .contains(Gate.class.getName(), "key hbase.coprocessor.region.classes", "gate is closed");
  }
}
