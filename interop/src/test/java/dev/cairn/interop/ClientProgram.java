package dev.cairn.interop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * A user's program, for a JVM with whichever version of HBase's client. It uses only what clients
 * of 2.x and 3.x have in common, and prints what it finds, a line for each step.
 *
 * <p>Arguments are settings, {@code key=value}.
 */
public final class ClientProgram {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("q");

  private ClientProgram() {}

  /** Runs the program. */
  public static void main(String[] settings) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    for (String setting : settings) {
      String[] pair = setting.split("=", 2);
      configuration.set(pair[0], pair[1]);
    }
    TableName name = TableName.valueOf("program");
    print("client", VersionInfo.getVersion());
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          new byte[][] {row("m")});
      try (Table table = connection.getTable(name)) {
        use(table);
      }
      print("regions", admin.getRegions(name).size());
      admin.flush(name);
      admin.disableTable(name);
      admin.deleteTable(name);
      print("exists", admin.tableExists(name));
    }
  }

  private static void use(Table table) throws Exception {
    table.put(put("a", "1"));
    print("get", value(table.get(new Get(row("a")))));
    table.put(Arrays.asList(put("b", "2"), put("n", "3"), put("z", "4")));
    print("scan", scan(table, new Scan()));
    print("reversed", scan(table, new Scan().setReversed(true).setCaching(1)));
    table.increment(new Increment(row("count")).addColumn(FAMILY, COLUMN, 2));
    Result counted = table.increment(new Increment(row("count")).addColumn(FAMILY, COLUMN, 3));
    print("increment", Bytes.toLong(counted.getValue(FAMILY, COLUMN)));
    print("append", value(table.append(new Append(row("a")).addColumn(FAMILY, COLUMN, row("+")))));
    print(
        "check",
        table
            .checkAndMutate(
                CheckAndMutate.newBuilder(row("b"))
                    .ifEquals(FAMILY, COLUMN, row("2"))
                    .build(put("b", "22")))
            .isSuccess());
    Object[] results = new Object[3];
    table.batch(Arrays.asList(new Get(row("b")), put("c", "5"), new Delete(row("z"))), results);
    print("batch", value((Result) results[0]));
    table.delete(new Delete(row("a")));
    print("left", scan(table, new Scan().withStopRow(row("count"))));
    print("more", scan(table, new Scan().withStartRow(row("m"))));
    try {
      table.put(new Put(row("a")).addColumn(row("nope"), COLUMN, row("1")));
    } catch (Exception e) {
      print("refused", e.getClass().getSimpleName());
    }
  }

  private static byte[] row(String text) {
    return Bytes.toBytes(text);
  }

  private static Put put(String row, String value) {
    return new Put(row(row)).addColumn(FAMILY, COLUMN, row(value));
  }

  private static String value(Result result) {
    return Bytes.toString(result.getValue(FAMILY, COLUMN));
  }

  private static List<String> scan(Table table, Scan scan) throws Exception {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()) + "=" + value(result));
      }
    }
    return rows;
  }

  private static void print(String step, Object found) {
    System.out.println("> " + step + ": " + found);
  }
}
