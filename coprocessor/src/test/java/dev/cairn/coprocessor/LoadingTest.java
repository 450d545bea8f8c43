package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.process.CoprocessorCheck;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Checks how a server loads the coprocessors that tables and the site name. */
class LoadingTest {
  private static final byte[] F = Bytes.toBytes("f");

  @TempDir private static Path folder;
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  private TableName name;

  @BeforeAll
  static void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.client.retries.number", "1")
            .setting("hbase.local.dir", folder.resolve("local").toString())
            .setting("probe.site", "of the site")
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void begin(TestInfo test) {
    Probe.CALLS.clear();
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
  }

  private TableDescriptorBuilder table() {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
  }

  private TableDescriptor with(Class<?> type) throws IOException {
    return table().setCoprocessor(type.getName()).build();
  }

  /** A call waits for the region, whose opening may not be over when a table has been created. */
  private void assertServed() throws IOException {
    assertServed(connection);
  }

  private void assertServed(Connection client) throws IOException {
    try (Table table = client.getTable(name)) {
      byte[] row = Bytes.toBytes("row");
      table.put(new Put(row).addColumn(F, F, row));
      assertThat(table.get(new Get(row)).getValue(F, F)).isEqualTo(row);
    }
  }

  private void assertRefused(String... reasons) throws IOException {
    try (Table table = connection.getTable(name)) {
      assertThatThrownBy(() -> table.get(new Get(F)))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("Table " + name + " cannot be served by Cairn: ")
          .satisfies(failure -> assertThat(failure.getMessage()).contains(reasons));
    }
  }

  @Test
  void aCoprocessorHearsOfTheOpeningAndTheClose() throws IOException {
    admin.createTable(with(Probe.class));
    assertServed();
    assertThat(Probe.CALLS).containsExactly("start " + name, "preOpen " + name, "postOpen " + name);
    admin.disableTable(name);
    assertThat(Probe.CALLS.subList(3, Probe.CALLS.size()))
        .containsExactly("preClose " + name, "postClose " + name, "stop " + name);
  }

  @Test
  void itsEnvironmentHasTheSettingsOfSiteAndTableAndItsArguments() throws IOException {
    admin.createTable(
        table()
            .setValue("probe.table", "of the table")
            .setValue("probe.both", "of the table")
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder(Probe.class.getName())
                    .setPriority(7)
                    .setProperties(Map.of("probe.argument", "1", "probe.both", "2"))
                    .build())
            .build());
    assertServed();
    var environment = Probe.environment;
    var settings = environment.getConfiguration();
    assertThat(settings.get("probe.site")).isEqualTo("of the site");
    assertThat(settings.get("probe.table")).isEqualTo("of the table");
    assertThat(settings.get("probe.argument")).isEqualTo("1");
    assertThat(settings.get("probe.both")).isEqualTo("2");
    assertThatThrownBy(() -> settings.set("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(environment.getPriority()).isEqualTo(7);
    assertThat(environment.getServerName().getPort())
        .isEqualTo(server.endpoints().regionServer().port());
    assertThat(environment.getSharedData()).isNotNull();
    Connection shared = environment.getConnection();
    try (Table table = shared.getTable(name)) {
      assertThat(table.exists(new Get(F))).isFalse();
    }
    assertThatThrownBy(shared::close).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void theClassComesFromTheTablesJarAndAnewAfterAChange() throws IOException {
    Path one = Jars.of(folder, "jarred.Word", "cairn.test.jar", "one");
    Path two = Jars.of(folder, "jarred.Word", "cairn.test.jar", "two");
    admin.createTable(fromJar(one));
    assertServed();
    assertThat(System.getProperty("cairn.test.jar")).isEqualTo("one");
    admin.modifyTable(fromJar(two));
    assertServed();
    assertThat(System.getProperty("cairn.test.jar")).isEqualTo("two");
  }

  private TableDescriptor fromJar(Path jar) throws IOException {
    return table()
        .setCoprocessor(
            CoprocessorDescriptorBuilder.newBuilder("jarred.Word")
                .setJarPath(jar.toUri().toString())
                .build())
        .build();
  }

  @Test
  void aClassThatCannotBeLoadedIsRefused() throws IOException {
    TableDescriptor descriptor = table().setCoprocessor("no.such.Class").build();
    assertThatThrownBy(() -> admin.createTable(descriptor))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(
            "Table "
                + name
                + " cannot have these coprocessors: the coprocessor no.such.Class is not on the"
                + " class path. Put its jar into HBASE_CLASSPATH of the servers, and restart them,"
                + " or name the jar, as jar|class|priority|arguments.")
        .hasMessageNotContaining("sanity");
    TableDescriptor unchecked =
        TableDescriptorBuilder.newBuilder(descriptor)
            .setValue("hbase.table.sanity.checks", "false")
            .build();
    assertThatThrownBy(() -> admin.createTable(unchecked))
        .hasMessageContaining("is created, but ")
        .hasMessageContaining("no.such.Class");
    assertRefused("no.such.Class", "Put its jar into HBASE_CLASSPATH");
  }

  @Test
  void aRegionWhoseCoprocessorDoesNotStartIsRefusedAndOthersAreServed() throws IOException {
    TableDescriptor failing =
        table().setValue("probe.fails", "true").setCoprocessor(Probe.class.getName()).build();
    assertThatThrownBy(() -> admin.createTable(failing)).hasMessageContaining("the probe fails");
    assertRefused("the probe fails");
    name = TableName.valueOf("another");
    admin.createTable(with(Probe.class));
    assertServed();
  }

  @Test
  void anUnexpectedFailureOfAHookDoesNotEndTheServer() throws IOException {
    admin.createTable(
        table().setValue("probe.bypasses", "true").setCoprocessor(Probe.class.getName()).build());
    assertServed();
  }

  /** Is not public. */
  static final class Hidden implements RegionCoprocessor {}

  @Test
  void aSiteWithAClassThatCannotRunDoesNotStart() {
    assertSiteRefused("no.such.Class", "no.such.Class is not on the class path. Put its jar");
    assertSiteRefused("no.such.Class", "or name the jar, as class|priority|jar");
    assertSiteRefused(Hidden.class.getName(), "cannot be made");
    assertSiteRefused(Probe.class.getName() + "|first", "no number");
  }

  private static void assertSiteRefused(String classes, String reason) {
    for (String key :
        List.of("hbase.coprocessor.region.classes", "hbase.coprocessor.user.region.classes")) {
      assertThatThrownBy(() -> CairnServer.builder().setting(key, classes).start().close())
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(key)
          .hasMessageContaining(reason);
    }
  }

  @Test
  void aSiteIsCheckedWithoutAServer() {
    for (String key :
        List.of(
            "hbase.coprocessor.region.classes",
            "hbase.coprocessor.user.region.classes",
            "hbase.coprocessor.master.classes",
            "hbase.coprocessor.regionserver.classes",
            "hbase.coprocessor.wal.classes")) {
      Map<String, String> site = Map.of(key, "no.such.Class");
      assertThatThrownBy(() -> CoprocessorCheck.check(new SiteConfig(site), Clock.SYSTEM))
          .as(key)
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(key + ": the coprocessor no.such.Class is not on the class path")
          .hasMessageEndingWith("If the coprocessor is not needed, remove it from this key");
      CoprocessorCheck.check(
          new SiteConfig(Map.of(key, "no.such.Class", "hbase.coprocessor.abortonerror", "false")),
          Clock.SYSTEM);
    }
    CoprocessorCheck.check(
        new SiteConfig(Map.of("hbase.coprocessor.region.classes", Probe.class.getName())),
        Clock.SYSTEM);
    assertThat(Probe.CALLS).isEmpty();
  }

  @Test
  void theSitesClassesRunInAllRegionsOrInThoseOfUserTables() throws IOException {
    try (CairnServer all =
        CairnServer.builder()
            .setting("hbase.coprocessor.region.classes", Probe.class.getName() + "|5")
            .start()) {
      assertThat(Probe.CALLS).contains("postOpen hbase:meta", "postOpen hbase:namespace");
      assertThat(Probe.environment.getPriority()).isEqualTo(5);
    }
    assertThat(Probe.CALLS).contains("stop hbase:meta");
    Probe.CALLS.clear();
    try (CairnServer users =
            CairnServer.builder()
                .setting("hbase.coprocessor.user.region.classes", Probe.class.getName())
                .start();
        Connection client = users.connect();
        Admin creator = client.getAdmin()) {
      creator.createTable(table().build());
      assertServed(client);
      assertThat(Probe.CALLS)
          .contains("postOpen " + name)
          .noneMatch(call -> call.contains("hbase:"));
    }
  }

  @Test
  void aClassOfTheSiteThatCannotRunIsLeftOutIfTheSiteSaysSo() throws IOException {
    try (CairnServer some =
            CairnServer.builder()
                .setting(
                    "hbase.coprocessor.user.region.classes",
                    "no.such.Class," + Probe.class.getName())
                .setting("hbase.coprocessor.abortonerror", "false")
                .start();
        Connection client = some.connect();
        Admin creator = client.getAdmin()) {
      creator.createTable(table().build());
      assertServed(client);
      assertThat(Probe.CALLS).contains("postOpen " + name);
    }
  }

  @Test
  void noneRunIfTheSiteTurnsThemOff() throws IOException {
    for (String key : List.of("hbase.coprocessor.enabled", "hbase.coprocessor.user.enabled")) {
      try (CairnServer off =
              CairnServer.builder()
                  .setting(key, "false")
                  .setting("hbase.coprocessor.user.region.classes", "no.such.Class")
                  .start();
          Connection client = off.connect();
          Admin creator = client.getAdmin()) {
        creator.createTable(table().setCoprocessor(Probe.class.getName()).build());
        assertServed(client);
        assertThat(Probe.CALLS).isEmpty();
        creator.disableTable(name);
        creator.deleteTable(name);
      }
    }
  }
}
