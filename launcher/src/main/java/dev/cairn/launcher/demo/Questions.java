package dev.cairn.launcher.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/** Asks the webtable, by scans and gets, and prints the answers. */
final class Questions {
  private static final int SHOWN_MAX = 10;
  private static final int GETS_MAX = 2000;
  private static final int CACHING = 1000;

  private final Table table;
  private final Report report;

  Questions(Table table, Report report) {
    this.table = table;
    this.report = report;
  }

  /** A row, and a number that belongs to it. */
  private record Ranked(String row, long count) {}

  /** Asks everything. */
  void ask() throws IOException {
    List<String> artifacts = artifacts();
    List<Ranked> referenced = mostReferenced();
    versionsOfOne(artifacts);
    if (!referenced.isEmpty()) {
      referrersOf(referenced.get(0));
      usedVersionsOf(referenced);
    }
    Collections.sort(artifacts);
    String one =
        referenced.stream()
            .map(Ranked::row)
            .filter(row -> Collections.binarySearch(artifacts, row) >= 0)
            .findFirst()
            .orElse(artifacts.get(0));
    onePom(one);
    randomPoms(artifacts);
    earlierVersion(one);
  }

  private List<String> artifacts() throws IOException {
    report.question("Which artifacts are there? (scan, keys only)");
    Scan scan =
        new Scan()
            .addFamily(Webtable.CONTENTS)
            .setCaching(CACHING)
            .setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    List<String> rows = new ArrayList<>();
    long start = System.nanoTime();
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        rows.add(Webtable.text(result.getRow()));
      }
    }
    report.rate(rows.size(), "rows", System.nanoTime() - start);
    return rows;
  }

  private List<Ranked> mostReferenced() throws IOException {
    report.question("Which artifacts are referred to most? (scan of all incoming references)");
    Scan scan =
        new Scan().addFamily(Webtable.REFS).setCaching(CACHING).setFilter(new KeyOnlyFilter());
    List<Ranked> ranked = new ArrayList<>();
    long cells = 0;
    long start = System.nanoTime();
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        ranked.add(new Ranked(Webtable.text(result.getRow()), result.size()));
        cells += result.size();
      }
    }
    long nanos = System.nanoTime() - start;
    ranked.sort(Comparator.comparingLong(Ranked::count).reversed().thenComparing(Ranked::row));
    for (Ranked one : ranked.subList(0, Math.min(SHOWN_MAX, ranked.size()))) {
      report.counted(one.count(), one.row());
    }
    report.rate(cells, "cells", nanos);
    return ranked;
  }

  private void versionsOfOne(List<String> artifacts) throws IOException {
    Map<String, Integer> versions = new TreeMap<>();
    for (String row : artifacts) {
      versions.merge(row.substring(0, row.lastIndexOf(':') + 1), 1, Integer::sum);
    }
    String prefix = Collections.max(versions.entrySet(), Map.Entry.comparingByValue()).getKey();
    report.question(
        "Which versions of "
            + prefix.substring(0, prefix.length() - 1)
            + " are there? (scan of a prefix)");
    Scan scan =
        new Scan()
            .addFamily(Webtable.CONTENTS)
            .setStartStopRowForPrefixScan(Webtable.utf8(prefix))
            .setFilter(new KeyOnlyFilter());
    List<String> found = new ArrayList<>();
    long start = System.nanoTime();
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        found.add(Webtable.text(result.getRow()).substring(prefix.length()));
      }
    }
    long nanos = System.nanoTime() - start;
    report.list(found);
    report.rate(found.size(), "rows", nanos);
    report.check(found.size() == versions.get(prefix), "as many as the scan of everything saw");
  }

  private void referrersOf(Ranked most) throws IOException {
    report.question("Who refers to " + most.row() + "? (get of one family)");
    long start = System.nanoTime();
    Result result = table.get(new Get(Webtable.utf8(most.row())).addFamily(Webtable.REFS));
    long nanos = System.nanoTime() - start;
    List<String> referrers = new ArrayList<>();
    for (Cell cell : result.rawCells()) {
      referrers.add(
          Webtable.text(CellUtil.cloneQualifier(cell))
              + " ("
              + Webtable.text(CellUtil.cloneValue(cell))
              + ")");
    }
    report.list(referrers);
    report.rate(referrers.size(), "cells", nanos);
    report.check(referrers.size() == most.count(), "as many as the scan of everything saw");
  }

  private void usedVersionsOf(List<Ranked> referenced) throws IOException {
    Map<String, Long> byArtifact = new HashMap<>();
    for (Ranked one : referenced) {
      byArtifact.merge(withoutVersion(one.row()), one.count(), Long::sum);
    }
    String artifact = Collections.max(byArtifact.entrySet(), Map.Entry.comparingByValue()).getKey();
    report.question(
        "Which versions of "
            + artifact
            + " do others ask for? (scan of all outgoing references, filtered by the server)");
    Scan scan =
        new Scan()
            .addFamily(Webtable.DEPS)
            .setCaching(CACHING)
            .setFilter(new ColumnPrefixFilter(Webtable.utf8(artifact + ":")));
    Map<String, Integer> versions = new TreeMap<>();
    long cells = 0;
    long start = System.nanoTime();
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        for (Cell cell : result.rawCells()) {
          String other = Webtable.text(CellUtil.cloneQualifier(cell));
          versions.merge(other.substring(artifact.length() + 1), 1, Integer::sum);
          cells++;
        }
      }
    }
    long nanos = System.nanoTime() - start;
    versions.entrySet().stream()
        .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
        .limit(SHOWN_MAX)
        .forEach(entry -> report.counted(entry.getValue(), entry.getKey()));
    report.rate(cells, "cells", nanos);
  }

  private static String withoutVersion(String row) {
    int first = row.indexOf(':');
    int second = row.indexOf(':', first + 1);
    return second < 0 ? row : row.substring(0, second);
  }

  private void onePom(String row) throws IOException {
    report.question("What does the POM of " + row + " say? (get)");
    long start = System.nanoTime();
    byte[] pom = pom(new Get(Webtable.utf8(row))).orElse(new byte[0]);
    long nanos = System.nanoTime() - start;
    report.excerpt(Webtable.text(pom));
    report.rate(pom.length, "bytes", nanos);
  }

  private void randomPoms(List<String> artifacts) throws IOException {
    int count = Math.min(GETS_MAX, artifacts.size());
    report.question("How fast are " + count + " single gets of POMs, one after the other?");
    Random random = new Random(count);
    long[] nanos = new long[count];
    long found = 0;
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long before = System.nanoTime();
      String row = artifacts.get(random.nextInt(artifacts.size()));
      found += pom(new Get(Webtable.utf8(row))).isPresent() ? 1 : 0;
      nanos[i] = System.nanoTime() - before;
    }
    report.rate(count, "gets", System.nanoTime() - start);
    Arrays.sort(nanos);
    report.latencies(nanos[count / 2], nanos[(int) (count * 0.99)]);
    report.check(found == count, "all found");
  }

  private void earlierVersion(String row) throws IOException {
    report.question("What did " + row + " say before it was changed? (get of a time range)");
    byte[] key = Webtable.utf8(row);
    Result first = table.get(new Get(key).addColumn(Webtable.CONTENTS, Webtable.POM));
    byte[] before = first.value();
    long loadedAt = first.rawCells()[0].getTimestamp();
    byte[] after = Webtable.utf8(Webtable.text(before) + "<!-- loaded again by the demo -->\n");
    table.put(new Put(key).addColumn(Webtable.CONTENTS, Webtable.POM, after));

    Result both =
        table.get(new Get(key).addColumn(Webtable.CONTENTS, Webtable.POM).readAllVersions());
    for (Cell cell : both.rawCells()) {
      report.line(
          "timestamp "
              + cell.getTimestamp()
              + ": "
              + report.number(cell.getValueLength())
              + " bytes");
    }
    Optional<byte[]> now = pom(new Get(key));
    Optional<byte[]> then = pom(new Get(key).setTimeRange(0, loadedAt + 1));
    report.check(both.size() == 2, "two versions");
    report.check(
        now.filter(pom -> Arrays.equals(pom, after)).isPresent(), "a get sees the new one");
    report.check(
        then.filter(pom -> Arrays.equals(pom, before)).isPresent(),
        "a get up to the first one's time sees the first one");
  }

  private Optional<byte[]> pom(Get get) throws IOException {
    return Optional.ofNullable(table.get(get.addColumn(Webtable.CONTENTS, Webtable.POM)).value());
  }
}
