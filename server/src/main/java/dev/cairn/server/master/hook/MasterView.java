package dev.cairn.server.master.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/**
 * The present state of an active master, as hooks need it. The methods wait for the master's loop,
 * or for files; an {@link IOException} says that they cannot answer now. Thread-safe.
 */
public interface MasterView {
  /**
   * A region.
   *
   * @param server where it is; empty if it is nowhere
   */
  record Place(RegionInfo region, Optional<ServerName> server) {}

  /** A snapshot, with the descriptor of its table. */
  record Snapshot(SnapshotDescription description, TableSchema schema) {}

  /** Returns the name of the master. */
  ServerName self();

  /** Returns the table of a name. */
  Optional<TableSchema> table(TableName name) throws IOException;

  /** Returns all tables. */
  List<TableSchema> tables() throws IOException;

  /** Returns the namespace of a name. */
  Optional<NamespaceDescriptor> namespace(String name) throws IOException;

  /** Returns the region with this name or encoded name. */
  Optional<Place> region(byte[] name) throws IOException;

  /** Returns the server that a move without a destination chooses; empty if there is none. */
  Optional<ServerName> destination(RegionInfo region) throws IOException;

  /** Returns the complete snapshot of a name. */
  Optional<Snapshot> snapshot(String name) throws IOException;

  /** Returns what a client has locked, or waits to lock. */
  Optional<LockProcedureData> lock(long id) throws IOException;

  /** Tells whether switches and the table's attributes allow to split a region. */
  boolean maySplit(RegionInfo region) throws IOException;

  /** Tells whether switches and the table's attributes allow to merge a region. */
  boolean mayMerge(RegionInfo region) throws IOException;

  /** Tells whether the balancer would run now. */
  boolean mayBalance(BalanceRequest request) throws IOException;
}
