import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hbase.async.Bytes;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.hbase.async.PutRequest;

/**
 * A program with one client of asynchbase that outlives servers. For each line of its input, it
 * writes a row and reads it. It prints the line, what it has read, and then the milliseconds that
 * this took.
 *
 * <p>Arguments: a table with the family {@code f}; ZooKeeper's address.
 */
public final class LastingAsyncHBase {
  private static final byte[] F = Bytes.UTF8("f");
  private static final long PATIENCE_MILLIS = 120_000;

  private LastingAsyncHBase() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws Exception {
    HBaseClient client = new HBaseClient(arguments[1]);
    byte[] table = Bytes.UTF8(arguments[0]);
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      long start = System.nanoTime();
      byte[] row = Bytes.UTF8(line);
      PutRequest put = new PutRequest(table, row, F, F, row);
      put.setBufferable(false);
      client.put(put).join(PATIENCE_MILLIS);
      List<KeyValue> cells = client.get(new GetRequest(table, row)).join(PATIENCE_MILLIS);
      String read = new String(cells.get(0).value(), StandardCharsets.UTF_8);
      System.out.println("> " + line + ": " + read + ", true");
      System.out.println("took " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
    client.shutdown().join(PATIENCE_MILLIS);
    System.exit(0); // the client's timer threads keep running for a while
  }
}
