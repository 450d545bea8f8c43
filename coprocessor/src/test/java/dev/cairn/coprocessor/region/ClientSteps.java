package dev.cairn.coprocessor.region;

import static dev.cairn.coprocessor.region.RegionScript.F;
import static dev.cairn.coprocessor.region.RegionScript.G;
import static dev.cairn.coprocessor.region.RegionScript.Q;
import static dev.cairn.coprocessor.region.RegionScript.put;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.AggregationClient;
import org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;
import org.apache.hadoop.hbase.util.Bytes;

/** The steps of {@link RegionScript} that read and write rows of its table. */
final class ClientSteps {
  private final RegionScript script;
  private final Table table;

  ClientSteps(RegionScript script, Table table) {
    this.script = script;
    this.table = table;
  }

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }

  void run() {
    writes();
    gets();
    scans();
    filters();
    endpoints();
  }

  private void writes() {
    script.step("put", () -> table.put(put("a")));
    script.step("puts", () -> table.put(List.of(put("b"), put("c"), put("d"), put("e"))));
    script.step("put of two families", () -> table.put(put("a").addColumn(G, Q, Q)));
    script.step("increment", () -> table.increment(new Increment(bytes("n")).addColumn(F, Q, 1)));
    script.step("append", () -> table.append(new Append(bytes("m")).addColumn(F, Q, Q)));
    script.step(
        "check",
        () ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(bytes("a")).ifNotExists(F, Q).build(put("a"))));
    script.step(
        "mutations of a row", () -> table.mutateRow(RowMutations.of(List.of(put("m"), put("m")))));
    script.step("delete", () -> table.delete(new Delete(bytes("m")).addFamily(F)));
    script.step("delete of a version", () -> table.delete(new Delete(bytes("n")).addColumn(F, Q)));
    script.step("put in an absent family", () -> table.put(put("a", Q)));
  }

  private void gets() {
    script.step("get", () -> table.get(new Get(bytes("a"))));
    script.step(
        "get of columns", () -> table.get(new Get(bytes("a")).addColumn(F, Q).readVersions(2)));
    script.step("get of an absent row", () -> table.get(new Get(bytes("absent"))));
    script.step("get of an absent family", () -> table.get(new Get(bytes("a")).addFamily(Q)));
    script.step(
        "get with a filter",
        () -> table.get(new Get(bytes("a")).setFilter(new PrefixFilter(bytes("b")))));
    script.step(
        "gets", () -> table.get(List.of(new Get(bytes("a")), new Get(bytes("b")).addFamily(F))));
    script.step("exists", () -> table.exists(new Get(bytes("a"))));
    script.step("exists of an absent row", () -> table.exists(new Get(bytes("absent"))));
    script.step(
        "exists of several", () -> table.exists(List.of(new Get(bytes("a")), new Get(bytes("z")))));
  }

  private void rows(Scan scan, int limit) throws IOException {
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (int i = 0; i < limit && scanner.next() != null; i++) {
        // reads on
      }
    }
  }

  private void scan(String name, Scan scan) {
    script.step(name, () -> rows(scan, Integer.MAX_VALUE));
  }

  private void scans() {
    scan("scan", new Scan());
    scan("scan of two columns", new Scan().addColumn(F, Q).addColumn(G, Q).readVersions(2));
    scan("scan in several calls", new Scan().setCaching(2));
    scan("scan in calls of a row", new Scan().setCaching(1).withStopRow(bytes("c")));
    scan("scan in batches", new Scan().setBatch(1).withStopRow(bytes("c")));
    scan(
        "scan with partial results",
        new Scan().setMaxResultSize(1).setAllowPartialResults(true).withStopRow(bytes("c")));
    scan("scan with a small size", new Scan().setMaxResultSize(1).withStopRow(bytes("c")));
    scan("scan with a limit", new Scan().setLimit(2));
    scan("scan of one row", new Scan().setOneRowLimit().withStartRow(bytes("b")));
    scan("reversed scan", new Scan().setReversed(true).setCaching(3));
    scan(
        "scan with open borders", new Scan().withStartRow(bytes("b"), false).setCacheBlocks(false));
    scan("raw scan", new Scan().setRaw(true).readAllVersions().withStartRow(bytes("m")));
    scan("scan of nothing", new Scan().withStartRow(bytes("x")));
    scan("scan of an absent family", new Scan().addFamily(Q));
    scan("scan in a stream", new Scan().setReadType(Scan.ReadType.STREAM).addFamily(F));
    scan("scan like a get", new Scan().withStartRow(bytes("b")).withStopRow(bytes("b"), true));
    script.step(
        "scan that ends early", () -> rows(new Scan().setCaching(1).setMaxResultSize(1), 2));
  }

  private void filters() {
    scan(
        "scan of rows",
        new Scan()
            .setFilter(new RowFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(bytes("b")))));
    scan(
        "scan of values",
        new Scan().setFilter(new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, bytes("b"))));
    scan(
        "scan of qualifiers",
        new Scan().setFilter(new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(F))));
    scan("scan of a prefix", new Scan().setFilter(new PrefixFilter(bytes("b"))));
    scan("scan of a page", new Scan().setFilter(new PageFilter(2)));
    scan("scan of keys", new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(3));
  }

  /** Writes a file to load, with a row. */
  static void file(Configuration settings, Path path, byte[] family) throws IOException {
    try (HFile.Writer writer =
        HFile.getWriterFactory(settings, new CacheConfig(settings))
            .withPath(path.getFileSystem(settings), path)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      writer.append(new KeyValue(bytes("loaded"), family, Q, 1, Q));
    }
  }

  /** Reads from files and memory. */
  void filesAndMemory() {
    script.step("get from files", () -> table.get(new Get(bytes("b"))));
    scan("scan of files", new Scan().setCaching(2));
    scan("scan of files in a stream", new Scan().setReadType(Scan.ReadType.STREAM));
    scan("scan of files by positions", new Scan().setReadType(Scan.ReadType.PREAD));
  }

  private void count(byte[] family) throws Throwable {
    try (AggregationClient client = new AggregationClient(table.getConfiguration())) {
      client.rowCount(table, new LongColumnInterpreter(), new Scan().addFamily(family));
    }
  }

  private MultiRowMutationService.BlockingInterface service() {
    return MultiRowMutationService.newBlockingStub(table.coprocessorService(bytes("a")));
  }

  private void endpoints() {
    MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
    script.step(
        "endpoint",
        () -> {
          for (String row : List.of("x", "y")) {
            request.addMutationRequest(ProtobufUtil.toMutation(MutationType.PUT, put(row)));
          }
          service().mutateRows(null, request.build());
        });
    script.step(
        "endpoint that fails",
        () ->
            service()
                .mutateRows(
                    null,
                    MutateRowsRequest.newBuilder()
                        .addMutationRequest(ProtobufUtil.toMutation(MutationType.PUT, put("x", Q)))
                        .build()));
    script.step("aggregate", () -> count(F));
    script.step("aggregate that fails", () -> count(Q));
    script.step(
        "endpoint in a batch",
        () ->
            table.batchCoprocessorService(
                MultiRowMutationService.getDescriptor().findMethodByName("MutateRows"),
                request.build(),
                bytes("a"),
                bytes("b"),
                MutateRowsResponse.getDefaultInstance()));
  }
}
