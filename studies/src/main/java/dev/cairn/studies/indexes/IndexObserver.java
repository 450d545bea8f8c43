package dev.cairn.studies.indexes;

import dev.cairn.studies.Batches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Keeps the index of users by city, in the region server, for puts and deletes of any client.
 * Before a batch is written, it reads the old rows, whose locks the batch holds, and writes the new
 * entries; if these cannot be written, the batch fails. Afterwards it deletes the old entries. So
 * each row has its entry at any time, and some entries have no row: a query must check the rows.
 *
 * <p>Cells are expected to have different timestamps in the order of the writes. Deletions of
 * single versions are refused, because they would bring earlier cities back.
 */
public final class IndexObserver implements RegionCoprocessor, RegionObserver {
  /** The property that names the table of the index. */
  public static final String TABLE = "index.table";

  /** The attribute of a mutation in progress: the entry to delete afterwards, and its timestamp. */
  private static final String OLD_ENTRY = "index.old";

  private TableName index;

  /** Creates it, for the server. */
  public IndexObserver() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment environment) throws IOException {
    String name = environment.getConfiguration().get(TABLE);
    if (name == null) {
      throw new IOException("IndexObserver needs the property " + TABLE);
    }
    index = TableName.valueOf(name);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    Map<ByteBuffer, Optional<UserTable.Home>> homes = new HashMap<>();
    List<Put> entries = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      Optional<Cell> change = change(mutation);
      if (change.isPresent() || isRowDelete(mutation)) {
        ByteBuffer row = ByteBuffer.wrap(mutation.getRow());
        Optional<UserTable.Home> old =
            homes.containsKey(row) ? homes.get(row) : read(context, mutation.getRow());
        homes.put(row, prepare(mutation, change, old, entries));
      }
    }
    write(context, entries);
  }

  private static Optional<UserTable.Home> read(
      ObserverContext<RegionCoprocessorEnvironment> context, byte[] row) throws IOException {
    Get get = new Get(row).addColumn(UserTable.FAMILY, UserTable.CITY);
    return UserTable.Home.of(context.getEnvironment().getRegion().get(get));
  }

  /** Returns the cell of a mutation that writes or deletes the city. */
  private static Optional<Cell> change(Mutation mutation) {
    return mutation.getFamilyCellMap().getOrDefault(UserTable.FAMILY, List.of()).stream()
        .filter(
            cell ->
                CellUtil.matchingQualifier(cell, UserTable.CITY)
                    || cell.getType() == Cell.Type.DeleteFamily
                    || cell.getType() == Cell.Type.DeleteFamilyVersion)
        .findFirst();
  }

  private static boolean isRowDelete(Mutation mutation) {
    return mutation instanceof Delete && mutation.getFamilyCellMap().isEmpty();
  }

  /**
   * Adds the new entry, and notes the old one on the mutation.
   *
   * @return where the user lives after the mutation
   */
  private static Optional<UserTable.Home> prepare(
      Mutation mutation, Optional<Cell> change, Optional<UserTable.Home> old, List<Put> entries)
      throws IOException {
    long timestamp = change.map(Cell::getTimestamp).orElse(mutation.getTimestamp());
    if (old.isPresent() && timestamp < old.get().timestamp()) {
      return old; // what is written is older than what is there, and has no effect
    }
    String user = Bytes.toString(mutation.getRow());
    Optional<UserTable.Home> home = Optional.empty();
    if (change.isPresent() && change.get().getType() == Cell.Type.Put) {
      if (timestamp == HConstants.LATEST_TIMESTAMP) {
        throw new DoNotRetryIOException("IndexObserver needs the timestamps of cells");
      }
      String city = Bytes.toString(CellUtil.cloneValue(change.get()));
      entries.add(Entries.PLAIN.put(city, user, timestamp));
      home = Optional.of(new UserTable.Home(city, timestamp));
    } else if (change.isPresent()
        && change.get().getType() != Cell.Type.DeleteFamily
        && change.get().getType() != Cell.Type.DeleteColumn) {
      throw new DoNotRetryIOException("IndexObserver does not know deletions of single versions");
    }
    if (old.isPresent() && !old.map(UserTable.Home::city).equals(home.map(UserTable.Home::city))) {
      byte[] key = Entries.PLAIN.key(old.get().city(), user);
      mutation.setAttribute(OLD_ENTRY, Bytes.add(Bytes.toBytes(old.get().timestamp()), key));
    }
    return home;
  }

  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    List<Delete> entries = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      byte[] old = batch.getOperation(i).getAttribute(OLD_ENTRY);
      if (old != null) {
        entries.add(
            Entries.delete(Bytes.tail(old, old.length - Bytes.SIZEOF_LONG), Bytes.toLong(old)));
      }
    }
    write(context, entries);
  }

  private void write(
      ObserverContext<RegionCoprocessorEnvironment> context, List<? extends Mutation> entries)
      throws IOException {
    if (!entries.isEmpty()) {
      try (Table table = context.getEnvironment().getConnection().getTable(index)) {
        Batches.write(table, entries);
      }
    }
  }
}
