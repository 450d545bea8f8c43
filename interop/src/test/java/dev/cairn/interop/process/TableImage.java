package dev.cairn.interop.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * All that a client can see of a table.
 *
 * @param descriptor the attributes of the table and its families
 * @param cells every version of every cell, with type, timestamp and tags
 * @param rawCells the same of a raw scan, markers included; empty if it was not asked for
 */
record TableImage(String descriptor, List<String> cells, List<String> rawCells) {
  /**
   * Reads a table. The client's codec must be one that carries tags.
   *
   * @param raw whether a raw scan is to be compared: that is so if no flush may drop anything
   */
  static TableImage of(Connection connection, TableName name, boolean raw) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      return new TableImage(
          describe(admin.getDescriptor(name)),
          cells(table, new Scan().readAllVersions()),
          raw ? cells(table, new Scan().readAllVersions().setRaw(true)) : List.of());
    }
  }

  private static String describe(TableDescriptor descriptor) {
    TreeMap<String, String> attributes = new TreeMap<>();
    descriptor
        .getValues()
        .forEach((key, value) -> attributes.put(key.toString(), value.toString()));
    List<String> families = new ArrayList<>();
    for (var family : descriptor.getColumnFamilies()) {
      TreeMap<String, String> own = new TreeMap<>();
      family.getValues().forEach((key, value) -> own.put(key.toString(), value.toString()));
      families.add(family.getNameAsString() + own);
    }
    return attributes + " " + families;
  }

  private static List<String> cells(Table table, Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        for (Cell cell : result.rawCells()) {
          cells.add(
              Bytes.toStringBinary(CellUtil.cloneRow(cell))
                  + " "
                  + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
                  + ":"
                  + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
                  + " "
                  + cell.getTimestamp()
                  + " "
                  + cell.getType()
                  + " "
                  + Bytes.toStringBinary(CellUtil.cloneValue(cell))
                  + " "
                  + Bytes.toStringBinary(PrivateCellUtil.cloneTags(cell)));
        }
      }
    }
    return cells;
  }
}
