package dev.cairn.coprocessor.region;

import java.io.IOException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.AggregateImplementation;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.awaitility.Awaitility;

/**
 * Calls the operations of a region one after the other, and writes down which hooks of {@link
 * RegionProbe} each calls. Hooks of several regions, and those of compactions of several families,
 * run side by side, and those of loaded files come in an order of the server's, so they are listed
 * by region and family. Uses nothing of Cairn, so that it also runs against HBase.
 */
final class RegionScript {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] G = Bytes.toBytes("g");
  static final byte[] Q = Bytes.toBytes("q");
  private static final TableName T = TableName.valueOf("t");
  private static final TableName LEASED = TableName.valueOf("leased");

  /** The hooks that are listed by family. */
  private static final String BY_FAMILY = ".*(Compact|CommitStoreFile).*";

  private final Connection connection;
  private final Admin admin;
  private final Path files;
  private final StringBuilder trace = new StringBuilder();

  private RegionScript(Connection connection, Path files) throws IOException {
    this.connection = connection;
    this.admin = connection.getAdmin();
    this.files = files;
  }

  /** A step of the script. */
  @FunctionalInterface
  interface Step {
    void run() throws Throwable;
  }

  /**
   * Runs the script in a cluster without tables.
   *
   * @param files an empty folder for files to load
   * @return the trace
   */
  static String run(Connection connection, Path files) throws Exception {
    RegionScript script = new RegionScript(connection, files);
    script.create();
    try (Table leased = connection.getTable(LEASED);
        Table table = connection.getTable(T);
        ResultScanner scanner = leased.getScanner(new Scan().setCaching(1))) {
      scanner.next();
      new ClientSteps(script, table).run();
      script.flushes();
      script.compactions();
      script.loads();
      script.openings();
      script.splits();
      script.ends();
      await(LEASED, "postScannerClose", 0, 1);
    }
    script.write("lease", "", LEASED, 0);
    script.admin.close();
    return script.trace.toString();
  }

  /** Waits until a hook has been called as often as given since a call. */
  private static void await(TableName table, String hook, int from, int times) {
    Awaitility.await()
        .atMost(Integer.getInteger("most", 60), TimeUnit.SECONDS)
        .until(
            () ->
                RegionProbe.CALLS.stream()
                        .skip(from)
                        .filter(call -> call.table().equals(table.getNameAsString()))
                        .filter(call -> call.hook().equals(hook))
                        .count()
                    >= times);
  }

  /** Runs a step, and writes down the hooks that it calls before it ends. */
  void step(String name, Step step) {
    step(name, step, "", 0);
  }

  /** Runs a step, which ends when a hook has been called as often as given. */
  void step(String name, Step step, String hook, int times) {
    int from = RegionProbe.CALLS.size();
    String failure = "";
    try {
      step.run();
      await(T, hook, from, times);
    } catch (Throwable e) {
      failure = ": " + e.getClass().getSimpleName();
    }
    int settling = Integer.getInteger("settling", 0);
    if (settling > 0) {
      Awaitility.await().during(settling, TimeUnit.MILLISECONDS).until(() -> true);
    }
    write(name, failure, T, from);
  }

  /**
   * Writes down the calls since one. Those for the readers of files and for trackers of deletes
   * have no place in the order: their number is the server's own choice. They stand at the end,
   * without repetitions. Choices that find no files are left out, because servers try at any time.
   */
  private void write(String name, String failure, TableName table, int from) {
    trace.append(name).append(failure).append('\n');
    List<RegionProbe.Call> calls =
        List.copyOf(RegionProbe.CALLS).stream()
            .skip(from)
            .filter(call -> call.table().equals(table.getNameAsString()))
            .sorted(
                Comparator.comparing(RegionProbe.Call::region)
                    .thenComparing(call -> call.hook().matches(BY_FAMILY) ? call.family() : ""))
            .toList();
    Set<Integer> left = new HashSet<>();
    for (int i = 1; i < calls.size(); i++) {
      if (calls.get(i).text().endsWith("request of 0)")) {
        left.addAll(List.of(i - 1, i));
      }
    }
    Set<String> beside = new TreeSet<>();
    for (int i = 0; i < calls.size(); i++) {
      if (left.contains(i)) {
        continue;
      }
      RegionProbe.Call call = calls.get(i);
      String line = (call.region().isEmpty() ? "" : call.region() + " ") + call.text();
      if (call.hook().endsWith("ReaderOpen")
          || call.hook().equals("postInstantiateDeleteTracker")) {
        beside.add(line);
      } else {
        trace.append("  ").append(line).append('\n');
      }
    }
    beside.forEach(line -> trace.append("  . ").append(line).append('\n'));
  }

  static Put put(String row) {
    return put(row, F);
  }

  static Put put(String row, byte[] family) {
    return new Put(Bytes.toBytes(row)).addColumn(family, Q, Bytes.toBytes(row));
  }

  private static TableDescriptorBuilder table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build())
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G));
  }

  private void create() throws Exception {
    admin.createTable(table(LEASED).setCoprocessor(RegionProbe.class.getName()).build());
    try (Table leased = connection.getTable(LEASED)) {
      leased.put(List.of(put("a"), put("b")));
    }
    step(
        "create",
        () ->
            admin.createTable(
                table(T)
                    .setCoprocessor(RegionProbe.class.getName())
                    .setCoprocessor(MultiRowMutationEndpoint.class.getName())
                    .setCoprocessor(AggregateImplementation.class.getName())
                    .build()),
        "postOpen",
        1);
  }

  private void write(String row, byte[]... families) throws IOException {
    try (Table table = connection.getTable(T)) {
      for (byte[] family : families) {
        table.put(put(row, family));
      }
    }
  }

  private void flushes() throws Exception {
    step("flush", () -> admin.flush(T));
    step("flush of nothing", () -> admin.flush(T));
    write("b", F, G);
    step("flush of a family", () -> admin.flush(T, G));
    step("flush of the other", () -> admin.flush(T));
    new ClientSteps(this, connection.getTable(T)).filesAndMemory();
  }

  private void compactions() throws Exception {
    write("c", F);
    admin.flush(T);
    step("minor compaction", () -> admin.compact(T, F), "postCompact", 1);
    write("c", G);
    step("snapshot", () -> admin.snapshot("s", T));
    step("major compaction", () -> admin.majorCompact(T), "postCompact", 2);
    step("major compaction of a family", () -> admin.majorCompact(T, G), "postCompact", 1);
    step(
        "major compaction of a region",
        () -> admin.majorCompactRegion(regions().get(0).getRegionName()),
        "postCompact",
        2);
  }

  private void loads() throws Exception {
    ClientSteps.file(connection.getConfiguration(), new Path(files, "f/file"), F);
    ClientSteps.file(connection.getConfiguration(), new Path(files, "g/file"), G);
    step(
        "bulk load", () -> BulkLoadHFiles.create(connection.getConfiguration()).bulkLoad(T, files));
    step("major compaction of loaded files", () -> admin.majorCompact(T), "postCompact", 2);
  }

  private List<RegionInfo> regions() throws IOException {
    return admin.getRegions(T).stream()
        .sorted(Comparator.comparing(RegionInfo::getStartKey, Bytes.BYTES_COMPARATOR))
        .collect(Collectors.toList());
  }

  private void openings() throws Exception {
    write("d", F);
    byte[] name = regions().get(0).getRegionName();
    step("unassign", () -> admin.unassign(name), "postClose", 1);
    step("assign", () -> admin.assign(name), "postOpen", 1);
    write("e", G);
    step(
        "modify",
        () ->
            admin.modifyTable(
                TableDescriptorBuilder.newBuilder(admin.getDescriptor(T))
                    .setValue("a", "b")
                    .build()),
        "postOpen",
        1);
    step("disable", () -> admin.disableTable(T));
    step("enable", () -> admin.enableTable(T), "postOpen", 1);
  }

  private void splits() throws Exception {
    write("a", F);
    step(
        "split",
        () -> admin.splitRegionAsync(regions().get(0).getRegionName(), Bytes.toBytes("c")).get(),
        "postCompact",
        4);
    step("scan of two regions", () -> rows(new Scan()));
    step("scan of two regions, reversed", () -> rows(new Scan().setReversed(true)));
    step(
        "merge",
        () ->
            Awaitility.await()
                .ignoreExceptions() // while the regions keep references
                .atMost(1, TimeUnit.MINUTES)
                .until(this::merged),
        "postCompact",
        2);
    step(
        "truncate region",
        () -> admin.truncateRegion(regions().get(0).getRegionName()),
        "postOpen",
        1);
  }

  private boolean merged() throws Exception {
    byte[][] names =
        regions().stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
    admin.mergeRegionsAsync(names, false).get();
    return true;
  }

  private void rows(Scan scan) throws IOException {
    try (Table table = connection.getTable(T);
        ResultScanner scanner = table.getScanner(scan)) {
      while (scanner.next() != null) {
        // reads all rows
      }
    }
  }

  private void ends() throws Exception {
    write("x", F);
    admin.disableTable(T);
    step("truncate", () -> admin.truncateTable(T, true), "postOpen", 1);
    write("y", F);
    admin.disableTable(T);
    step("delete", () -> admin.deleteTable(T));
    admin.deleteSnapshot("s");
  }
}
