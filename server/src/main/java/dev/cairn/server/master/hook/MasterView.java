package dev.cairn.server.master.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.server.catalog.ServerName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NamespaceDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.LockServiceProtos.LockProcedureData;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.BalanceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;

/**
 * The current state of an active master, for hooks. The methods wait for the master's loop, or for
 * files. They throw an {@link IOException} if they cannot answer now. Thread-safe.
 */
public interface MasterView {
  /**
   * A region.
   *
   * @param server the server that has it; empty if none has
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

  /**
   * Returns the region with this name or encoded name.
   *
   * @throws IOException for the client, if there is none
   */
  Place region(byte[] name) throws IOException;

  /**
   * Returns the server that a move without a destination chooses; empty if there is none.
   *
   * @throws IOException for the client, if rules keep the region where it is
   */
  Optional<ServerName> destination(RegionInfo region) throws IOException;

  /**
   * Returns the complete snapshot of a name.
   *
   * @throws IOException for the client, if there is none
   */
  Snapshot snapshot(String name) throws IOException;

  /** Returns what a client has locked, or waits to lock. */
  Optional<LockProcedureData> lock(long id) throws IOException;

  /**
   * Checks that switches and the table's attributes allow to split a region.
   *
   * @throws IOException for the client, if they do not
   */
  void checkSplit(RegionInfo region) throws IOException;

  /**
   * Checks that switches and the table's attributes allow to merge regions.
   *
   * @throws IOException for the client, if they do not
   */
  void checkMerge(List<RegionInfo> regions) throws IOException;

  /**
   * Checks the descriptor and the namespace of a table to be created.
   *
   * @throws IOException for the client, if such a table cannot be created
   */
  void checkNew(HBaseProtos.TableSchema table) throws IOException;

  /**
   * Checks that quotas are on.
   *
   * @throws IOException for the client, if they are off
   */
  void checkQuotas() throws IOException;

  /** Tells whether the balancer would run now. */
  boolean mayBalance(BalanceRequest request) throws IOException;
}
