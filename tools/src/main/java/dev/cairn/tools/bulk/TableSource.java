package dev.cairn.tools.bulk;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * A table that a job reads or writes.
 *
 * @param connection to its cluster; the caller closes it
 */
public record TableSource(Connection connection, TableName name) {
  /**
   * Checks that the table can be read and written.
   *
   * @throws BulkException if it does not exist or is disabled
   */
  public void require() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (!admin.tableExists(name)) {
        throw new BulkException("table " + name + " does not exist");
      }
      if (!admin.isTableEnabled(name)) {
        throw new BulkException("table " + name + " is disabled");
      }
    }
  }

  /** Returns the ranges of its regions within {@code rows}. */
  List<RowRange> ranges(RowRange rows) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      return RowRange.ofRegions(locator, rows);
    }
  }
}
