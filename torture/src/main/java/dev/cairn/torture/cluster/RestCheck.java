package dev.cairn.torture.cluster;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.RegionRow;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetOnlineRegionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Consistency;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.GetTableDescriptorsResponse;

/** Checks the state of a cluster at rest: {@code hbase:meta}, regions, files and logs. */
final class RestCheck {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** More than a region has. */
  private static final int ROWS_MAX = 10_000;

  private final ClusterWorld world;
  private final ClusterClient client;
  private final Administrator administrator;
  private final Recreations recreations;
  private final BulkLoads loads;
  private final Optional<Groups> groups;
  private final IndexCheck indexes;

  RestCheck(
      ClusterWorld world,
      ClusterClient client,
      Administrator administrator,
      Recreations recreations,
      BulkLoads loads,
      Optional<Groups> groups) {
    this.world = world;
    this.client = client;
    this.administrator = administrator;
    this.recreations = recreations;
    this.loads = loads;
    this.groups = groups;
    this.indexes = new IndexCheck(world, client);
  }

  /** Returns the violations, one sentence each. */
  List<String> complaints() throws IOException {
    List<String> complaints = new ArrayList<>();
    List<RegionRow> meta = client.readMeta(PATIENCE);
    List<RegionRow> regions = meta.stream().filter(row -> !row.region().split()).toList();
    for (TableName table : tables()) {
      checkCover(table, of(table, regions), complaints);
    }
    if (complaints.isEmpty() && groups.isPresent()) {
      complaints.addAll(groups.get().complaints(regions));
    }
    if (complaints.isEmpty()) {
      checkServers(regions, complaints);
    }
    if (complaints.isEmpty()) {
      for (TableName table : tables()) {
        checkDirectories(table, of(table, meta), complaints);
        checkFiles(of(table, regions), complaints);
      }
      checkLogs(complaints);
      checkLoads(complaints);
      int copies = checkDescription(complaints);
      checkOpenings(complaints);
      checkReplicas(of(NumbersTable.NAME, regions), copies, complaints);
      checkMetaReplicas(complaints);
      if (world.parts().replicasFollow()) {
        checkAnswers(of(NumbersTable.NAME, regions), complaints);
        checkMetaAnswers(complaints);
      }
      complaints.addAll(indexes.complaints());
    }
    return complaints;
  }

  /** Returns the tables that exist. */
  private List<TableName> tables() {
    return recreations.count() == 0
        ? List.of(NumbersTable.NAME)
        : List.of(NumbersTable.NAME, Recreations.NAME);
  }

  /** Checks that the regions in {@code hbase:meta} cover the table without hole or overlap. */
  private static void checkCover(
      TableName table, List<RegionRow> regions, List<String> complaints) {
    byte[] end = new byte[0];
    boolean begun = false;
    for (RegionRow row : regions) {
      if (!Arrays.equals(end, row.region().startKey()) || begun && end.length == 0) {
        complaints.add(
            "hbase:meta has a hole or an overlap before " + row.region() + " in " + regions);
      }
      if (row.server().isEmpty()) {
        complaints.add("hbase:meta has no server for " + row.region());
      }
      begun = true;
      end = row.region().endKey();
    }
    if (!begun || end.length != 0) {
      complaints.add("hbase:meta does not cover the end of " + table + ": " + regions);
    }
  }

  /**
   * Checks that each region is open only on its server in {@code hbase:meta}, and {@code
   * hbase:meta} only on its server in ZooKeeper.
   */
  private void checkServers(List<RegionRow> regions, List<String> complaints) throws IOException {
    Set<String> expected = new TreeSet<>();
    for (RegionRow row : regions) {
      row.server().ifPresent(server -> expected.add(row.region() + " at " + server));
      for (RegionRow.Replica replica : row.replicas()) {
        replica
            .server()
            .ifPresent(
                server -> expected.add(row.region().replica(replica.id()) + " at " + server));
      }
    }
    expected.add(RegionInfo.META + " at " + metaServer());
    metaReplicas()
        .forEach((id, server) -> expected.add(RegionInfo.META.replica(id) + " at " + server));
    Set<String> found = new TreeSet<>();
    for (RegionServerProcess process : world.servers()) {
      ServerName server = process.name();
      client
          .callServer(
              server,
              "GetOnlineRegion",
              GetOnlineRegionRequest.getDefaultInstance(),
              GetOnlineRegionResponse.getDefaultInstance())
          .getRegionInfoList()
          .stream()
          .map(Messages::regionInfo)
          .forEach(region -> found.add(region + " at " + server));
    }
    if (!found.equals(expected)) {
      complaints.add(
          "hbase:meta and its znode have " + expected + ", but these are open: " + found);
    }
  }

  private ServerName metaServer() throws IOException {
    return world
        .parts()
        .zooKeeper()
        .state()
        .metaLocation()
        .orElseThrow(() -> new IOException("ZooKeeper has no location of hbase:meta"));
  }

  private Map<Integer, ServerName> metaReplicas() {
    return world.parts().zooKeeper().state().metaReplicas();
  }

  /** Checks that ZooKeeper has the wanted replicas of {@code hbase:meta}, on different servers. */
  private void checkMetaReplicas(List<String> complaints) throws IOException {
    int copies = world.parts().metaCopies().orElse(1);
    Set<ServerName> places = new HashSet<>(metaReplicas().values());
    places.add(metaServer());
    int servers = serversOf(TableName.META);
    if (metaReplicas().size() != copies - 1 || places.size() < Math.min(copies, servers)) {
      complaints.add(
          "hbase:meta is at %s and has the replicas %s, but should have %d copies"
              .formatted(metaServer(), metaReplicas(), copies));
    }
  }

  private static List<RegionRow> of(TableName table, List<RegionRow> meta) {
    return meta.stream().filter(row -> row.region().table().equals(table)).toList();
  }

  /** Checks that all directories of a table are in hbase:meta. */
  private void checkDirectories(TableName table, List<RegionRow> all, List<String> complaints)
      throws IOException {
    Set<String> known = new HashSet<>();
    for (RegionRow row : all) {
      known.add(row.region().encodedName());
      row.mergeParents().forEach(parent -> known.add(parent.encodedName()));
    }
    for (Storage.FileInfo entry :
        world.parts().files().list(RegionDirectory.ofTable("data", table))) {
      if (!entry.name().startsWith(".") && !known.contains(entry.name())) {
        complaints.add(entry.path() + " is not a region in hbase:meta");
      }
    }
  }

  /** Checks that open regions serve, and do so with the table's present descriptor. */
  private void checkOpenings(List<String> complaints) throws IOException {
    long alter = NumbersTable.alter(description());
    for (RegionServerProcess process : world.servers()) {
      for (HostedRegion region : process.server().orElseThrow().regions().open()) {
        region
            .refusal()
            .ifPresent(
                reason -> complaints.add(region + " at " + process.name() + " refuses: " + reason));
        long opened = NumbersTable.alter(region.schema().message());
        if (region.info().table().equals(NumbersTable.NAME) && opened != alter) {
          complaints.add(
              "%s at %s is open with alter %d, but the table has alter %d"
                  .formatted(region, process.name(), opened, alter));
        }
      }
    }
  }

  /** Checks that each region has as many replicas as its table says, apart from one another. */
  private void checkReplicas(List<RegionRow> regions, int copies, List<String> complaints)
      throws IOException {
    int servers = serversOf(NumbersTable.NAME);
    for (RegionRow row : regions) {
      Set<ServerName> places = new HashSet<>();
      row.server().ifPresent(places::add);
      row.replicas().forEach(replica -> replica.server().ifPresent(places::add));
      if (row.replicas().size() != copies - 1 || places.size() < Math.min(copies, servers)) {
        complaints.add(
            "%s has the replicas %s, but the table has %d copies of each region, and there are %d servers for it"
                .formatted(row, row.replicas(), copies, servers));
      }
    }
  }

  /** Returns the number of servers that may have regions of a table. */
  private int serversOf(TableName table) throws IOException {
    return groups.isPresent() ? groups.get().serversOf(table).size() : world.servers().size();
  }

  /** Checks that the replicas answer what their regions answer, without a flush. */
  private void checkAnswers(List<RegionRow> regions, List<String> complaints) throws IOException {
    for (RegionRow row : regions) {
      Map<Integer, ServerName> replicas = new TreeMap<>();
      row.replicas().forEach(each -> replicas.put(each.id(), each.server().orElseThrow()));
      checkAnswers(row.region(), row.server().orElseThrow(), replicas, complaints);
    }
  }

  private void checkMetaAnswers(List<String> complaints) throws IOException {
    checkAnswers(RegionInfo.META, metaServer(), metaReplicas(), complaints);
  }

  private void checkAnswers(
      RegionInfo region,
      ServerName server,
      Map<Integer, ServerName> replicas,
      List<String> complaints)
      throws IOException {
    List<CellProtos.Cell> expected = cells(region, server);
    for (Map.Entry<Integer, ServerName> replica : replicas.entrySet()) {
      RegionInfo copy = region.replica(replica.getKey());
      List<CellProtos.Cell> found = cells(copy, replica.getValue());
      if (!found.equals(expected)) {
        complaints.add("%s answers %s, but its region answers %s".formatted(copy, found, expected));
      }
    }
  }

  private List<CellProtos.Cell> cells(RegionInfo region, ServerName server) throws IOException {
    return client
        .callRegions(
            server,
            "Scan",
            ScanRequest.newBuilder()
                .setRegion(Messages.specifier(region))
                .setScan(Scan.newBuilder().setConsistency(Consistency.TIMELINE))
                .setNumberOfRows(ROWS_MAX)
                .setCloseScanner(true)
                .build(),
            ScanResponse.getDefaultInstance())
        .getResultsList()
        .stream()
        .flatMap(result -> result.getCellList().stream())
        .toList();
  }

  /** Checks that regions and their replicas have all their files open. */
  private void checkFiles(List<RegionRow> regions, List<String> complaints) throws IOException {
    for (RegionRow row : regions) {
      checkFiles(row.region(), row.server().orElseThrow(), complaints);
      for (RegionRow.Replica replica : row.replicas()) {
        checkFiles(row.region().replica(replica.id()), replica.server().orElseThrow(), complaints);
      }
    }
  }

  private void checkFiles(RegionInfo region, ServerName server, List<String> complaints)
      throws IOException {
    Storage files = world.parts().files();
    Set<String> open = new TreeSet<>();
    client
        .callServer(
            server,
            "GetStoreFile",
            GetStoreFileRequest.newBuilder().setRegion(Messages.specifier(region)).build(),
            GetStoreFileResponse.getDefaultInstance())
        .getStoreFileList()
        .forEach(path -> open.add(Storage.name(path)));
    Set<String> found = new TreeSet<>();
    String directory =
        Storage.join(
            RegionDirectory.ofTable("data", region.table()), region.replica(0).encodedName());
    for (byte[] family : List.of(RowCalls.FAMILY, RowCalls.SECOND_FAMILY)) {
      files
          .list(Storage.join(directory, Bytes.utf8(family)))
          .forEach(file -> found.add(file.name()));
    }
    if (!open.equals(found)) {
      complaints.add(region + " has the open files " + open + ", but its directory has " + found);
    }
  }

  /** Checks that each log belongs to a running server. */
  private void checkLogs(List<String> complaints) throws IOException {
    Set<String> live = new HashSet<>();
    world.servers().forEach(process -> live.add(process.name().toString()));
    for (Storage.FileInfo log : world.parts().files().list("WALs")) {
      if (!live.contains(log.name())) {
        complaints.add(log.path() + " does not belong to a running server");
      }
    }
  }

  /** Checks that no file of a bulk load is left: all loads have ended. */
  private void checkLoads(List<String> complaints) throws IOException {
    Storage files = world.parts().files();
    for (String home : List.of(BulkLoads.FILES, BulkLoads.STAGING)) {
      for (Storage.FileInfo load : files.list(home)) {
        if (loads.isRefused(load.name())) {
          continue;
        }
        for (Storage.FileInfo family : files.list(load.path())) {
          for (Storage.FileInfo left : files.list(family.path())) {
            complaints.add(left.path() + " is left of a bulk load");
          }
        }
      }
    }
  }

  /**
   * Checks that the table's descriptor contains the last accepted alter, or a later one. Returns
   * the copies of each region that it asks for.
   */
  private int checkDescription(List<String> complaints) throws IOException {
    long found = NumbersTable.alter(description());
    if (found < administrator.altersAccepted() || found > administrator.altersBegun()) {
      complaints.add(
          "The table has alter %d, but alter %d was accepted, and %d were requested"
              .formatted(found, administrator.altersAccepted(), administrator.altersBegun()));
    }
    return NumbersTable.copies(found);
  }

  /** Returns the table's descriptor as the master has it. */
  private HBaseProtos.TableSchema description() throws IOException {
    return client
        .callMaster(
            "GetTableDescriptors",
            GetTableDescriptorsRequest.newBuilder()
                .addTableNames(Messages.message(NumbersTable.NAME))
                .build(),
            GetTableDescriptorsResponse.getDefaultInstance(),
            PATIENCE)
        .getTableSchema(0);
  }
}
