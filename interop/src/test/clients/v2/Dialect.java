import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The calls of {@link ClientBattery} in the API of HBase 2 and 3. */
final class Dialect {
  private Dialect() {}

  static void createTable(
      Admin admin, TableName name, byte[][] splits, int versions, String... families)
      throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (String family : families) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
              .setMaxVersions(versions)
              .build());
    }
    if (splits == null) {
      admin.createTable(table.build());
    } else {
      admin.createTable(table.build(), splits);
    }
  }

  static List<String> families(Admin admin, TableName name) throws IOException {
    List<String> families = new ArrayList<>();
    for (ColumnFamilyDescriptor family : admin.getDescriptor(name).getColumnFamilies()) {
      families.add(family.getNameAsString() + "/" + family.getMaxVersions());
    }
    return families;
  }

  static void addFamily(Admin admin, TableName name, String family) throws IOException {
    admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of(family));
  }

  static int servers(Admin admin) throws IOException {
    return admin.getClusterMetrics().getLiveServerMetrics().size();
  }

  /** The client replaces a procedure that it cannot read by an exception. */
  static boolean areProceduresListed(Admin admin) throws IOException {
    String procedures = admin.getProcedures();
    return procedures.contains("submittedTime") && !procedures.contains("EXCEPTION");
  }

  static void truncate(Admin admin, TableName name, byte[][] splits) throws IOException {
    admin.disableTable(name);
    admin.truncateTable(name, true);
  }

  static boolean[] exist(Table table, List<Get> gets) throws IOException {
    return table.exists(gets);
  }

  static Scan range(String start, String stop) {
    return new Scan().withStartRow(Bytes.toBytes(start)).withStopRow(Bytes.toBytes(stop));
  }

  static Scan limit(Scan scan, int rows) {
    return scan.setLimit(rows);
  }

  static Filter valueIs(byte[] family, byte[] column, byte[] value) {
    return new SingleColumnValueFilter(family, column, CompareOperator.EQUAL, value);
  }

  static Get versions(Get get, int versions) throws IOException {
    return get.readVersions(versions);
  }

  static Append append(Append append, byte[] family, byte[] column, byte[] value) {
    return append.addColumn(family, column, value);
  }

  static boolean checkAndPut(
      Table table, String row, byte[] family, byte[] column, byte[] value, Put put)
      throws IOException {
    return check(table, row, family, column, value).thenPut(put);
  }

  static boolean checkAndDelete(
      Table table, String row, byte[] family, byte[] column, byte[] value, Delete delete)
      throws IOException {
    return check(table, row, family, column, value).thenDelete(delete);
  }

  static boolean checkAndMutate(
      Table table, String row, byte[] family, byte[] column, byte[] value, RowMutations changes)
      throws IOException {
    return check(table, row, family, column, value).thenMutate(changes);
  }

  private static Table.CheckAndMutateBuilder check(
      Table table, String row, byte[] family, byte[] column, byte[] value) {
    Table.CheckAndMutateBuilder check =
        table.checkAndMutate(Bytes.toBytes(row), family).qualifier(column);
    return value == null ? check.ifNotExists() : check.ifEquals(value);
  }

  static String startKey(HRegionLocation location) {
    return Bytes.toString(location.getRegion().getStartKey());
  }
}
