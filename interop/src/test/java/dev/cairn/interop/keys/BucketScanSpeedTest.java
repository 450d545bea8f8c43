package dev.cairn.interop.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.client.BucketScan;
import dev.cairn.keys.client.BucketScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compares a scan over 16 buckets with a plain one of the same rows, in turns, in this JVM. */
@Tag("long")
class BucketScanSpeedTest {
  private static final int ROWS = 200_000;
  private static final int BATCH = 10_000;
  private static final int TURNS = 7;
  private static final double LEAST_SHARE = 0.7;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @RegisterExtension static final ServerUnderTest server = new ServerUnderTest();

  @Test
  void anOrderedScanIsNearlyAsFastAsAPlainOne() throws Exception {
    KeyFormat plain = KeyFormat.parse("host string, time long");
    KeyFormat salted = KeyFormat.parse("salt(16), host string, time long");
    ExecutorService pool = Executors.newFixedThreadPool(16);
    try (TestTable plainTable = server.create("plain", "f");
        TestTable saltedTable =
            server.create("salted", salted.splits(4), ColumnFamilyDescriptorBuilder.of(FAMILY))) {
      fill(plain, plainTable);
      fill(salted, saltedTable);
      double plainBest = 0;
      double orderedBest = 0;
      double unorderedBest = 0;
      BucketScan scan = BucketScan.of(salted.pattern()).with(new Scan().setCaching(1_000));
      for (int turn = 0; turn < TURNS; turn++) {
        plainBest = Math.max(plainBest, rate(() -> plainScan(plainTable)));
        orderedBest = Math.max(orderedBest, rate(() -> bucketScan(scan, saltedTable, pool)));
        unorderedBest =
            Math.max(unorderedBest, rate(() -> bucketScan(scan.unordered(), saltedTable, pool)));
      }
      System.out.printf(
          "rows/s: plain %.0f, ordered %.0f (%.2f), unordered %.0f (%.2f)%n",
          plainBest,
          orderedBest,
          orderedBest / plainBest,
          unorderedBest,
          unorderedBest / plainBest);
      assertThat(orderedBest / plainBest).isGreaterThan(LEAST_SHARE);
    } finally {
      pool.shutdown();
    }
  }

  private interface Scanning {
    int count() throws IOException;
  }

  private static double rate(Scanning scanning) throws IOException {
    long start = System.nanoTime();
    assertThat(scanning.count()).isEqualTo(ROWS);
    return ROWS * 1e9 / (System.nanoTime() - start);
  }

  private static int plainScan(TestTable table) throws IOException {
    int count = 0;
    try (ResultScanner rows = table.table().getScanner(new Scan().setCaching(1_000))) {
      for (Result row : rows) {
        count += row.size();
      }
    }
    return count;
  }

  private static int bucketScan(BucketScan scan, TestTable table, ExecutorService pool)
      throws IOException {
    int count = 0;
    try (BucketScanner rows = scan.open(table.connection(), table.name(), pool)) {
      for (Result row : rows) {
        count += row.size();
      }
    }
    return count;
  }

  private static void fill(KeyFormat format, TestTable table) throws IOException {
    List<Put> puts = new ArrayList<>();
    byte[] value = new byte[50];
    for (long i = 0; i < ROWS; i++) {
      puts.add(new Put(format.encode("host" + i % 100, i)).addColumn(FAMILY, FAMILY, value));
      if (puts.size() == BATCH) {
        table.table().put(puts);
        puts.clear();
      }
    }
    table.admin().flush(table.name());
  }
}
