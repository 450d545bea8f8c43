package dev.cairn.interop.filter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/** The ways to read with a filter, by a name to print: gets and scans with their options. */
final class Reads {
  /** How many results are read at most: more than the data has cells. */
  private static final int RESULTS_MAX = 3000;

  /** Reads with a filter. */
  interface Read {
    /**
     * Asks a table.
     *
     * @param filter makes the filter for each request
     * @param changes what is changed in a scan before it is sent
     */
    Answer ask(Table table, Supplier<Filter> filter, Consumer<Scan> changes);
  }

  private final Map<String, Read> reads = new LinkedHashMap<>();

  private Reads() {}

  static Map<String, Read> all() {
    Reads reads = new Reads();
    reads.scans();
    reads.gets();
    return reads.reads;
  }

  private void scans() {
    scan("scan", scan -> {});
    scan("reversed", scan -> scan.setReversed(true));
    scan("versions", Scan::readAllVersions);
    scan("two versions reversed", scan -> read(scan, 2).setReversed(true));
    scan("range", scan -> scan.withStartRow(b("ab"), true).withStopRow(b("ca12"), true));
    scan(
        "reversed range",
        scan -> scan.withStartRow(b("da11"), false).withStopRow(b("ab11"), true).setReversed(true));
    scan("batch of two", scan -> scan.readAllVersions().setBatch(2));
    scan("reversed batch of three", scan -> scan.setReversed(true).setBatch(3));
    scan("caching one", scan -> scan.setCaching(1));
    scan("limit", scan -> scan.setLimit(2));
    scan("one row", scan -> scan.setOneRowLimit());
    scan("small results", scan -> scan.setMaxResultSize(1));
    joined("parts", scan -> scan.setMaxResultSize(1).setAllowPartialResults(true));
    joined(
        "larger parts, reversed",
        scan -> scan.setMaxResultSize(300).setAllowPartialResults(true).setReversed(true));
    scan("parts of batches", scan -> scan.setMaxResultSize(150).setBatch(4));
    scan("families on demand", scan -> scan.setLoadColumnFamiliesOnDemand(true));
    scan("no families on demand", scan -> scan.setLoadColumnFamiliesOnDemand(false));
    scan("two families", scan -> scan.addFamily(b("a")).addFamily(b("c")));
    scan("columns", scan -> read(columns(scan), 3));
    scan("columns reversed", scan -> columns(scan).setReversed(true));
    scan("time range", scan -> range(scan, 3, 7).readAllVersions());
    scan("newest in time range", scan -> range(scan, 2, 6));
    scan("store limit", scan -> scan.setMaxResultsPerColumnFamily(2));
    scan(
        "store offset",
        scan -> scan.setMaxResultsPerColumnFamily(3).setRowOffsetPerColumnFamily(1));
    scan("stream", scan -> scan.setReadType(Scan.ReadType.STREAM));
    scan("pread", scan -> scan.setReadType(Scan.ReadType.PREAD).setCaching(2));
    scan("raw", scan -> scan.setRaw(true).readAllVersions());
  }

  private void gets() {
    get("get", "wide", get -> {});
    get("get another", "ca11", get -> {});
    get("get nothing", "nothere", get -> {});
    get("get versions", "wide", get -> get.readAllVersions());
    get("get columns", "wide", get -> get.addColumn(b("a"), b("x")).addColumn(b("c"), b("qq2")));
    get("get family", "bb22", get -> get.addFamily(b("c")));
    get("exists", "ca12", get -> get.setCheckExistenceOnly(true));
    get("get store limit", "wide", get -> get.setMaxResultsPerColumnFamily(2));
    get(
        "get time range",
        "wide",
        get -> {
          try {
            get.setTimeRange(3, 8);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
    get("get on demand", "ab11", get -> get.setLoadColumnFamiliesOnDemand(true));
  }

  private void scan(String name, Consumer<Scan> options) {
    reads.put(name, (table, filter, changes) -> answer(table, options.andThen(changes), filter));
  }

  private void joined(String name, Consumer<Scan> options) {
    reads.put(
        name, (table, filter, changes) -> answer(table, options.andThen(changes), filter).joined());
  }

  private void get(String name, String row, Consumer<Get> options) {
    reads.put(
        name,
        (table, filter, changes) -> {
          Get get = new Get(b(row));
          options.accept(get);
          try {
            get.setFilter(filter.get());
            return Answer.of(List.of(table.get(get)));
          } catch (IOException | RuntimeException e) {
            return Answer.of(e);
          }
        });
  }

  /**
   * Options come first: the client refuses a batch by itself only if the filter is there before.
   */
  private static Answer answer(Table table, Consumer<Scan> options, Supplier<Filter> filter) {
    Scan scan = new Scan();
    options.accept(scan);
    List<Result> results = new ArrayList<>();
    try {
      scan.setFilter(filter.get());
      try (ResultScanner scanner = table.getScanner(scan)) {
        Optional<Result> next = Optional.ofNullable(scanner.next());
        while (next.isPresent() && results.size() < RESULTS_MAX) {
          results.add(next.get());
          next = Optional.ofNullable(scanner.next());
        }
      }
      return Answer.of(results);
    } catch (IOException | RuntimeException e) {
      return Answer.of(e);
    }
  }

  private static Scan columns(Scan scan) {
    return scan.addColumn(b("a"), b("x"))
        .addColumn(b("a"), b("q1"))
        .addColumn(b("b"), b(""))
        .addColumn(b("c"), b("qq2"))
        .addColumn(b("c"), b("x"));
  }

  private static Scan range(Scan scan, long from, long to) {
    try {
      return scan.setTimeRange(from, to);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Scan read(Scan scan, int versions) {
    return scan.readVersions(versions);
  }

  private static byte[] b(String text) {
    return Bytes.toBytes(text);
  }
}
