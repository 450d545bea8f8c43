package dev.cairn.server.master.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.Messages;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.master.SimulatedCluster;
import dev.cairn.server.master.ddl.CreateTableProcedure;
import dev.cairn.server.master.ddl.ModifyTableProcedure;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** The table of a simulated cluster, with replicas of its regions. */
record ReplicatedTable(SimulatedCluster cluster) {
  void create(int copies, String... splitKeys) {
    List<byte[]> keys = new ArrayList<>();
    for (String key : splitKeys) {
      keys.add(Bytes.utf8(key));
    }
    cluster.run(
        new CreateTableProcedure(
            cluster.active().procedureContext(),
            "user",
            with(TableSchema.of(SimulatedCluster.TABLE, FamilySchema.of("a")), copies),
            keys));
  }

  void alter(int copies) {
    cluster.run(
        new ModifyTableProcedure(
            cluster.active().procedureContext(),
            "user",
            SimulatedCluster.TABLE,
            present -> with(present, copies)));
  }

  private static TableSchema with(TableSchema schema, int copies) {
    HBaseProtos.TableSchema.Builder message = schema.message().toBuilder();
    List<HBaseProtos.BytesBytesPair> others =
        message.getAttributesList().stream()
            .filter(pair -> !pair.getFirst().toStringUtf8().equals("REGION_REPLICATION"))
            .toList();
    return new TableSchema(
        message
            .clearAttributes()
            .addAllAttributes(others)
            .addAttributes(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(Messages.wrap(Bytes.utf8("REGION_REPLICATION")))
                    .setSecond(Messages.wrap(Bytes.utf8(Integer.toString(copies)))))
            .build());
  }

  /** Returns the servers of the copies of each region, by start key and number of the copy. */
  Map<String, Map<Integer, ServerName>> places() {
    Map<String, Map<Integer, ServerName>> places = new TreeMap<>();
    cluster.servers.hosted.forEach(
        (server, regions) -> {
          for (RegionInfo region : regions.values()) {
            if (region.table().equals(SimulatedCluster.TABLE)) {
              places
                  .computeIfAbsent(Bytes.utf8(region.startKey()), key -> new TreeMap<>())
                  .put(region.replicaId(), server);
            }
          }
        });
    return places;
  }

  /** Tells whether all copies of all regions are open at different servers. */
  boolean isApart(int copies) {
    return places().values().stream()
        .allMatch(copy -> new HashSet<>(copy.values()).size() == copies);
  }

  void assertApart(int copies) {
    assertThat(places().values())
        .allSatisfy(
            copy ->
                assertThat(new HashSet<>(copy.values()))
                    .hasSize(copies)
                    .hasSameSizeAs(copy.values()));
  }

  RegionStateNode primary() {
    return cluster.active().assignments().of(SimulatedCluster.TABLE).iterator().next();
  }

  /** A change that an administrator asks for. */
  interface Change {
    void begin(Completion completion) throws IOException;
  }

  /** Makes a change, and waits until it is done. */
  void change(Change change) throws IOException {
    AtomicBoolean done = new AtomicBoolean();
    change.begin(
        Completion.of(
            () -> done.set(true),
            cause -> {
              throw new AssertionError(cause);
            }));
    cluster.runUntil(done::get);
  }
}
