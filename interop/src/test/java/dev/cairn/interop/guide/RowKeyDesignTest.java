package dev.cairn.interop.guide;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.interop.client.TestTable;
import java.io.IOException;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** "HBase and Schema Design", section "Rowkey Design". */
class RowKeyDesignTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  /** A region for each of the first letters of the alphabet. */
  private static TestTable alphabet(String name) throws IOException {
    byte[][] letters = new byte[6][];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = new byte[] {(byte) ('b' + i)};
    }
    return SERVER.create(name, letters, ColumnFamilyDescriptorBuilder.of("d"));
  }

  /** Returns how many rows each region of a table has, by the region's start key. */
  private static Map<String, Integer> rowsByRegion(TestTable table) throws IOException {
    Map<String, Integer> rows = new TreeMap<>();
    try (RegionLocator locator = table.connection().getRegionLocator(table.name())) {
      for (String row : table.rows(new Scan())) {
        HRegionLocation location = locator.getRegionLocation(toBytes(row));
        rows.merge(Bytes.toString(location.getRegion().getStartKey()), 1, Integer::sum);
      }
    }
    return rows;
  }

  /** "Hotspotting": without a salt all rows that begin with f are in the same region. */
  @Test
  void hotspotting() throws IOException {
    try (TestTable table = alphabet("hotspotting")) {
      for (int i = 1; i <= 4; i++) {
        table.put("foo000" + i, "d:q", "v");
      }
      assertThat(rowsByRegion(table)).isEqualTo(Map.of("f", 4));
    }
  }

  /** "Salting": the same rows in four regions, and more work to read them in order. */
  @Test
  void salting() throws IOException {
    try (TestTable table = alphabet("salting")) {
      for (String row : List.of("a-foo0003", "b-foo0001", "c-foo0003", "c-foo0004", "d-foo0002")) {
        table.put(row, "d:q", "v");
      }
      assertThat(rowsByRegion(table)).isEqualTo(Map.of("", 1, "b", 1, "c", 2, "d", 1));
      assertThat(table.rows(new Scan()))
          .containsExactly("a-foo0003", "b-foo0001", "c-foo0003", "c-foo0004", "d-foo0002");
      List<String> inOrder = new ArrayList<>();
      for (String salt : List.of("a", "b", "c", "d")) {
        for (String row :
            table.rows(new Scan().setStartStopRowForPrefixScan(toBytes(salt + "-foo")))) {
          inOrder.add(row.substring(2));
        }
      }
      Collections.sort(inOrder);
      assertThat(inOrder).containsExactly("foo0001", "foo0002", "foo0003", "foo0003", "foo0004");
    }
  }

  /** "Hashing": a prefix that the client works out again, so that a Get finds the row. */
  @Test
  void hashing() throws IOException {
    try (TestTable table = alphabet("hashing")) {
      for (int i = 0; i < 100; i++) {
        String key = "foo%04d".formatted(i);
        table.put(salted(key), "d:q", key);
      }
      assertThat(rowsByRegion(table)).hasSize(4);
      assertThat(table.value(salted("foo0003"), "d:q")).isEqualTo("foo0003");
    }
  }

  private static String salted(String key) {
    return (char) ('a' + Math.floorMod(key.hashCode(), 4)) + "-" + key;
  }

  /** "Reversing the Key": the digit that changes most often comes first. */
  @Test
  void reversingTheKey() throws IOException {
    byte[][] digits = new byte[9][];
    for (int i = 0; i < digits.length; i++) {
      digits[i] = new byte[] {(byte) ('1' + i)};
    }
    try (TestTable table =
        SERVER.create("reversing", digits, ColumnFamilyDescriptorBuilder.of("d"))) {
      for (int i = 1000; i < 1020; i++) {
        table.put(new StringBuilder(Integer.toString(i)).reverse().toString(), "d:q", "v");
      }
      assertThat(rowsByRegion(table))
          .hasSize(10)
          .allSatisfy((key, n) -> assertThat(n).isEqualTo(2));
    }
  }

  /** "Timeseries Data": [metric_type][event_timestamp], a range of one metric's events. */
  @Test
  void timeseriesData() throws IOException {
    try (TestTable table = SERVER.create("timeseries", "t")) {
      for (String metric : List.of("cpu", "mem")) {
        for (long time = 0; time < 100; time += 10) {
          put(table, Bytes.add(toBytes(metric), toBytes(time)), metric + time);
        }
      }
      assertThat(
              values(
                  table,
                  new Scan()
                      .withStartRow(Bytes.add(toBytes("mem"), toBytes(25L)))
                      .withStopRow(Bytes.add(toBytes("mem"), toBytes(60L)))))
          .containsExactly("mem30", "mem40", "mem50");
    }
  }

  private static void put(TestTable table, byte[] row, String value) throws IOException {
    table.table().put(new Put(row).addColumn(toBytes("t"), toBytes("v"), toBytes(value)));
  }

  private static List<String> values(TestTable table, Scan scan) throws IOException {
    List<String> values = new ArrayList<>();
    try (ResultScanner scanner = table.table().getScanner(scan)) {
      for (Result result : scanner) {
        values.add(Bytes.toString(result.value()));
      }
    }
    return values;
  }

  /** "Reverse Timestamps": [key][Long.MAX_VALUE - timestamp], the most recent value is first. */
  @Test
  void reverseTimestamps() throws IOException {
    try (TestTable table = SERVER.create("reverseTimestamps", "t")) {
      for (String key : List.of("key1", "key2")) {
        for (long time : new long[] {1000, 3000, 2000}) {
          put(table, Bytes.add(toBytes(key), toBytes(Long.MAX_VALUE - time)), key + "@" + time);
        }
      }
      Scan key2 = new Scan().setStartStopRowForPrefixScan(toBytes("key2"));
      assertThat(values(table, new Scan(key2).setLimit(1))).containsExactly("key2@3000");
      assertThat(values(table, key2)).containsExactly("key2@3000", "key2@2000", "key2@1000");
    }
  }

  /** "Reverse Scan API": the same from keys in ascending order. */
  @Test
  void reverseScanApi() throws IOException {
    try (TestTable table = SERVER.create("reverseScan", "t")) {
      for (String key : List.of("key1", "key2", "key3")) {
        for (long time : new long[] {1000, 3000, 2000}) {
          put(table, Bytes.add(toBytes(key), toBytes(time)), key + "@" + time);
        }
      }
      assertThat(
              values(
                  table,
                  new Scan()
                      .setReversed(true)
                      .withStartRow(toBytes("key3"))
                      .withStopRow(toBytes("key2"))))
          .containsExactly("key2@3000", "key2@2000", "key2@1000");
    }
  }

  /** "Rowkeys and ColumnFamilies": the same key in each family, without collision. */
  @Test
  void rowkeysAreScopedToColumnFamilies() throws IOException {
    try (TestTable table = SERVER.create("scope", "a", "b")) {
      table.put("r", "a:q", 1, "in a");
      table.put("r", "b:q", 1, "in b");
      table.table().delete(new Delete(toBytes("r")).addFamily(toBytes("a")));
      assertThat(table.get(new Get(toBytes("r")))).containsExactly("r/b:q@1=in b");
    }
  }

  /** "Immutability of Rowkeys": deleted and inserted again under another key. */
  @Test
  void immutabilityOfRowkeys() throws IOException {
    try (TestTable table = SERVER.create("immutable", "d")) {
      table.put("before", "d:a", 1, "1");
      table.put("before", "d:b", 2, "2");
      Put again = new Put(toBytes("after"));
      table
          .table()
          .get(new Get(toBytes("before")))
          .getFamilyMap(toBytes("d"))
          .forEach((qualifier, value) -> again.addColumn(toBytes("d"), qualifier, 3, value));
      table.table().put(again);
      table.table().delete(new Delete(toBytes("before")));
      assertThat(table.scan(new Scan())).containsExactly("after/d:a@3=1", "after/d:b@3=2");
    }
  }

  /** "Relationship Between RowKeys and Region Splits": ten regions, of which most stay empty. */
  @Test
  void hexKeysInRegionsOfEvenByteRanges() throws IOException {
    TableName name = SERVER.newName("hexInBytes");
    SERVER
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
                .build(),
            toBytes("0000000000000000"),
            toBytes("ffffffffffffffff"),
            10);
    try (RegionLocator locator = SERVER.connection().getRegionLocator(name)) {
      byte[][] starts = locator.getStartKeys();
      assertThat(starts.length).isEqualTo(10);
      assertThat(starts[1]).isEqualTo(toBytes("0000000000000000"));
      assertThat(starts[2])
          .containsExactly(
              54, -10, -10, -10, -10, -10, -10, -10, -10, -10, -10, -10, -10, -10, -10, -10);
      assertThat(starts[3])
          .containsExactly(
              61, -67, -67, -67, -67, -67, -67, -67, -67, -67, -67, -67, -67, -67, -67, -68);
      assertThat(starts[5])
          .containsExactly(75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 75, 72);
      assertThat(starts[8])
          .containsExactly(
              95, -97, -97, -97, -97, -97, -97, -97, -97, -97, -97, -97, -97, -97, -97, -102);
      assertThat(starts[9]).isEqualTo(toBytes("ffffffffffffffff"));
      Map<String, Integer> used = new HashMap<>();
      for (int i = 0; i < 256; i++) {
        byte[] key = toBytes("%02x00000000000000".formatted(i));
        String lead =
            Bytes.toStringBinary(locator.getRegionLocation(key).getRegion().getStartKey(), 0, 1);
        used.merge(lead, 1, Integer::sum);
      }
      assertThat(used.keySet())
          .as("the regions that begin with 0, 6 and _; none at all uses that of f")
          .containsExactlyInAnyOrder("0", "6", "_");
    }
  }

  /** The same with splits that are made for the key space: all regions are used alike. */
  @Test
  void hexKeysInRegionsOfEvenHexRanges() throws IOException {
    try (TestTable table =
        SERVER.create(
            "hexInHex",
            hexSplits("0000000000000000", "ffffffffffffffff", 10),
            ColumnFamilyDescriptorBuilder.of("d"))) {
      for (int i = 0; i < 250; i++) {
        table.put(HexFormat.of().toHexDigits(Long.divideUnsigned(-1, 250) * i), "d:q", "v");
      }
      assertThat(rowsByRegion(table))
          .hasSize(10)
          .allSatisfy((start, rows) -> assertThat(rows).isBetween(24, 26));
    }
  }

  private static byte[][] hexSplits(String first, String last, int regions) {
    BigInteger from = new BigInteger(first, 16);
    BigInteger step = new BigInteger(last, 16).subtract(from).divide(BigInteger.valueOf(regions));
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = toBytes("%016x".formatted(from.add(step.multiply(BigInteger.valueOf(i)))));
    }
    return splits;
  }

  /** Keys of fixed length, by hashes: sixteen bytes whatever the name. */
  @Test
  void hashedKeysHaveAFixedLength() throws Exception {
    MessageDigest md5 = MessageDigest.getInstance("MD5");
    byte[] shortName = md5.digest(toBytes("a"));
    byte[] longName = md5.digest(toBytes("myserver1.mycompany.com"));
    try (TestTable table = SERVER.create("hashedKeys", "t")) {
      put(table, shortName, "a");
      put(table, longName, "myserver1.mycompany.com");
      assertThat(shortName).hasSize(16).hasSameSizeAs(longName);
      assertThat(Bytes.toString(table.table().get(new Get(longName)).value()))
          .isEqualTo("myserver1.mycompany.com");
    }
  }
}
