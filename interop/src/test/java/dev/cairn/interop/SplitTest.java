package dev.cairn.interop;

import static dev.cairn.interop.ClientContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.quotas.QuotaExceededException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Regions that a client asks to split, seen through HBase's client. */
class SplitTest {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final TableName NAME = TableName.valueOf("t");
  private static final int ROWS = 2_000;

  private CairnServer server;
  private Connection connection;
  private Admin admin;
  private Table table;

  @BeforeEach
  void start() throws IOException {
    server = CairnServer.builder().setting("hbase.quota.enabled", "true").start();
    connect();
    create(NAME);
    table = connection.getTable(NAME);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(row(i)).addColumn(F, Q, new byte[100]));
    }
    table.put(puts);
  }

  @AfterEach
  void stop() throws IOException {
    disconnect();
    server.close();
  }

  private void connect() throws IOException {
    connection = server.connect();
    admin = connection.getAdmin();
  }

  private void disconnect() throws IOException {
    admin.close();
    connection.close();
  }

  private void create(TableName name) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
  }

  private static byte[] row(int i) {
    return bytes(String.format("r%05d", i));
  }

  @Test
  void everyRowIsThereAfterASplitAndAfterTheNext() throws Exception {
    RegionInfo whole = admin.getRegions(NAME).get(0);
    admin.splitRegionAsync(whole.getRegionName(), row(500)).get(30, TimeUnit.SECONDS);
    assertThat(startKeys()).containsExactly("", "r00500");
    checkRows();
    table.put(new Put(row(ROWS)).addColumn(F, Q, Q));
    assertThat(table.exists(new Get(row(ROWS)))).isTrue();

    // Without a row the server chooses one; it needs files without references for that.
    RegionInfo upper = admin.getRegions(NAME).get(1);
    Eventually.holds(() -> isSplit(upper), "the region is splittable again");
    List<String> starts = startKeys();
    assertThat(starts).hasSize(3).isSorted();
    assertThat(starts.get(2)).isGreaterThan("r00500");

    disconnect();
    server.crash();
    server.restart();
    connect();
    table = connection.getTable(NAME);
    assertThat(startKeys()).isEqualTo(starts);
    assertThat(table.exists(new Get(row(ROWS)))).isTrue();
    checkRows();
  }

  @Test
  void whatCannotBeSplitIsRefused() throws Exception {
    byte[] whole = admin.getRegions(NAME).get(0).getRegionName();
    admin.splitSwitch(false, true);
    assertThatThrownBy(() -> admin.splitRegionAsync(whole, row(5)).get(30, TimeUnit.SECONDS))
        .hasStackTraceContaining("Split switch is off!");
    admin.splitSwitch(true, true);

    TableName empty = TableName.valueOf("empty");
    create(empty);
    byte[] nothing = admin.getRegions(empty).get(0).getRegionName();
    assertThatThrownBy(() -> admin.splitRegionAsync(nothing).get(30, TimeUnit.SECONDS))
        .hasStackTraceContaining("is not splittable");

    admin.createNamespace(
        NamespaceDescriptor.create("one")
            .addConfiguration("hbase.namespace.quota.maxregions", "1")
            .build());
    TableName limited = TableName.valueOf("one:t");
    create(limited);
    byte[] only = admin.getRegions(limited).get(0).getRegionName();
    assertThatThrownBy(() -> admin.splitRegionAsync(only, row(5)).get(30, TimeUnit.SECONDS))
        .hasStackTraceContaining(QuotaExceededException.class.getName());
  }

  private boolean isSplit(RegionInfo region) throws Exception {
    try {
      admin.splitRegionAsync(region.getRegionName()).get(30, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException e) {
      assertThat(e).hasStackTraceContaining("is not splittable");
      return false;
    }
  }

  private List<String> startKeys() throws IOException {
    return admin.getRegions(NAME).stream()
        .map(region -> Bytes.toString(region.getStartKey()))
        .toList();
  }

  private void checkRows() throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan().withStopRow(row(ROWS)))) {
      int next = 0;
      for (Result result : scanner) {
        assertThat(result.getRow()).isEqualTo(row(next++));
      }
      assertThat(next).isEqualTo(ROWS);
    }
    for (int i : new int[] {0, 499, 500, 501, ROWS - 1}) {
      assertThat(table.get(new Get(row(i))).getValue(F, Q)).hasSize(100);
    }
  }
}
