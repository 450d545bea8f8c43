package dev.cairn.tools.backup;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * Adds to a restored table the families that were added after its full backup, each before the
 * first change that needs it. Not thread-safe.
 */
final class AddedFamilies {
  private final Admin admin;
  private final TableName table;
  private final Optional<TableDescriptor> newest;
  private final Set<ByteBuffer> present = new HashSet<>();
  private boolean isOrderVisible;

  /**
   * Creates it for a table.
   *
   * @param newest the descriptor in the last backup that the restore uses; empty if that backup has
   *     none
   */
  AddedFamilies(Admin admin, TableName table, Optional<TableSchema> newest) throws IOException {
    this.admin = admin;
    this.table = table;
    TableDescriptor restored = admin.getDescriptor(table);
    for (ColumnFamilyDescriptor family : restored.getColumnFamilies()) {
      present.add(ByteBuffer.wrap(family.getName()));
      isOrderVisible |= family.isNewVersionBehavior();
    }
    Optional<TableDescriptor> later = Optional.empty();
    if (newest.isPresent()) {
      later = Optional.of(ProtobufUtil.toTableDescriptor(newest.get().message()));
      for (ColumnFamilyDescriptor family : later.get().getColumnFamilies()) {
        isOrderVisible |= family.isNewVersionBehavior();
      }
    }
    this.newest = later;
  }

  /**
   * Tells whether reads of a family depend on the order in which changes of a row were written, as
   * with {@code NEW_VERSION_BEHAVIOR}.
   */
  boolean isOrderVisible() {
    return isOrderVisible;
  }

  /** Tells whether the table has the families of all cells. */
  boolean hasAllOf(CellBuffer cells) {
    for (int i = 0; i < cells.size(); i++) {
      if (!present.contains(family(cells.get(i)))) {
        return false;
      }
    }
    return true;
  }

  private static ByteBuffer family(Cell cell) {
    return ByteBuffer.wrap(cell.bytes(), cell.familyOffset(), cell.familyLength());
  }

  /** Adds the families of cells that are missing. */
  void add(CellBuffer cells) throws IOException {
    for (int i = 0; i < cells.size(); i++) {
      byte[] family = cells.get(i).family();
      if (present.add(ByteBuffer.wrap(family))) {
        admin.addColumnFamily(table, descriptor(cells.get(i).family()));
      }
    }
  }

  private ColumnFamilyDescriptor descriptor(byte[] family) throws BackupException {
    return newest
        .map(descriptor -> descriptor.getColumnFamily(family))
        .orElseThrow(
            () ->
                new BackupException(
                    "the changes have a family that no backup describes: "
                        + org.apache.hadoop.hbase.util.Bytes.toStringBinary(family)));
  }
}
