import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HColumnDescriptor;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.HBaseAdmin;
import org.apache.hadoop.hbase.client.HTable;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * A program that uses the client of HBase 0.98. It prints a line with the action and the result of
 * each step.
 *
 * <p>Arguments: the prefix of the names of its tables; then settings, {@code key=value}.
 */
public final class OldClientBattery {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final int BULK_ROWS = 400;

  private OldClientBattery() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws Exception {
    // This client requires a Java version that begins with 1.
    System.setProperty("java.version", "1.8.0");
    Configuration configuration = HBaseConfiguration.create();
    for (String setting : Arrays.asList(arguments).subList(1, arguments.length)) {
      String[] pair = setting.split("=", 2);
      configuration.set(pair[0], pair[1]);
    }
    print("version", VersionInfo.getVersion());
    TableName name = TableName.valueOf(arguments[0] + "_rows");
    HBaseAdmin admin = new HBaseAdmin(configuration);
    HTableDescriptor descriptor = new HTableDescriptor(name);
    descriptor.addFamily(new HColumnDescriptor(F).setMaxVersions(3));
    admin.createTable(descriptor, new byte[][] {bytes("m"), bytes("r100"), bytes("r200")});
    print("table exists", admin.tableExists(name));
    print("families", admin.getTableDescriptor(name).getFamiliesKeys().size());
    HTable table = new HTable(configuration, name);
    putAndGet(table);
    scan(table);
    change(table);
    batch(table);
    manyRows(table);
    mistakes(configuration, arguments[0], table);
    print("regions", table.getRegionLocations().size());
    table.close();
    admin.flush(name.getNameAsString());
    admin.close();
  }

  private static void putAndGet(HTable table) throws IOException {
    table.put(put("a", "1"));
    print("get", row(table.get(new Get(bytes("a")))));
    table.put(Arrays.asList(put("b", "2"), put("n", "3"), put("z", "4")));
    print("get a column", row(table.get(new Get(bytes("b")).addColumn(F, Q))));
    print("get a missing row", table.get(new Get(bytes("nothing"))).isEmpty());
    Get filtered = new Get(bytes("b"));
    filtered.setFilter(new ColumnPrefixFilter(bytes("x")));
    print("get with a filter", row(table.get(filtered)));
    print("exists", table.exists(new Get(bytes("a"))));
    print("exists not", table.exists(new Get(bytes("nothing"))));
    List<Get> gets =
        Arrays.asList(new Get(bytes("a")), new Get(bytes("nothing")), new Get(bytes("z")));
    List<String> rows = new ArrayList<>();
    for (Result result : table.get(gets)) {
      rows.add(row(result));
    }
    print("get a list", rows);
    print("exist of a list", Arrays.toString(table.exists(gets)));
    byte[] large = new byte[3 << 20];
    table.put(new Put(bytes("large")).add(F, Q, large));
    print("large value", table.get(new Get(bytes("large"))).getValue(F, Q).length);
    table.delete(new Delete(bytes("large")));
  }

  private static void scan(HTable table) throws IOException {
    print("scan", rows(table, new Scan()));
    print("scan a range", rows(table, new Scan(bytes("b"), bytes("z"))));
    Scan reversed = new Scan();
    reversed.setReversed(true);
    print("scan reversed", rows(table, reversed));
    Scan small = new Scan(bytes("a"), bytes("c"));
    small.setSmall(true);
    print("small scan", rows(table, small));
    Scan oneByOne = new Scan();
    oneByOne.setCaching(1);
    oneByOne.setFilter(new PrefixFilter(bytes("n")));
    print("scan a prefix", rows(table, oneByOne));
  }

  private static void change(HTable table) throws IOException {
    byte[] row = bytes("count");
    Result counted = table.increment(new Increment(row).addColumn(F, Q, 2));
    print("increment", Bytes.toLong(counted.getValue(F, Q)));
    print("increment a column", table.incrementColumnValue(row, F, Q, 40));
    print("append", row(table.append(new Append(bytes("a")).add(F, Q, bytes("+")))));
    print("check and put", table.checkAndPut(bytes("b"), F, Q, bytes("2"), put("b", "22")));
    print("check and put not", table.checkAndPut(bytes("b"), F, Q, bytes("2"), put("b", "23")));
    RowMutations changes = new RowMutations(bytes("b"));
    changes.add(put("b", "24"));
    table.mutateRow(changes);
    Delete delete = new Delete(bytes("b"));
    print("check and delete", table.checkAndDelete(bytes("b"), F, Q, bytes("24"), delete));
    table.delete(new Delete(row));
    print("left", rows(table, new Scan()));
    for (long time = 1; time <= 3; time++) {
      table.put(new Put(bytes("old")).add(F, Q, time, bytes("v" + time)));
    }
    Get versions = new Get(bytes("old"));
    versions.setMaxVersions();
    print("versions", row(table.get(versions)));
    table.delete(new Delete(bytes("old")));
  }

  private static void batch(HTable table) throws Exception {
    Object[] results = new Object[3];
    table.batch(Arrays.asList(new Get(bytes("n")), put("p", "6"), new Delete(bytes("z"))), results);
    print("batch get", row((Result) results[0]));
    print("after the batch", rows(table, new Scan()));
  }

  private static void manyRows(HTable table) throws IOException {
    table.setAutoFlush(false, true);
    for (int i = 0; i < BULK_ROWS; i++) {
      table.put(put(String.format("r%03d", i), "v" + i));
    }
    table.flushCommits();
    table.setAutoFlush(true, true);
    Scan many = new Scan(bytes("r"), bytes("s"));
    many.setCaching(50);
    print("many rows", rows(table, many).size());
  }

  private static void mistakes(Configuration configuration, String prefix, HTable table)
      throws IOException {
    try {
      table.get(new Get(bytes("a")).addFamily(Q));
    } catch (IOException e) {
      print("get of no family", e.getClass().getSimpleName());
    }
    try (HTable none = new HTable(configuration, TableName.valueOf(prefix + "_none"))) {
      none.get(new Get(bytes("a")));
    } catch (IOException e) {
      print("get of no table", e.getClass().getSimpleName());
    }
  }

  private static List<String> rows(HTable table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(row(result));
      }
    }
    return rows;
  }

  private static String row(Result result) {
    if (result.isEmpty()) {
      return "{}";
    }
    List<String> values = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      values.add(Bytes.toString(CellUtil.cloneValue(cell)));
    }
    return Bytes.toString(result.getRow()) + "=" + String.join(",", values);
  }

  private static Put put(String row, String value) {
    return new Put(bytes(row)).add(F, Q, bytes(value));
  }

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  private static void print(String step, Object found) {
    System.out.println("> " + step + ": " + found);
  }
}
