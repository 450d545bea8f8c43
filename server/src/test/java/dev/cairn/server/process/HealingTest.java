package dev.cairn.server.process;

import static dev.cairn.server.process.RoleProcesses.awaitHealthy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.config.ServerRole;
import dev.cairn.server.rpc.Waiting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Clients read all rows again, whatever the catalog lost; in a cluster and standalone. */
@Timeout(180)
class HealingTest {
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};
  private static final TableName TABLE = TableName.valueOf("t");
  private static final Set<String> ROWS = Set.of("a", "f", "k", "p", "t", "x");

  @RegisterExtension private final RoleProcesses cluster = new RoleProcesses(Map.of());
  private final Storage storage = cluster.storage();

  @Test
  void rowsOfMetaThatAreDeletedComeBackWhileTheClusterRuns() throws Exception {
    try (CairnProcess master = cluster.start(ServerRole.MASTER);
        CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER)) {
      createRows(master);
      loseMetaRows();
      try (Connection connection = cluster.connect()) {
        connection.getAdmin().runCatalogJanitor();
        assertThat(metaRows(connection)).hasSize(4); // three regions, and the table's state
      }
      assertRows();
      awaitHealthy(regionServer);
    }
  }

  @Test
  void theNextMasterRestoresRowsOfRegionsThatAreOpen() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess another = cluster.start(ServerRole.REGION_SERVER)) {
      try (CairnProcess master = cluster.start(ServerRole.MASTER)) {
        createRows(master);
        loseMetaRows();
      }
      try (CairnProcess master = cluster.start(ServerRole.MASTER)) {
        awaitHealthy(master);
        assertRows();
        put("kk"); // a row of a region that stayed open
      }
    }
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER);
        Connection connection = cluster.connect()) {
      awaitHealthy(master);
      assertThat(rows(connection)).hasSize(ROWS.size() + 1);
    }
  }

  @Test
  void metaAndTheMastersStoreComeBackWhenTheirDirectoriesAreDeleted() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER)) {
      createRows(master);
    }
    storage.delete("data/hbase/meta");
    storage.delete("MasterData");
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER)) {
      awaitHealthy(master);
      assertRows();
      createAnotherTable();
      awaitHealthy(regionServer);
    }
  }

  @Test
  void aStoppedClusterStartsWithoutAnyZnode() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER)) {
      createRows(master);
    }
    cluster.deleteZnodes();
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER)) {
      awaitHealthy(master);
      assertRows();
      awaitHealthy(regionServer);
    }
  }

  @Test
  void aStoppedClusterStartsWithoutZnodesMetaAndStoreAndReportsIt() throws Exception {
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER)) {
      createRows(master);
    }
    cluster.deleteZnodes();
    storage.delete("data/hbase/meta");
    storage.delete("MasterData");
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER)) {
      awaitHealthy(master);
      assertRows();
      assertThat(report(master)).contains("hbase:meta").contains("t,q,");
    }
  }

  /** Returns what {@code bin/cairn report} shows. */
  private static String report(CairnProcess master) throws Exception {
    InetSocketAddress web = master.endpoints().web().orElseThrow();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:%d/report".formatted(web.getPort())))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  @Test
  void unflushedRowsComeBackWhenMetaIsDeletedAfterAKill() throws Exception {
    try (CairnProcess master = cluster.start(ServerRole.MASTER)) {
      CairnProcess killed = cluster.start(ServerRole.REGION_SERVER);
      createRows(master);
      master.close();
      killed.abort("a test asked for it");
    }
    storage.delete("data/hbase/meta");
    storage.delete("MasterData");
    try (CairnProcess regionServer = cluster.start(ServerRole.REGION_SERVER);
        CairnProcess master = cluster.start(ServerRole.MASTER)) {
      awaitHealthy(master);
      assertRows();
    }
  }

  @Test
  void standaloneRestoresWhatIsDeleted() throws Exception {
    try (CairnProcess process = cluster.startStandalone();
        Connection connection = RoleProcesses.connect(process)) {
      awaitHealthy(process);
      createRows(connection);
    }
    storage.delete("data/hbase/meta");
    storage.delete("MasterData");
    try (CairnProcess process = cluster.startStandalone();
        Connection connection = RoleProcesses.connect(process)) {
      awaitHealthy(process);
      assertThat(rows(connection)).isEqualTo(ROWS);
    }
  }

  @Test
  void aCopyThatOverlapsIsMergedWithoutLosingACell() throws Exception {
    try (CairnProcess process = cluster.startStandalone();
        Connection connection = RoleProcesses.connect(process)) {
      awaitHealthy(process);
      createRows(connection);
    }
    // The regions ["", h) and [h, q), with the cells of [h, q) in a wider copy.
    String home = "data/default/t/";
    RegionInfo middle =
        regions().stream()
            .filter(r -> r.startKey().length > 0)
            .filter(r -> r.endKey().length > 0)
            .findFirst()
            .orElseThrow();
    RegionInfo copy =
        new RegionInfo(middle.table(), Bytes.utf8("d"), Bytes.utf8("s"), middle.regionId() - 1);
    for (Storage.FileInfo file : storage.list(home + middle.encodedName() + "/f")) {
      storage.rename(file.path(), home + copy.encodedName() + "/f/" + file.name());
    }
    storage.writeAll(home + copy.encodedName() + "/.regioninfo", RegionInfoFormat.toFile(copy));
    storage.delete(home + middle.encodedName());
    storage.delete("data/hbase/meta");
    try (CairnProcess process = cluster.startStandalone();
        Connection connection = RoleProcesses.connect(process)) {
      awaitHealthy(process);
      Waiting.reaches(() -> regionCount(connection) == 1);
      assertThat(rows(connection)).isEqualTo(ROWS);
    }
  }

  private List<RegionInfo> regions() throws IOException {
    return storage.list("data/default/t").stream()
        .filter(Storage.FileInfo::directory)
        .filter(file -> !file.name().startsWith("."))
        .map(file -> read(file.path() + "/.regioninfo"))
        .toList();
  }

  private RegionInfo read(String path) {
    try {
      return RegionInfoFormat.fromFile(storage.readAll(path));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int regionCount(Connection connection) {
    try {
      return connection.getAdmin().getRegions(TABLE).size();
    } catch (IOException e) {
      return -1;
    }
  }

  /** Creates a table of three regions with rows, and waits until the cluster is at rest. */
  private void createRows(CairnProcess master) throws IOException {
    try (Connection connection = cluster.connect()) {
      createRows(connection);
    }
    awaitHealthy(master);
  }

  private static void createRows(Connection connection) throws IOException {
    connection
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            new byte[][] {{'h'}, {'q'}});
    try (Table table = connection.getTable(TABLE)) {
      for (String row : ROWS) {
        table.put(new Put(row.getBytes()).addColumn(FAMILY, QUALIFIER, row.getBytes()));
      }
    }
  }

  private void createAnotherTable() throws IOException {
    try (Connection connection = cluster.connect()) {
      connection
          .getAdmin()
          .createTable(
              TableDescriptorBuilder.newBuilder(TableName.valueOf("u"))
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build());
    }
  }

  private void put(String row) throws IOException {
    try (Connection connection = cluster.connect();
        Table table = connection.getTable(TABLE)) {
      table.put(new Put(row.getBytes()).addColumn(FAMILY, QUALIFIER, row.getBytes()));
    }
  }

  private void loseMetaRows() throws IOException {
    try (Connection connection = cluster.connect();
        Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      for (byte[] row : metaRows(connection)) {
        meta.delete(new Delete(row));
      }
      assertThat(metaRows(connection)).isEmpty();
    }
  }

  /** Returns the rows of the table and of its regions. */
  private static List<byte[]> metaRows(Connection connection) throws IOException {
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner scanner =
            meta.getScanner(new Scan().setStartStopRowForPrefixScan(TABLE.getName()))) {
      List<byte[]> rows = new ArrayList<>();
      for (Result result : scanner) {
        rows.add(result.getRow());
      }
      return rows;
    }
  }

  private void assertRows() throws IOException {
    try (Connection connection = cluster.connect()) {
      assertThat(rows(connection)).isEqualTo(ROWS);
    }
  }

  private static Set<String> rows(Connection connection) throws IOException {
    Set<String> rows = new TreeSet<>();
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(FAMILY)) {
      for (Result result : scanner) {
        rows.add(new String(result.getRow()));
      }
    }
    return rows;
  }
}
