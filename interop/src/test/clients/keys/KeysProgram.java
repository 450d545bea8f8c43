import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.client.BucketScan;
import dev.cairn.keys.client.BucketScanner;
import dev.cairn.keys.client.KeyFilters;
import dev.cairn.keys.client.UidKind;
import dev.cairn.keys.client.UidTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Uses each class of the library for row keys that calls HBase's client.
 *
 * <p>Arguments: the names of two tables, ZooKeeper's host and its port.
 */
public final class KeysProgram {
  private static final byte[] F = Bytes.toBytes("f");
  private static final KeyFormat FORMAT = KeyFormat.parse("salt(16), id long");

  private KeysProgram() {}

  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", arguments[2]);
    configuration.set("hbase.zookeeper.property.clientPort", arguments[3]);
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Admin admin = connection.getAdmin()) {
      TableName name = TableName.valueOf(arguments[0]);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build(),
          FORMAT.splits(4));
      say("regions: " + admin.getRegions(name).size());
      scans(connection, name, pool);
      filter(connection, name);
      TableName uids = TableName.valueOf(arguments[1]);
      UidTable.create(admin, uids);
      UidKind metrics = new UidTable(connection, uids).kind("metrics", 3);
      long number = metrics.assign("cpu");
      say(
          "number: "
              + number
              + " of "
              + new UidTable(connection, uids).kind("metrics", 3).name(number).get());
    } finally {
      pool.shutdown();
    }
    System.exit(0);
  }

  private static void scans(Connection connection, TableName name, ExecutorService pool)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      for (long id = 0; id < 10; id++) {
        table.put(new Put(FORMAT.encode(id)).addColumn(F, F, F));
      }
    }
    BucketScan all = BucketScan.of(FORMAT.pattern());
    try (BucketScanner rows = all.open(connection, name, pool)) {
      say("ordered:" + ids(rows, 0));
    }
    BucketScan reversed = all.with(new Scan().setReversed(true)).limit(3).withoutSalt();
    String token;
    try (BucketScanner rows = reversed.open(connection, name, pool)) {
      say("reversed:" + ids(rows, 1));
      token = rows.token();
    }
    try (BucketScanner rows = reversed.after(token).open(connection, name, pool)) {
      say("next page:" + ids(rows, 1));
    }
    int count = 0;
    try (BucketScanner rows = all.unordered().open(connection, name, pool)) {
      for (Result row : rows) {
        count += row.isEmpty() ? 0 : 1;
      }
    }
    say("unordered: " + count + " rows");
  }

  private static String ids(BucketScanner rows, int removedSalt) {
    StringBuilder ids = new StringBuilder();
    KeyFormat format = removedSalt == 0 ? FORMAT : KeyFormat.parse("id long");
    for (Result row : rows) {
      ids.append(' ').append(format.decode(row.getRow()).getLong("id"));
    }
    return ids.toString();
  }

  private static void filter(Connection connection, TableName name) throws IOException {
    KeyFormat format = KeyFormat.parse("literal(\"x\"), host string(4), id int");
    List<String> found = new ArrayList<>();
    try (Table table = connection.getTable(name)) {
      for (int id = 0; id < 10; id++) {
        String host = id % 5 == 3 ? "b" : "a";
        table.put(new Put(format.encode(host, id)).addColumn(F, F, F));
      }
      Scan scan = KeyFilters.scan(format.pattern().in("id", 3, 4, 8).is("host", "b"));
      try (ResultScanner rows = table.getScanner(scan)) {
        for (Result row : rows) {
          found.add(format.print(row.getRow()));
        }
      }
      Scan fuzzy = KeyFilters.scan(format.pattern().in("id", 3, 8));
      try (ResultScanner rows = table.getScanner(fuzzy)) {
        for (Result row : rows) {
          found.remove(format.print(row.getRow()));
        }
      }
      if (!found.isEmpty()) {
        throw new AssertionError("The fuzzy filter lacks " + found);
      }
      try (ResultScanner rows = table.getScanner(scan)) {
        for (Result row : rows) {
          found.add(format.print(row.getRow()));
        }
      }
    }
    say("filter: " + String.join(", ", found));
  }

  private static void say(String line) {
    System.out.println("> " + line);
  }
}
