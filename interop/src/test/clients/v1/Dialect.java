import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.CompareFilter.CompareOp;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The calls of {@link ClientBattery} in the API of HBase 1. */
final class Dialect {
  private Dialect() {}

  static void createTable(
      Admin admin, TableName name, byte[][] splits, int versions, String... families)
      throws IOException {
    HTableDescriptor table = new HTableDescriptor(name);
    for (String family : families) {
      table.addFamily(new HColumnDescriptor(family).setMaxVersions(versions));
    }
    if (splits == null) {
      admin.createTable(table);
    } else {
      admin.createTable(table, splits);
    }
  }

  static List<String> families(Admin admin, TableName name) throws IOException {
    List<String> families = new ArrayList<>();
    for (HColumnDescriptor family : admin.getTableDescriptor(name).getColumnFamilies()) {
      families.add(family.getNameAsString() + "/" + family.getMaxVersions());
    }
    return families;
  }

  static void addFamily(Admin admin, TableName name, String family) throws IOException {
    admin.addColumn(name, new HColumnDescriptor(family));
  }

  static int servers(Admin admin) throws IOException {
    return admin.getClusterStatus().getServersSize();
  }

  static boolean areProceduresListed(Admin admin) throws IOException {
    try {
      return admin.listProcedures().length > 0;
    } catch (DoNotRetryIOException e) {
      return false;
    }
  }

  static void truncate(Admin admin, TableName name, byte[][] splits) throws IOException {
    admin.disableTable(name);
    admin.truncateTable(name, true);
  }

  static boolean[] exist(Table table, List<Get> gets) throws IOException {
    return table.existsAll(gets);
  }

  static Scan range(String start, String stop) {
    return new Scan(Bytes.toBytes(start), Bytes.toBytes(stop));
  }

  static Scan limit(Scan scan, int rows) {
    // PageFilter limits each region; all rows are in the first one.
    return scan.setFilter(new PageFilter(rows)).setStopRow(Bytes.toBytes("m"));
  }

  static Filter valueIs(byte[] family, byte[] column, byte[] value) {
    return new SingleColumnValueFilter(family, column, CompareOp.EQUAL, value);
  }

  static Get versions(Get get, int versions) throws IOException {
    return get.setMaxVersions(versions);
  }

  static Append append(Append append, byte[] family, byte[] column, byte[] value) {
    return append.add(family, column, value);
  }

  static boolean checkAndPut(
      Table table, String row, byte[] family, byte[] column, byte[] value, Put put)
      throws IOException {
    return table.checkAndPut(Bytes.toBytes(row), family, column, value, put);
  }

  static boolean checkAndDelete(
      Table table, String row, byte[] family, byte[] column, byte[] value, Delete delete)
      throws IOException {
    return table.checkAndDelete(Bytes.toBytes(row), family, column, value, delete);
  }

  static boolean checkAndMutate(
      Table table, String row, byte[] family, byte[] column, byte[] value, RowMutations changes)
      throws IOException {
    return table.checkAndMutate(
        Bytes.toBytes(row), family, column, CompareOp.EQUAL, value, changes);
  }

  static String startKey(HRegionLocation location) {
    return Bytes.toString(location.getRegionInfo().getStartKey());
  }
}
