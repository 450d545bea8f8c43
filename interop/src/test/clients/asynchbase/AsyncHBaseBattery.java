import com.stumbleupon.async.Deferred;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hbase.async.AppendRequest;
import org.hbase.async.AtomicIncrementRequest;
import org.hbase.async.Bytes;
import org.hbase.async.Config;
import org.hbase.async.DeleteRequest;
import org.hbase.async.GetRequest;
import org.hbase.async.GetResultOrException;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyRegexpFilter;
import org.hbase.async.KeyValue;
import org.hbase.async.PutRequest;
import org.hbase.async.RegionLocation;
import org.hbase.async.Scanner;

/**
 * A program that uses asynchbase, the client of OpenTSDB. It prints a line with the action and the
 * result of each step. asynchbase creates no tables.
 *
 * <p>Arguments: a table with the family {@code f} and region boundaries {@code m} and {@code r200};
 * ZooKeeper's address.
 */
public final class AsyncHBaseBattery {
  private static final byte[] F = bytes("f");
  private static final byte[] Q = bytes("q");
  private static final int BULK_ROWS = 400;
  private static final long PATIENCE_MILLIS = 30_000;

  private final HBaseClient client;
  private final byte[] table;

  private AsyncHBaseBattery(HBaseClient client, byte[] table) {
    this.client = client;
    this.table = table;
  }

  /** Runs the program. */
  public static void main(String[] arguments) throws Exception {
    Config config = new Config();
    config.overrideConfig("hbase.zookeeper.quorum", arguments[1]);
    config.overrideConfig("hbase.increments.buffer_size", "100");
    config.overrideConfig("hbase.rpcs.buffered_flush_interval", "10");
    HBaseClient client = new HBaseClient(config);
    try {
      AsyncHBaseBattery battery = new AsyncHBaseBattery(client, bytes(arguments[0]));
      battery.tables();
      battery.putAndGet();
      battery.scan();
      battery.change();
      battery.manyRows();
    } finally {
      client.shutdown().join(PATIENCE_MILLIS);
    }
    System.exit(0); // the client's timer threads keep running for a while
  }

  private void tables() throws Exception {
    client.ensureTableFamilyExists(table, F).join(PATIENCE_MILLIS);
    refused("no family", () -> client.ensureTableFamilyExists(table, Q).join(PATIENCE_MILLIS));
    refused("no table", () -> client.ensureTableExists(bytes("none")).join(PATIENCE_MILLIS));
  }

  private void putAndGet() throws Exception {
    for (String row : new String[] {"a", "b", "n", "z"}) {
      client.put(new PutRequest(table, bytes(row), F, Q, bytes(row + "1"))).join(PATIENCE_MILLIS);
    }
    print("get", row(get("a")));
    print("get a missing row", row(get("nothing")));
    byte[][] columns = {bytes("c1"), bytes("c2")};
    byte[][] values = {bytes("v1"), bytes("v2")};
    client.put(new PutRequest(table, bytes("wide"), F, columns, values)).join(PATIENCE_MILLIS);
    print("get several columns", row(get("wide")));
    List<String> rows = new ArrayList<>();
    List<GetRequest> gets =
        Arrays.asList(new GetRequest(table, bytes("a")), new GetRequest(table, bytes("z")));
    for (GetResultOrException result : client.get(gets).join(PATIENCE_MILLIS)) {
      rows.add(row(result.getCells()));
    }
    print("get a list", rows);
  }

  private void scan() throws Exception {
    print("scan", rows(client.newScanner(table)));
    Scanner range = client.newScanner(table);
    range.setStartKey(bytes("b"));
    range.setStopKey(bytes("wide"));
    range.setMaxNumRows(1);
    print("scan a range", rows(range));
    Scanner matching = client.newScanner(table);
    matching.setFilter(new KeyRegexpFilter("n.*"));
    print("scan matching rows", rows(matching));
    Scanner reversed = client.newScanner(table);
    reversed.setReversed(true);
    print("scan reversed", rows(reversed));
  }

  private void change() throws Exception {
    AtomicIncrementRequest count = new AtomicIncrementRequest(table, bytes("count"), F, Q, 2);
    print("increment", client.atomicIncrement(count).join(PATIENCE_MILLIS));
    AtomicIncrementRequest more = new AtomicIncrementRequest(table, bytes("count"), F, Q, 40);
    print("increment buffered", client.bufferAtomicIncrement(more).join(PATIENCE_MILLIS));
    client.append(new AppendRequest(table, bytes("a"), F, Q, bytes("+"))).join(PATIENCE_MILLIS);
    print("append", row(get("a")));
    PutRequest changed = new PutRequest(table, bytes("b"), F, Q, bytes("b2"));
    print("compare and set", client.compareAndSet(changed, "b1").join(PATIENCE_MILLIS));
    print("compare and set not", client.compareAndSet(changed, "b1").join(PATIENCE_MILLIS));
    PutRequest first = new PutRequest(table, bytes("new"), F, Q, bytes("1"));
    print("create", client.atomicCreate(first).join(PATIENCE_MILLIS));
    print("create not", client.atomicCreate(first).join(PATIENCE_MILLIS));
    client.delete(new DeleteRequest(table, bytes("wide"), F, bytes("c1"))).join(PATIENCE_MILLIS);
    client.delete(new DeleteRequest(table, bytes("z"))).join(PATIENCE_MILLIS);
    client.delete(new DeleteRequest(table, bytes("count"), F)).join(PATIENCE_MILLIS);
    print("left", rows(client.newScanner(table)));
    PutRequest lost = new PutRequest(table, bytes("a"), Q, Q, Q);
    refused("put to no family", () -> client.put(lost).join(PATIENCE_MILLIS));
  }

  private void manyRows() throws Exception {
    List<Deferred<Object>> puts = new ArrayList<>();
    for (int i = 0; i < BULK_ROWS; i++) {
      byte[] row = bytes(String.format("r%03d", i));
      puts.add(client.put(new PutRequest(table, row, F, Q, bytes("v" + i))));
    }
    client.flush().join(PATIENCE_MILLIS);
    Deferred.group(puts).join(PATIENCE_MILLIS); // flush() does not wait for what is under way
    Scanner many = client.newScanner(table);
    many.setStartKey(bytes("r"));
    many.setStopKey(bytes("s"));
    many.setMaxNumRows(50);
    print("many rows", rows(many).size());
    List<String> starts = new ArrayList<>();
    for (RegionLocation location : client.locateRegions(table).join(PATIENCE_MILLIS)) {
      starts.add(text(location.startKey()));
    }
    print("regions", starts);
  }

  private ArrayList<KeyValue> get(String row) throws Exception {
    return client.get(new GetRequest(table, bytes(row))).join(PATIENCE_MILLIS);
  }

  private static List<String> rows(Scanner scanner) throws Exception {
    List<String> rows = new ArrayList<>();
    ArrayList<ArrayList<KeyValue>> next;
    while ((next = scanner.nextRows().join(PATIENCE_MILLIS)) != null) {
      for (ArrayList<KeyValue> row : next) {
        rows.add(row(row));
      }
    }
    return rows;
  }

  private static String row(List<KeyValue> cells) {
    if (cells.isEmpty()) {
      return "{}";
    }
    List<String> values = new ArrayList<>();
    for (KeyValue cell : cells) {
      values.add(text(cell.qualifier()) + "=" + text(cell.value()));
    }
    return text(cells.get(0).key()) + "{" + String.join(", ", values) + "}";
  }

  /** A request that the server must refuse. */
  private interface Mistake {
    void run() throws Exception;
  }

  private static void refused(String step, Mistake mistake) {
    try {
      mistake.run();
      print(step, "accepted");
    } catch (Exception e) {
      print(step, e.getClass().getSimpleName());
    }
  }

  private static byte[] bytes(String text) {
    return Bytes.UTF8(text);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void print(String step, Object found) {
    System.out.println("> " + step + ": " + found);
  }
}
