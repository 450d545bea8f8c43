import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * A program that uses the API that all HBase clients from 1.2 to 3.0 share. It prints a line with
 * the action and the result of each step. The lines are the same for all versions. {@code Dialect}
 * has the calls that differ between versions.
 *
 * <p>Arguments: the prefix of the names of its tables and namespace; then settings, {@code
 * key=value}.
 */
public final class ClientBattery {
  private static final byte[] F = bytes("f");
  private static final byte[] G = bytes("g");
  private static final byte[] Q = bytes("q");
  private static final int BULK_ROWS = 400;

  private final Connection connection;
  private final Admin admin;
  private final String prefix;
  private final TableName name;

  private ClientBattery(Connection connection, String prefix) throws IOException {
    this.connection = connection;
    this.admin = connection.getAdmin();
    this.prefix = prefix;
    this.name = TableName.valueOf(prefix + "_rows");
  }

  /** Runs the program. */
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    for (String setting : Arrays.asList(arguments).subList(1, arguments.length)) {
      String[] pair = setting.split("=", 2);
      configuration.set(pair[0], pair[1]);
    }
    print("version", VersionInfo.getVersion());
    try (Connection connection = ConnectionFactory.createConnection(configuration)) {
      ClientBattery battery = new ClientBattery(connection, arguments[0]);
      battery.createTables();
      try (Table table = connection.getTable(battery.name)) {
        battery.putAndGet(table);
        battery.scan(table);
        battery.count(table);
        battery.check(table);
        battery.batch(table);
        battery.delete(table);
        battery.versions(table);
        battery.largeValues(table);
        battery.mistakes(table);
      }
      battery.manyRows();
      battery.administer();
      battery.reshape();
    }
  }

  private void createTables() throws IOException {
    Dialect.createTable(admin, name, new byte[][] {bytes("m")}, 3, "f", "g");
    print("table exists", admin.tableExists(name));
    print("table enabled", admin.isTableEnabled(name));
    print("families", Dialect.families(admin, name));
    print("servers", Dialect.servers(admin));
    print("no such table", admin.tableExists(TableName.valueOf(prefix + "_none")));
  }

  private void putAndGet(Table table) throws IOException {
    table.put(put("a", "1"));
    print("get", row(table.get(new Get(bytes("a")))));
    table.put(
        Arrays.asList(
            put("b", "2").addColumn(G, bytes("extra"), bytes("g2")), put("n", "3"), put("z", "4")));
    print("get all families", row(table.get(new Get(bytes("b")))));
    print("get a family", row(table.get(new Get(bytes("b")).addFamily(G))));
    print("get a column", row(table.get(new Get(bytes("b")).addColumn(F, Q))));
    print("get a missing row", table.get(new Get(bytes("nothing"))).isEmpty());
    print("get a missing column", row(table.get(new Get(bytes("a")).addColumn(F, bytes("no")))));
    Get filtered = new Get(bytes("b"));
    filtered.setFilter(new ColumnPrefixFilter(bytes("ex")));
    print("get with a filter", row(table.get(filtered)));
    List<String> rows = new ArrayList<>();
    for (Result result : table.get(gets("a", "nothing", "z"))) {
      rows.add(row(result));
    }
    print("get a list", rows);
    print("exists", table.exists(new Get(bytes("a"))));
    print("exists not", table.exists(new Get(bytes("nothing"))));
    print("exist of a list", Arrays.toString(Dialect.exist(table, gets("a", "nothing", "z"))));
  }

  private void scan(Table table) throws IOException {
    print("scan", rows(table, new Scan()));
    print("scan row by row", rows(table, new Scan().setCaching(1)));
    print("scan cell by cell", rows(table, new Scan().setBatch(1)));
    print("scan reversed", rows(table, new Scan().setReversed(true)));
    print("scan a range", rows(table, Dialect.range("b", "z")));
    print("scan a range reversed", rows(table, Dialect.range("z", "a").setReversed(true)));
    print("scan a limit", rows(table, Dialect.limit(new Scan(), 2)));
    print("scan a family", rows(table, new Scan().addFamily(G)));
    print("scan small results", rows(table, new Scan().setMaxResultSize(1)));
    print("scan a prefix", rows(table, new Scan().setFilter(new PrefixFilter(bytes("n")))));
    print("scan a value", rows(table, new Scan().setFilter(Dialect.valueIs(F, Q, bytes("2")))));
    FilterList both = new FilterList(new PrefixFilter(bytes("b")), new KeyOnlyFilter());
    print("scan keys", rows(table, new Scan().setFilter(both)));
    print("scan nothing", rows(table, Dialect.range("o", "p")));
  }

  private void count(Table table) throws IOException {
    byte[] row = bytes("count");
    print("increment", number(table.increment(new Increment(row).addColumn(F, Q, 2))));
    print("increment again", number(table.increment(new Increment(row).addColumn(F, Q, 40))));
    print("increment a column", table.incrementColumnValue(row, F, Q, -1));
    print("count", number(table.get(new Get(row))));
    Result appended = table.append(Dialect.append(new Append(bytes("a")), F, Q, bytes("+")));
    print("append", row(appended));
    print("appended", row(table.get(new Get(bytes("a")))));
    table.delete(new Delete(row));
  }

  private void check(Table table) throws IOException {
    print("check and put", Dialect.checkAndPut(table, "b", F, Q, bytes("2"), put("b", "22")));
    print("check and put not", Dialect.checkAndPut(table, "b", F, Q, bytes("2"), put("b", "23")));
    print("check for nothing", Dialect.checkAndPut(table, "c", F, Q, null, put("c", "5")));
    RowMutations changes = new RowMutations(bytes("b"));
    changes.add(put("b", "24"));
    changes.add(new Delete(bytes("b")).addFamily(G));
    print("check and mutate", Dialect.checkAndMutate(table, "b", F, Q, bytes("22"), changes));
    print("checked", row(table.get(new Get(bytes("b")))));
    Delete delete = new Delete(bytes("c"));
    print("check and delete", Dialect.checkAndDelete(table, "c", F, Q, bytes("5"), delete));
    RowMutations together = new RowMutations(bytes("b"));
    together.add(put("b", "2"));
    together.add(new Put(bytes("b")).addColumn(G, Q, bytes("g")));
    table.mutateRow(together);
    print("mutated", row(table.get(new Get(bytes("b")))));
  }

  private void batch(Table table) throws Exception {
    Object[] results = new Object[5];
    table.batch(
        Arrays.asList(
            new Get(bytes("n")),
            put("p", "6"),
            new Delete(bytes("z")),
            new Increment(bytes("batched")).addColumn(F, Q, 7),
            new Get(bytes("nothing"))),
        results);
    print("batch get", row((Result) results[0]));
    print("batch put", ((Result) results[1]).isEmpty());
    print("batch increment", number((Result) results[3]));
    print("batch get nothing", ((Result) results[4]).isEmpty());
    table.delete(new Delete(bytes("batched")));
    print("after the batch", rows(table, new Scan()));
  }

  private void delete(Table table) throws IOException {
    table.delete(new Delete(bytes("b")).addColumns(G, Q));
    print("delete a column", row(table.get(new Get(bytes("b")))));
    table.delete(
        new ArrayList<>(Arrays.asList(new Delete(bytes("b")), new Delete(bytes("nothing")))));
    print("delete a row", table.get(new Get(bytes("b"))).isEmpty());
    print("left", rows(table, new Scan()));
  }

  private void versions(Table table) throws IOException {
    byte[] row = bytes("old");
    for (long time = 1; time <= 4; time++) {
      table.put(new Put(row).addColumn(F, Q, time, bytes("v" + time)));
    }
    print("newest version", row(table.get(new Get(row))));
    print("versions", row(table.get(Dialect.versions(new Get(row), 10))));
    print("a time range", row(table.get(Dialect.versions(new Get(row).setTimeRange(2, 4), 10))));
    table.delete(new Delete(row).addColumn(F, Q, 3));
    print("a version less", row(table.get(Dialect.versions(new Get(row), 10))));
    table.delete(new Delete(row));
  }

  private void largeValues(Table table) throws IOException {
    byte[] large = new byte[3 << 20];
    Arrays.fill(large, (byte) 'x');
    table.put(new Put(bytes("large")).addColumn(F, Q, large));
    print("large value", Arrays.equals(large, table.get(new Get(bytes("large"))).getValue(F, Q)));
    int length = 0;
    try (ResultScanner scanner = table.getScanner(Dialect.range("large", "large0"))) {
      for (Result result : scanner) {
        length += result.getValue(F, Q).length;
      }
    }
    print("large value scanned", length);
    table.delete(new Delete(bytes("large")));
  }

  private void mistakes(Table table) throws IOException {
    TableName nowhere = TableName.valueOf(prefix + "_none");
    refused("put to no family", () -> table.put(new Put(bytes("a")).addColumn(Q, Q, Q)));
    refused("get of no family", () -> table.get(new Get(bytes("a")).addFamily(Q)));
    refused("scan of no family", () -> rows(table, new Scan().addFamily(Q)));
    refused(
        "get of no table",
        () -> {
          try (Table none = connection.getTable(nowhere)) {
            none.get(new Get(bytes("a")));
          }
        });
    refused("create twice", () -> Dialect.createTable(admin, name, null, 1, "f"));
    refused("delete an enabled table", () -> admin.deleteTable(name));
    refused("enable an enabled table", () -> admin.enableTable(name));
    refused("disable no table", () -> admin.disableTable(nowhere));
    refused("table in no namespace", () -> createTable(prefix + "_none:t"));
  }

  private void createTable(String name) throws IOException {
    Dialect.createTable(admin, TableName.valueOf(name), null, 1, "f");
  }

  private void manyRows() throws Exception {
    TableName many = TableName.valueOf(prefix + "_many");
    byte[][] splits = {bytes("r100"), bytes("r200"), bytes("r300")};
    Dialect.createTable(admin, many, splits, 1, "f");
    try (BufferedMutator mutator = connection.getBufferedMutator(many)) {
      for (int i = 0; i < BULK_ROWS; i++) {
        mutator.mutate(put(String.format("r%03d", i), "v" + i));
      }
    }
    try (Table table = connection.getTable(many)) {
      print("many rows", count(table, new Scan().setCaching(50)));
      print("many rows reversed", count(table, new Scan().setReversed(true).setCaching(50)));
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < BULK_ROWS; i += 3) {
        gets.add(new Get(bytes(String.format("r%03d", i))));
      }
      int found = 0;
      for (Result result : table.get(gets)) {
        found += result.isEmpty() ? 0 : 1;
      }
      print("many gets", found);
      Dialect.truncate(admin, many, splits);
      print("truncated", count(table, new Scan()));
    }
    try (RegionLocator locator = connection.getRegionLocator(many)) {
      print("regions", locator.getAllRegionLocations().size());
      print("start keys", strings(locator.getStartKeys()));
      HRegionLocation location = locator.getRegionLocation(bytes("r250"));
      print("region of a row", Dialect.startKey(location));
      print("server of a row", !location.getHostname().isEmpty() && location.getPort() > 0);
    }
    admin.disableTable(many);
    admin.deleteTable(many);
  }

  private void administer() throws Exception {
    admin.disableTable(name);
    print("disabled", admin.isTableDisabled(name));
    try (Table table = connection.getTable(name)) {
      refused("get of a disabled table", () -> table.get(new Get(bytes("a"))));
    }
    Dialect.addFamily(admin, name, "h");
    admin.enableTable(name);
    print("families now", Dialect.families(admin, name));
    try (Table table = connection.getTable(name)) {
      table.put(new Put(bytes("h")).addColumn(bytes("h"), Q, bytes("8")));
      print("row of the new family", row(table.get(new Get(bytes("h")))));
    }
    String namespace = prefix + "_space";
    admin.createNamespace(NamespaceDescriptor.create(namespace).build());
    createTable(namespace + ":t");
    List<String> names = new ArrayList<>();
    for (TableName table : admin.listTableNamesByNamespace(namespace)) {
      names.add(table.getQualifierAsString());
    }
    print("tables of the namespace", names);
    refused("delete a namespace with tables", () -> admin.deleteNamespace(namespace));
    for (TableName table : Arrays.asList(TableName.valueOf(namespace + ":t"), name)) {
      admin.disableTable(table);
      admin.deleteTable(table);
    }
    admin.deleteNamespace(namespace);
    print("table exists", admin.tableExists(name));
  }

  /** Alters tables and lists procedures. HBase 2 does not allow this to clients of HBase 1. */
  private void reshape() throws Exception {
    TableName shaped = TableName.valueOf(prefix + "_shaped");
    Dialect.createTable(admin, shaped, new byte[][] {bytes("m")}, 1, "f");
    try (Table table = connection.getTable(shaped)) {
      table.put(Arrays.asList(put("a", "1"), put("h", "2"), put("z", "3")));
      admin.flush(shaped);
      print("procedures listed", Dialect.areProceduresListed(admin));
      try {
        admin.split(shaped, bytes("g"));
        awaitRegions(shaped, 3);
      } catch (DoNotRetryIOException e) {
        print("split refused", e.getMessage().contains("SplitRegion"));
      }
      print("regions", regions(shaped));
      admin.majorCompact(shaped);
      admin.compact(shaped);
      print("rows", rows(table, new Scan()));
    }
    admin.disableTable(shaped);
    admin.deleteTable(shaped);
  }

  private List<String> regions(TableName table) throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      return strings(locator.getStartKeys());
    }
  }

  private void awaitRegions(TableName table, int count) throws Exception {
    long deadline = System.nanoTime() + 120_000_000_000L;
    while (regions(table).size() != count) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("still " + regions(table));
      }
      Thread.sleep(20);
    }
  }

  /** A request that the server must refuse. */
  private interface Mistake {
    void run() throws Exception;
  }

  /** Prints the error class that the server returned to {@code mistake}. */
  private static void refused(String step, Mistake mistake) {
    try {
      mistake.run();
      print(step, "accepted");
    } catch (Exception e) {
      print(step, cause(e));
    }
  }

  /** Unwraps the server's error. Some versions wrap it more often than others. */
  private static String cause(Throwable e) {
    Throwable last = e;
    while (last.getCause() != null && isWrapper(last)) {
      last = last.getCause();
    }
    if (last instanceof RetriesExhaustedWithDetailsException) {
      return cause(((RetriesExhaustedWithDetailsException) last).getCause(0));
    }
    if (last instanceof RemoteWithExtrasException
        && ((RemoteWithExtrasException) last).isDoNotRetry()) {
      return "DoNotRetryIOException"; // this client does not have the error's class
    }
    return last.getClass().getSimpleName();
  }

  private static boolean isWrapper(Throwable e) {
    return !(e instanceof DoNotRetryIOException);
  }

  private static int count(Table table, Scan scan) throws IOException {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows += result.isEmpty() ? 0 : 1;
      }
    }
    return rows;
  }

  private static List<String> rows(Table table, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(row(result));
      }
    }
    return rows;
  }

  /** Returns a row as {@code key{family:column=value, ...}}. */
  private static String row(Result result) {
    if (result.isEmpty()) {
      return "{}";
    }
    List<String> cells = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      cells.add(
          Bytes.toString(CellUtil.cloneFamily(cell))
              + ":"
              + Bytes.toString(CellUtil.cloneQualifier(cell))
              + "="
              + Bytes.toString(CellUtil.cloneValue(cell)));
    }
    return Bytes.toString(result.getRow()) + "{" + String.join(", ", cells) + "}";
  }

  private static long number(Result result) {
    return Bytes.toLong(result.getValue(F, Q));
  }

  private static List<String> strings(byte[][] keys) {
    List<String> strings = new ArrayList<>();
    for (byte[] key : keys) {
      strings.add(Bytes.toString(key));
    }
    return strings;
  }

  private static List<Get> gets(String... rows) {
    List<Get> gets = new ArrayList<>();
    for (String row : rows) {
      gets.add(new Get(bytes(row)));
    }
    return gets;
  }

  private static Put put(String row, String value) {
    return new Put(bytes(row)).addColumn(F, Q, bytes(value));
  }

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  private static void print(String step, Object found) {
    System.out.println("> " + step + ": " + found);
  }
}
