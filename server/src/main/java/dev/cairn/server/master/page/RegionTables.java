package dev.cairn.server.master.page;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.page.Kind;
import dev.cairn.server.page.Level;
import dev.cairn.server.page.Table;
import dev.cairn.server.page.Value;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad.CompactionState;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionState.State;

/** Tables of regions. Stateless. */
final class RegionTables {
  private RegionTables() {}

  /** Returns a table of the regions of all tables, ordered by table and key. */
  static Table<ClusterView.Region> of(
      String id, String title, Collection<ClusterView.Region> regions) {
    return columns(
        begin(id, title, regions).column("table", "Table", Kind.NAME, RegionTables::table));
  }

  /** Returns a table of the regions of one table, ordered by key. */
  static Table<ClusterView.Region> ofTable(Collection<ClusterView.Region> regions) {
    return columns(begin("regions", "Regions", regions));
  }

  private static Table.Builder<ClusterView.Region> begin(
      String id, String title, Collection<ClusterView.Region> regions) {
    return Table.of(id, title, regions.stream().sorted(RegionTables::compare).toList())
        .column("region", "Region", Kind.NAME, region -> Value.name(region.info().encodedName()));
  }

  private static Table<ClusterView.Region> columns(Table.Builder<ClusterView.Region> table) {
    return table
        .column("startKey", "Start key", Kind.NAME, region -> key(region.info().startKey()))
        .column("endKey", "End key", Kind.NAME, region -> key(region.info().endKey()))
        .column("state", "State", Kind.STATE, region -> state(region.state()))
        .column("server", "Server", Kind.NAME, region -> server(region.server()))
        .column(
            "reads", "Reads", Kind.COUNT, region -> load(region, l -> Value.count(region.reads())))
        .column(
            "writes",
            "Writes",
            Kind.COUNT,
            region -> load(region, l -> Value.count(region.writes())))
        .column(
            "files", "Files", Kind.COUNT, region -> load(region, l -> Value.count(region.files())))
        .column(
            "fileBytes",
            "On disk",
            Kind.BYTES,
            region -> load(region, l -> Value.bytes(region.fileBytes())))
        .column(
            "memStoreBytes",
            "In memory",
            Kind.BYTES,
            region -> load(region, l -> Value.bytes(region.memStoreBytes())))
        .column(
            "locality",
            "Locality",
            Kind.RATIO,
            region ->
                load(
                    region,
                    l ->
                        l.getBlocksTotalWeight() == 0
                            ? Value.NONE
                            : Value.ratio(l.getDataLocality())))
        .column(
            "compaction",
            "Compaction",
            Kind.STATE,
            region -> load(region, RegionTables::compaction))
        .column(
            "majorCompactionMillis",
            "Major compaction",
            Kind.TIME,
            region -> load(region, l -> Value.time(l.getLastMajorCompactionTs())))
        .column("replica", "Replica", Kind.COUNT, region -> Value.count(region.info().replicaId()))
        .build();
  }

  /** Returns a table of regions in transition, with the reasons. */
  static Table<ClusterView.Region> inTransition(
      Collection<ClusterView.Region> regions, long nowMillis) {
    return Table.of("transitions", "Regions in transition", regions)
        .column("region", "Region", Kind.NAME, region -> Value.name(region.info().encodedName()))
        .column("table", "Table", Kind.NAME, RegionTables::table)
        .column("state", "State", Kind.STATE, region -> state(region.state()))
        .column("server", "Server", Kind.NAME, region -> server(region.server()))
        .time("sinceMillis", "Since", region -> region.transition().orElseThrow().sinceMillis())
        .millis(
            "ageMillis",
            "For",
            region -> Math.max(0, nowMillis - region.transition().orElseThrow().sinceMillis()))
        .count("failures", "Failures", region -> region.transition().orElseThrow().failures())
        .text("reason", "Reason", region -> region.transition().orElseThrow().reason())
        .sortedBy("-ageMillis")
        .whenEmpty("All regions are in their target state.")
        .build();
  }

  /** Compares tables, start keys and replica ids. One method, for speed with many regions. */
  private static int compare(ClusterView.Region one, ClusterView.Region other) {
    RegionInfo a = one.info();
    RegionInfo b = other.info();
    int order = a.table() == b.table() ? 0 : a.table().compareTo(b.table());
    if (order == 0) {
      order = Arrays.compareUnsigned(a.startKey(), b.startKey());
    }
    return order != 0 ? order : Integer.compare(a.replicaId(), b.replicaId());
  }

  private static Value load(
      ClusterView.Region region, java.util.function.Function<RegionLoad, Value> value) {
    return region.load().map(value).orElse(Value.NONE);
  }

  private static Value table(ClusterView.Region region) {
    String name = region.info().table().toString();
    return new Value.Link(Value.name(name), "table", Map.of("name", name));
  }

  private static Value key(byte[] key) {
    return key.length == 0 ? Value.NONE : Value.name(Bytes.toStringBinary(key));
  }

  private static Value server(Optional<ServerName> server) {
    return server.map(name -> Value.name(name.hostAndPort())).orElse(Value.NONE);
  }

  private static Value compaction(RegionLoad load) {
    return load.getCompactionState() == CompactionState.NONE
        ? Value.NONE
        : Value.state(Level.PLAIN, load.getCompactionState().name());
  }

  /** Returns a region's state. An open region is good, and a failed one is bad. */
  static Value state(State state) {
    Level level =
        switch (state) {
          case OPEN -> Level.GOOD;
          case FAILED_OPEN, FAILED_CLOSE, ABNORMALLY_CLOSED -> Level.BAD;
          case CLOSED, OFFLINE, SPLIT, MERGED -> Level.PLAIN;
          default -> Level.WARN;
        };
    return Value.state(level, state.name());
  }
}
