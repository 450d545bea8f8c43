package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;

/**
 * Reads and writes {@code hbase:rsgroup}, the table in which HBase 2 keeps the groups of region
 * servers.
 *
 * <pre>
 *   row: a group's name     m:i     RSGroupInfo message
 * </pre>
 *
 * <p>One change is written by one call, all rows or none. One caller at a time; calls wait for the
 * network.
 */
public final class GroupTable {
  /** The table's name. */
  public static final TableName NAME = new TableName(TableName.SYSTEM_NAMESPACE, "rsgroup");

  private static final byte[] FAMILY = Bytes.utf8("m");
  private static final byte[] QUALIFIER = Bytes.utf8("i");

  private final Clock clock;
  private final WriterEpoch epoch;
  private long lastTimestamp;

  /**
   * Creates a view of the table.
   *
   * @param epoch the epoch of the master that writes; once the table's server knows of a higher
   *     one, it refuses the changes
   */
  public GroupTable(Clock clock, long epoch) {
    this.clock = clock;
    this.epoch = WriterEpoch.of(epoch);
  }

  /** Returns the table's descriptor, with the attributes that HBase gives it. */
  public static TableSchema schema() {
    return TableSchema.of(NAME, FamilySchema.of("m", Map.of()))
        .with("SPLIT_POLICY", "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy")
        .with("coprocessor$1", "|" + TableSupport.MULTI_ROW_MUTATION + "|536870911|");
  }

  /**
   * Returns all groups.
   *
   * @param region the table's only region
   */
  public List<ServerGroup> read(RegionInfo region, NamespaceTable.Client client)
      throws IOException {
    List<ServerGroup> groups = new ArrayList<>();
    new RegionRows(region, client::call)
        .read(
            List.of(FAMILY),
            row -> {
              for (CellProtos.Cell cell : row) {
                if (cell.getTimestamp() != Long.MAX_VALUE) {
                  lastTimestamp = Math.max(lastTimestamp, cell.getTimestamp());
                }
                if (cell.getQualifier().equals(Messages.wrap(QUALIFIER))) {
                  groups.add(ServerGroup.parse(cell.getValue()));
                }
              }
            });
    return groups;
  }

  /** Enters or replaces groups, and removes others, all or none. */
  public void write(
      RegionInfo region,
      NamespaceTable.Client client,
      Collection<ServerGroup> groups,
      Collection<String> removed)
      throws IOException {
    long timestamp = nextTimestamp();
    List<MutationProto> changes = new ArrayList<>();
    for (String name : removed) {
      changes.add(epoch.mark(Mutations.deleteFamily(Bytes.utf8(name), FAMILY, timestamp)));
    }
    for (ServerGroup group : groups) {
      changes.add(
          epoch.mark(
              Mutations.put(
                  Bytes.utf8(group.name()),
                  timestamp,
                  new Mutations.Column(FAMILY, QUALIFIER, group.message().toByteArray()))));
    }
    if (!changes.isEmpty()) {
      new RegionRows(region, client::call).writeTogether(changes);
    }
  }

  private long nextTimestamp() {
    lastTimestamp = Math.max(lastTimestamp + 1, clock.currentTimeMillis());
    return lastTimestamp;
  }
}
