package dev.cairn.coprocessor.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.WALCoprocessor;
import org.apache.hadoop.hbase.coprocessor.WALCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.WALObserver;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What coprocessors register is on the pages of their server, and their names in its reports. */
class RegisteredMetricsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("t");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private CairnServer server;
  private Connection connection;
  private Admin admin;

  /** Counts the puts to its table, in all regions. */
  public static final class OfTable implements RegionCoprocessor, RegionObserver {
    private Counter puts;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
      puts = ((RegionCoprocessorEnvironment) of).getMetricRegistryForRegionServer().counter("puts");
    }

    @Override
    public void prePut(
        ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {
      puts.increment();
    }
  }

  /** Of all regions, without hooks. */
  public static final class OfRegions implements RegionCoprocessor {}

  /** Of the region server. */
  public static final class OfServer implements RegionServerCoprocessor {
    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
      ((RegionServerCoprocessorEnvironment) of)
          .getMetricRegistryForRegionServer()
          .counter("starts")
          .increment();
    }
  }

  /** Of the logs. */
  public static final class OfLogs implements WALCoprocessor {
    @Override
    public Optional<WALObserver> getWALObserver() {
      return Optional.of(new WALObserver() {});
    }

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
      ((WALCoprocessorEnvironment) of)
          .getMetricRegistryForRegionServer()
          .counter("starts")
          .increment();
    }
  }

  /** Of the master. */
  public static final class OfMaster implements MasterCoprocessor {
    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
      ((MasterCoprocessorEnvironment) of)
          .getMetricRegistryForMaster()
          .counter("starts")
          .increment();
    }
  }

  @BeforeEach
  void start() throws IOException {
    server =
        CairnServer.builder()
            .setting("hbase.master.info.port", "0")
            .setting("hbase.regionserver.msginterval", "100")
            .setting("hbase.coprocessor.region.classes", OfRegions.class.getName())
            .setting("hbase.coprocessor.regionserver.classes", OfServer.class.getName())
            .setting("hbase.coprocessor.wal.classes", OfLogs.class.getName())
            .setting("hbase.coprocessor.master.classes", OfMaster.class.getName())
            .start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterEach
  void stop() throws IOException {
    connection.close();
    server.close();
  }

  private String get(String address) throws Exception {
    URI uri =
        URI.create("http://localhost:" + server.web().orElseThrow().getPort() + "/" + address);
    return CLIENT
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Returns a registered count; empty if there is no such bean. */
  private Optional<Integer> count(String part, Class<?> type, String metric) throws Exception {
    String name = part.equals("Master") ? "Master" : "RegionServer";
    String bean =
        "Hadoop:service=HBase,name=" + name + ",sub=Coprocessor." + part + ".CP_" + type.getName();
    return JsonParser.parseString(get("jmx?qry=" + bean.replace("$", "%24")))
        .getAsJsonObject()
        .getAsJsonArray("beans")
        .asList()
        .stream()
        .map(found -> found.getAsJsonObject().get(metric).getAsInt())
        .findFirst();
  }

  private void createTable() throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setCoprocessor(OfTable.class.getName())
            .build(),
        new byte[][] {F});
  }

  @Test
  void theBeanOfAClassHasItsMetrics_ofAllRegions_whileOneIsOpen() throws Exception {
    assertThat(count("RegionServer", OfServer.class, "Starts")).contains(1);
    assertThat(count("WAL", OfLogs.class, "Starts")).contains(1);
    assertThat(count("Master", OfMaster.class, "Starts")).contains(1);
    createTable();
    try (Table table = connection.getTable(NAME)) {
      table.put(new Put(Bytes.toBytes("a")).addColumn(F, F, F));
      table.put(new Put(Bytes.toBytes("z")).addColumn(F, F, F));
    }
    assertThat(count("Region", OfTable.class, "Puts")).contains(2);
    assertThat(get("metrics"))
        .contains(
            "cairn_coprocessor_metric_total{registry=\"Coprocessor.Region.CP_"
                + OfTable.class.getName()
                + "\",metric=\"Puts\"} 2\n");
    admin.disableTable(NAME);
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> count("Region", OfTable.class, "Puts").isEmpty());
  }

  /** HBase 2.6.4 reports the same; the class of the server is not among them. */
  @Test
  void theServerReportsTheNamesThatHBaseReports() throws Exception {
    awaitNames(Set.of("MultiRowMutationEndpoint", "OfLogs", "OfRegions"));
    assertThat(admin.getClusterMetrics().getMasterCoprocessorNames()).containsExactly("OfMaster");
    createTable();
    awaitNames(Set.of("MultiRowMutationEndpoint", "OfLogs", "OfRegions", "OfTable"));
    admin.disableTable(NAME);
    awaitNames(Set.of("MultiRowMutationEndpoint", "OfLogs", "OfRegions"));
  }

  private void awaitNames(Set<String> names) {
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(
            () ->
                admin
                    .getClusterMetrics()
                    .getLiveServerMetrics()
                    .values()
                    .iterator()
                    .next()
                    .getCoprocessorNames(),
            names::equals);
  }
}
