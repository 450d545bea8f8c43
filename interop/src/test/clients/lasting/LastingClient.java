import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A program with one connection that outlives servers. For each line of its input, it writes a row,
 * reads it, and asks the master whether the table exists. It prints the line, what it has read, and
 * then the milliseconds that each took.
 *
 * <p>Arguments: a table with the family {@code f}; settings, {@code key=value}.
 */
public final class LastingClient {
  private static final byte[] F = Bytes.toBytes("f");

  private LastingClient() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    for (String setting : Arrays.asList(arguments).subList(1, arguments.length)) {
      int equals = setting.indexOf('=');
      configuration.set(setting.substring(0, equals), setting.substring(equals + 1));
    }
    TableName name = TableName.valueOf(arguments[0]);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(name);
        Admin admin = connection.getAdmin()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        long start = System.nanoTime();
        String read = writeAndRead(table, line);
        long data = System.nanoTime();
        boolean exists = admin.tableExists(name);
        long end = System.nanoTime();
        System.out.println("> " + line + ": " + read + ", " + exists);
        System.out.println(
            "took " + (data - start) / 1_000_000 + " ms, " + (end - data) / 1_000_000 + " ms");
      }
    }
  }

  private static String writeAndRead(Table table, String line) throws IOException {
    byte[] row = Bytes.toBytes(line);
    table.put(new Put(row).addColumn(F, F, row));
    return Bytes.toString(table.get(new Get(row)).getValue(F, F));
  }
}
