package dev.cairn.server.catalog;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.shaded.protobuf.generated.CellProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Reads and writes {@code hbase:namespace}, the table in which HBase 2 keeps its namespaces.
 *
 * <pre>
 *   row: a namespace's name     info:d     NamespaceDescriptor message
 * </pre>
 *
 * <p>Observed in what HBase 2.6.4 writes. Timestamps ascend, as those of {@link Catalog}.
 * Thread-safe; calls wait for the network.
 */
public final class NamespaceTable {
  /** The table's name. */
  public static final TableName NAME = new TableName(TableName.SYSTEM_NAMESPACE, "namespace");

  private static final byte[] FAMILY = Bytes.utf8("info");
  private static final byte[] QUALIFIER = Bytes.utf8("d");

  private final Clock clock;
  private final WriterEpoch epoch;
  private long lastTimestamp;

  /** Calls {@code ClientService} of the server that hosts the table's only region now. */
  @FunctionalInterface
  public interface Client {
    /** Makes one call and returns the answer. */
    <R extends Message> R call(String method, Message request, R responsePrototype)
        throws IOException;
  }

  /**
   * Creates a view of the table.
   *
   * @param epoch the epoch of the master that writes; once the table's server knows of a higher
   *     one, it refuses the changes
   */
  public NamespaceTable(Clock clock, long epoch) {
    this.clock = clock;
    this.epoch = WriterEpoch.of(epoch);
  }

  /** Returns the table's descriptor, with the attributes that HBase gives it. */
  public static TableSchema schema() {
    return TableSchema.of(
        NAME,
        FamilySchema.of(
            "info",
            Map.of(
                "VERSIONS", "10",
                "IN_MEMORY", "true",
                "BLOCKSIZE", "8192",
                "BLOOMFILTER", "ROW")));
  }

  /**
   * Returns all namespaces.
   *
   * @param region the table's only region
   */
  public List<NamespaceDescriptor> read(RegionInfo region, Client client) throws IOException {
    List<NamespaceDescriptor> namespaces = new ArrayList<>();
    new RegionRows(region, client::call).read(List.of(FAMILY), row -> add(row, namespaces));
    return namespaces;
  }

  private synchronized void add(List<CellProtos.Cell> row, List<NamespaceDescriptor> namespaces)
      throws IOException {
    for (CellProtos.Cell cell : row) {
      if (cell.getTimestamp() != Long.MAX_VALUE) {
        lastTimestamp = Math.max(lastTimestamp, cell.getTimestamp());
      }
      if (cell.getQualifier().equals(Messages.wrap(QUALIFIER))) {
        namespaces.add(NamespaceDescriptor.parseFrom(cell.getValue()));
      }
    }
  }

  /** Enters namespaces, or replaces those of the same name. */
  public void put(RegionInfo region, Client client, List<NamespaceDescriptor> namespaces)
      throws IOException {
    long timestamp = nextTimestamp();
    List<MutationProto> changes = new ArrayList<>();
    for (NamespaceDescriptor namespace : namespaces) {
      changes.add(
          epoch.mark(
              Mutations.put(
                  namespace.getName().toByteArray(),
                  timestamp,
                  new Mutations.Column(FAMILY, QUALIFIER, namespace.toByteArray()))));
    }
    new RegionRows(region, client::call).write(changes);
  }

  /** Removes a namespace, if it is there. */
  public void remove(RegionInfo region, Client client, String name) throws IOException {
    new RegionRows(region, client::call)
        .write(
            List.of(epoch.mark(Mutations.deleteFamily(Bytes.utf8(name), FAMILY, nextTimestamp()))));
  }

  private synchronized long nextTimestamp() {
    lastTimestamp = Math.max(lastTimestamp + 1, clock.currentTimeMillis());
    return lastTimestamp;
  }
}
