package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A table's attributes make a region load what was judged, and nothing else. */
class AttributesTest {
  private static final byte[] F = Bytes.toBytes("f");

  @TempDir private static Path folder;
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  private TableName name;

  @BeforeAll
  static void start() throws IOException {
    Path ofSite = Jars.of(folder, "jarred.Site", "cairn.test.site", "yes");
    server =
        CairnServer.builder()
            .setting("hbase.client.retries.number", "1")
            .setting("hbase.coprocessor.region.whitelist.paths", folder + "/allowed")
            .setting("hbase.coprocessor.user.region.classes", "jarred.Site|1|" + ofSite.toUri())
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

  private void assertServed() throws IOException {
    try (Table table = connection.getTable(name)) {
      assertThat(table.exists(new Get(F))).isFalse();
    }
  }

  private void assertRefused(TableDescriptorBuilder refused, String reason) {
    assertThatThrownBy(() -> admin.createTable(refused.build()))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void theSitesJarsNeedNotBeWhereTablesMayNameThem() throws IOException {
    System.clearProperty("cairn.test.site");
    admin.createTable(table().build());
    assertServed();
    assertThat(System.getProperty("cairn.test.site")).isEqualTo("yes");
  }

  @Test
  void keysOfTheSiteLoadNothingWhereATableHasThem() throws IOException {
    String evil = "jarred.Evil|1|" + Jars.of(folder, "jarred.Evil", "cairn.evil", "ran").toUri();
    admin.createTable(
        table()
            .setCoprocessor(Probe.class.getName())
            .setValue("hbase.coprocessor.region.classes", evil)
            .setValue("hbase.coprocessor.user.region.classes", evil)
            .setValue("hbase.local.dir", folder.resolve("other").toString())
            .build());
    assertServed();
    assertThat(Probe.CALLS).contains("postOpen " + name);
    assertThat(System.getProperty("cairn.evil")).isNull();
    assertThat(folder.resolve("other")).doesNotExist();
  }

  @Test
  void aTableCannotHaveAClassLeftOutThatDoesNotStart() throws IOException {
    TableDescriptor failing =
        table()
            .setCoprocessor(Probe.class.getName())
            .setValue("probe.fails", "true")
            .setValue("hbase.coprocessor.abortonerror", "false")
            .build();
    assertThatThrownBy(() -> admin.createTable(failing)).hasMessageContaining("the probe fails");
    try (Table table = connection.getTable(name)) {
      assertThatThrownBy(() -> table.get(new Get(F))).hasMessageContaining("the probe fails");
    }
  }

  @Test
  void aTableCannotTurnClassesOnOrOff() throws IOException {
    admin.createTable(
        table()
            .setCoprocessor(Probe.class.getName())
            .setValue("hbase.coprocessor.enabled", "false")
            .setValue("hbase.coprocessor.user.enabled", "false")
            .build());
    assertServed();
    assertThat(Probe.CALLS).contains("postOpen " + name);
    Probe.CALLS.clear();
    try (CairnServer off =
            CairnServer.builder()
                .setting("hbase.coprocessor.user.enabled", "false")
                .setting("hbase.coprocessor.region.classes", FaultTest.Second.class.getName())
                .start();
        Connection client = off.connect();
        Admin creator = client.getAdmin()) {
      creator.createTable(
          table()
              .setCoprocessor(Faulty.class.getName())
              .setValue("fault", "start exception")
              .setValue("hbase.coprocessor.user.enabled", "true")
              .build());
      try (Table table = client.getTable(name)) {
        assertThat(table.exists(new Get(F))).isFalse();
      }
      assertThat(Probe.CALLS).contains("postOpen " + name);
    }
  }

  @Test
  void whatHBaseFindsIsJudgedAndWhatItLeavesOutIsRefused() throws IOException {
    for (String attribute : new String[] {" coprocessor$2", "coprocessor$2\n", "Coprocessor$2"}) {
      assertRefused(
          table().setCoprocessor(Probe.class.getName()).setValue(attribute, "|no.such.Class||"),
          "no.such.Class");
    }
    for (String end : new String[] {"", "|-1|", "|+5|", "|1|k=v\nl=w", "|1|k="}) {
      String value = "|" + Probe.class.getName() + end;
      assertRefused(table().setValue("coprocessor$1", value), "<" + value + ">");
    }
  }

  @Test
  void aClassThatCannotBeMadeIsRefused() throws IOException {
    assertRefused(
        table().setCoprocessor("org.apache.hadoop.hbase.coprocessor.BaseRowProcessorEndpoint"),
        "cannot be made");
  }

  @Test
  void aJarOutsideTheAllowedPlacesIsRefused() throws IOException {
    Path jar = Jars.of(folder, "jarred.Word", "cairn.outside", "ran");
    for (String path :
        new String[] {jar.toString(), folder + "/allowed/{../" + jar.getFileName() + ",x}"}) {
      assertRefused(
          table()
              .setCoprocessor(
                  CoprocessorDescriptorBuilder.newBuilder("jarred.Word").setJarPath(path).build()),
          "hbase.coprocessor.region.whitelist.paths does not allow");
    }
    assertThat(System.getProperty("cairn.outside")).isNull();
  }

  @Test
  void aClassThatIsMissingInItsJarIsNamed() throws IOException {
    Path jar = Jars.of(folder.resolve("allowed"), "jarred.Word", "cairn.missing", "ran");
    assertRefused(
        table()
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder("jarred.Other")
                    .setJarPath(jar.toString())
                    .build()),
        "jarred.Other is neither in " + jar + " nor on the class path");
  }

  @Test
  void prefixesTakeClassesFromTheJarThatOtherwiseComeFromTheServer() throws IOException {
    String type = "org.apache.hadoop.hbase.own.Word";
    Path jar = Jars.of(folder.resolve("allowed"), type, "cairn.prefix", "ran");
    TableDescriptorBuilder without =
        table()
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder(type).setJarPath(jar.toString()).build());
    assertRefused(
        without,
        type
            + " is in "
            + jar
            + ", but classes of org.apache.hadoop.hbase.own come from the class path. Put its jar"
            + " into HBASE_CLASSPATH of the servers, and restart them, or name"
            + " org.apache.hadoop.hbase.own in hbase.coprocessor.classloader.included.classes");
    admin.createTable(
        table()
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder(type)
                    .setJarPath(jar.toString())
                    .setProperties(
                        Map.of(
                            "hbase.coprocessor.classloader.included.classes",
                            "no.such;org.apache.hadoop.hbase.own"))
                    .build())
            .build());
    assertServed();
    assertThat(System.getProperty("cairn.prefix")).isEqualTo("ran");
  }
}
