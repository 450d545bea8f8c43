package dev.cairn.interop.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.client.BucketScan;
import dev.cairn.keys.client.BucketScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Scans over all buckets, beside a sorted set of the keys without salts. */
class BucketScanTest {
  private static final int KEYS = 150;
  private static final int SCANS = 60;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final HexFormat HEX = HexFormat.of();

  @RegisterExtension static final ServerUnderTest server = new ServerUnderTest();

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<ExecutorService> pools = new ArrayList<>();

  @AfterEach
  void endPools() {
    pools.forEach(ExecutorService::shutdownNow);
  }

  private ExecutorService pool(int threads) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    pools.add(pool);
    return pool;
  }

  @Test
  void randomScansReturnTheRowsOfTheModel() throws Exception {
    for (String text :
        List.of(
            "salt(16), host string, time long desc",
            "salt(300), host string, time long",
            "salt(5) of host, host string desc, time long",
            "host string, time long")) {
      KeyFormat format = KeyFormat.parse(text);
      byte[][] splits = format.saltWidth() == 0 ? new byte[0][] : format.splits(3);
      try (TestTable table =
          server.create("buckets", splits, ColumnFamilyDescriptorBuilder.of(FAMILY))) {
        TreeSet<byte[]> keys = fill(format, table);
        for (int i = 0; i < SCANS; i++) {
          check(format, table, keys, "seed " + seed + ", scan " + i + " of " + text);
        }
      }
    }
  }

  private TreeSet<byte[]> fill(KeyFormat format, TestTable table) throws IOException {
    TreeSet<byte[]> keys =
        new TreeSet<>(
            (left, right) ->
                Arrays.compareUnsigned(unsalted(format, left), unsalted(format, right)));
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      byte[] key = format.encode(host(), (long) random.nextInt(40));
      keys.add(key);
      puts.add(new Put(key).addColumn(FAMILY, FAMILY, key).addColumn(FAMILY, null, key));
    }
    table.table().put(puts);
    return keys;
  }

  private String host() {
    return List.of("", "a", "ab", "b").get(random.nextInt(4));
  }

  private static byte[] unsalted(KeyFormat format, byte[] key) {
    return Arrays.copyOfRange(key, format.saltWidth(), key.length);
  }

  private void check(KeyFormat format, TestTable table, TreeSet<byte[]> keys, String about)
      throws Exception {
    KeyPattern pattern = format.pattern();
    if (random.nextBoolean()) {
      pattern = random.nextBoolean() ? pattern.is("host", host()) : pattern.in("host", "a", host());
    }
    if (random.nextBoolean()) {
      pattern = pattern.between("time", (long) random.nextInt(20), 20L + random.nextInt(20));
    }
    boolean reversed = random.nextBoolean();
    boolean ordered = random.nextInt(3) > 0;
    boolean withoutSalt = random.nextBoolean();
    int limit = random.nextBoolean() ? 1 + random.nextInt(60) : Integer.MAX_VALUE;
    Scan template = new Scan().setReversed(reversed).setCaching(1 + random.nextInt(9));
    BucketScan scan = BucketScan.of(pattern).with(template).limit(limit);
    scan = ordered ? scan : scan.unordered();
    scan = withoutSalt ? scan.withoutSalt() : scan;

    List<String> expected = new ArrayList<>();
    for (byte[] key : reversed ? keys.descendingSet() : keys) {
      if (pattern.matches(key)) {
        expected.add(HEX.formatHex(withoutSalt ? unsalted(format, key) : key));
      }
    }
    ExecutorService pool = pool(1 + random.nextInt(4));
    List<String> found = new ArrayList<>();
    Optional<String> token = Optional.empty();
    int pages = 0;
    while (true) {
      BucketScan page = token.isPresent() ? scan.after(token.get()) : scan;
      int before = found.size();
      try (BucketScanner rows = page.open(table.connection(), table.name(), pool)) {
        for (Result row : rows) {
          found.add(HEX.formatHex(row.getRow()));
          assertThat(row.size()).isEqualTo(2);
          if (random.nextInt(40) == 0) {
            break;
          }
        }
        token = Optional.of(rows.token());
      }
      pages++;
      if (found.size() == before) {
        break;
      }
      assertThat(found.size() - before).describedAs(about).isLessThanOrEqualTo(limit);
    }
    String described = about + ", " + pages + " pages, reversed " + reversed + ", limit " + limit;
    if (ordered) {
      assertThat(found).describedAs(described).containsExactlyElementsOf(expected);
    } else {
      assertThat(found).describedAs(described).containsExactlyInAnyOrderElementsOf(expected);
    }
    pool.shutdown();
  }

  @Test
  void columnsFiltersAndErrorsAreThoseOfEachScanner() throws Exception {
    KeyFormat format = KeyFormat.parse("salt(4), id long");
    try (TestTable table = server.create("buckets", "f")) {
      for (long id = 0; id < 20; id++) {
        table.table().put(new Put(format.encode(id)).addColumn(FAMILY, FAMILY, Bytes.toBytes(id)));
      }
      ExecutorService pool = pool(2);
      Scan keysOnly = new Scan().addColumn(FAMILY, FAMILY).setFilter(new KeyOnlyFilter());
      try (BucketScanner rows =
          BucketScan.of(format.pattern())
              .with(keysOnly)
              .open(table.connection(), table.name(), pool)) {
        List<Long> ids = new ArrayList<>();
        for (Result row : rows) {
          ids.add(format.decode(row.getRow()).getLong("id"));
          assertThat(row.value()).isEmpty();
        }
        assertThat(ids).isSorted().hasSize(20);
        assertThat(rows.next()).isNull();
      }
      Scan nothing = new Scan().setFilter(new PrefixFilter(new byte[] {9}));
      try (BucketScanner rows =
          BucketScan.of(format.pattern())
              .with(nothing)
              .open(table.connection(), table.name(), pool)) {
        assertThat(rows.next()).isNull();
      }
      Scan noFamily = new Scan().addFamily(Bytes.toBytes("g"));
      try (BucketScanner rows =
          BucketScan.of(format.pattern())
              .with(noFamily)
              .open(table.connection(), table.name(), pool)) {
        assertThatThrownBy(rows::next).isInstanceOf(IOException.class).hasMessageContaining("g");
      }
    }
  }

  @Test
  void refusesWhatItCannotDo() {
    KeyFormat format = KeyFormat.parse("salt(4), id long");
    BucketScan scan = BucketScan.of(format.pattern());
    assertThatThrownBy(() -> scan.with(new Scan().withStartRow(FAMILY)))
        .hasMessageContaining("the pattern says which are scanned");
    assertThatThrownBy(() -> scan.with(new Scan().setLimit(3))).hasMessageContaining("limit()");
    assertThatThrownBy(() -> scan.with(new Scan().setBatch(3)))
        .hasMessageContaining("parts of rows");
    assertThatThrownBy(() -> scan.limit(0)).hasMessageContaining("a limit of 0 rows");
    assertThatThrownBy(
            () ->
                scan.after("o:0:1=ff")
                    .open(server.connection(), server.newName("none"), Runnable::run))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the token is of another scan");
  }
}
