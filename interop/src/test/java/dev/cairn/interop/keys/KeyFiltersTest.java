package dev.cairn.interop.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.client.KeyFilters;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Filters and scans from patterns return the rows that match, and intervals perhaps more. */
class KeyFiltersTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int PATTERNS = 80;

  @RegisterExtension static final ServerUnderTest server = new ServerUnderTest();

  private final long seed = Long.getLong("cairn.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void randomPatterns() throws Exception {
    for (String text :
        List.of(
            "a uid(1), b ushort desc, c string",
            "salt(7), a uid(1), b ushort, c string",
            "hash(md5, 2) of a, a uid(1), b ushort, c string desc",
            "salt(7) of c, hash(xxhash32, 1), a uid(1), b ushort, c string")) {
      KeyFormat format = KeyFormat.parse(text);
      try (TestTable table = server.create("filters", "f")) {
        TreeSet<String> keys = fill(format, table);
        int filtered = 0;
        int unneeded = 0;
        int skipped = 0;
        for (int i = 0; i < PATTERNS; i++) {
          KeyPattern pattern = pattern(format);
          Scan scan = KeyFilters.scan(pattern);
          filtered += scan.getFilter() == null ? 0 : 1;
          List<String> expected =
              keys.stream().filter(key -> pattern.matches(Bytes.fromHex(key))).toList();
          List<String> returned = rows(table, scan);
          assertThat(returned)
              .describedAs("seed %s, %s, %s", seed, text, scan)
              .containsAll(expected);
          assertThat(returned.stream().filter(key -> pattern.matches(Bytes.fromHex(key))).toList())
              .isEqualTo(expected);
          unneeded += returned.size() - expected.size();
          skipped += keys.size() - returned.size();
          if (pattern.rangesAreExact()) {
            assertThat(returned).isEqualTo(expected);
          }
        }
        assertThat(filtered).isPositive();
        // Only of values of the last part that are the beginning of longer ones.
        assertThat(unneeded).isLessThan(skipped / 4);
      }
    }
  }

  private TreeSet<String> fill(KeyFormat format, TestTable table) throws Exception {
    TreeSet<String> keys = new TreeSet<>();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] key = format.encode(random.nextInt(4), random.nextInt(5), text());
      keys.add(Bytes.toHex(key));
      puts.add(new Put(key).addColumn(FAMILY, FAMILY, FAMILY));
    }
    table.table().put(puts);
    return keys;
  }

  private String text() {
    return List.of("", "x", "xy", "y").get(random.nextInt(4));
  }

  private KeyPattern pattern(KeyFormat format) {
    KeyPattern pattern = format.pattern();
    if (random.nextBoolean()) {
      pattern = pattern.in("a", random.nextInt(4), random.nextInt(4));
      if (random.nextInt(3) == 0) {
        return format.valueParts().get(1).descending() ? pattern : pattern.is("b", 3);
      }
    }
    if (random.nextBoolean()) {
      pattern = pattern.in("b", random.nextInt(5), random.nextInt(5));
    }
    if (random.nextBoolean()) {
      pattern = pattern.is("c", text());
    }
    return pattern;
  }

  private static List<String> rows(TestTable table, Scan scan) throws Exception {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      for (Result row : scanner) {
        rows.add(Bytes.toHex(row.getRow()));
      }
    }
    return rows;
  }

  @Test
  void anEmptyIntervalIsRefused() {
    KeyPattern empty = KeyFormat.parse("a long").pattern().between("a", 5L, 5L);
    assertThatThrownBy(() -> KeyFilters.scan(empty)).hasMessageContaining("an interval is empty");
  }
}
