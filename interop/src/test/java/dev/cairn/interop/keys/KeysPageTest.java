package dev.cairn.interop.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.client.ServerUnderTest;
import dev.cairn.keys.KeyFormat;
import dev.cairn.keys.KeyPattern;
import dev.cairn.keys.KeyRange;
import dev.cairn.keys.KeyValues;
import dev.cairn.keys.client.BucketScan;
import dev.cairn.keys.client.BucketScanner;
import dev.cairn.keys.client.KeyFilters;
import dev.cairn.keys.client.UidKind;
import dev.cairn.keys.client.UidTable;
import dev.cairn.keys.type.TypeWords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of {@code docs/KEYS.md}: keys and bytes, and Java that stands here line by line. */
class KeysPageTest {
  private static final Path PAGE = Path.of("..", "docs", "KEYS.md");
  private static final Path SOURCE =
      Path.of("src/test/java/dev/cairn/interop/keys/KeysPageTest.java");

  @RegisterExtension static final ServerUnderTest server = new ServerUnderTest();

  @Test
  void keysHaveTheBytes() throws IOException {
    List<MatchResult> examples =
        Pattern.compile("    format  (.+)\n    key     (.+)\n    bytes   (.+)\n")
            .matcher(Files.readString(PAGE))
            .results()
            .toList();
    assertThat(examples).hasSizeGreaterThan(10);
    for (MatchResult example : examples) {
      KeyFormat format = KeyFormat.parse(example.group(1));
      byte[] key = format.parseKey(example.group(2));
      assertThat(HexFormat.of().formatHex(key))
          .describedAs(example.group())
          .isEqualTo(example.group(3).replace(" ", ""));
      assertThat(format.print(key)).isEqualTo(example.group(2));
      assertThat(format.toString()).isEqualTo(example.group(1));
    }
  }

  @Test
  void thePageNamesAllTypes() throws IOException {
    String page = Files.readString(PAGE);
    for (String word : TypeWords.words()) {
      assertThat(page).contains(word.startsWith("phoenix_") ? word.substring(8) : word);
    }
  }

  @Test
  void theJavaOfThePageStandsInThisTest() throws IOException {
    String source = Files.readString(SOURCE).replaceAll("\\s+", "");
    List<String> blocks =
        Pattern.compile("```java\n(.+?)```", Pattern.DOTALL)
            .matcher(Files.readString(PAGE))
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(blocks).hasSizeGreaterThan(5);
    for (String block : blocks) {
      assertThat(source).contains(block.replaceAll("\\s+", ""));
    }
  }

  @Test
  void formats() {
    KeyFormat format = KeyFormat.parse("salt(16), host string, time timestamp desc");
    byte[] key = format.encode("web1", Instant.parse("2026-01-02T03:04:05Z"));
    KeyValues values = format.decode(key);
    String host = values.getString("host");
    String text = format.print(key); // host="web1" time=2026-01-02T03:04:05Z
    assertThat(host).isEqualTo("web1");
    assertThat(text).isEqualTo("host=\"web1\" time=2026-01-02T03:04:05Z");
    KeyFormat built =
        KeyFormat.builder()
            .salt(16)
            .ascending("host", "string")
            .descending("time", "timestamp")
            .build();
    assertThat(built).isEqualTo(format);
    assertThat(ranges(format)).hasSize(16).doesNotHaveDuplicates();
  }

  private static List<KeyRange> ranges(KeyFormat format) {
    List<KeyRange> host = format.range("web1"); // 16 ranges, one for each bucket
    List<KeyRange> january =
        format.range(
            List.of("web1"),
            Instant.parse("2026-01-01T00:00:00Z"),
            Instant.parse("2026-02-01T00:00:00Z"));
    assertThat(january).hasSameSizeAs(host);
    Instant from = Instant.EPOCH;
    KeyPattern pattern = format.pattern().in("host", "web1", "web2").between("time", from, null);
    Scan scan = KeyFilters.scan(pattern);
    assertThat(scan.getFilter()).isNotNull();
    assertThat(pattern.rangesAreExact()).isTrue();
    return host;
  }

  @Test
  void tables() throws IOException {
    Connection connection = server.connection();
    Admin admin = server.admin();
    TableName table = server.newName("events");
    KeyFormat format = KeyFormat.parse("salt(16), host string, time timestamp desc");
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue(KeyFormat.TABLE_ATTRIBUTE, format.toString())
            .build();
    admin.createTable(descriptor, format.splits(4)); // 04, 08, 0c
    try (Table rows = connection.getTable(table)) {
      for (int second = 0; second < 150; second++) {
        byte[] key = format.encode("web1", Instant.ofEpochSecond(second));
        rows.put(new Put(key).addColumn(Bytes.toBytes("f"), null, key));
      }
    }
    ExecutorService pool = Executors.newFixedThreadPool(2);
    List<Instant> found = new ArrayList<>();
    Result next;
    String token;
    BucketScan scan = BucketScan.of(format.pattern().is("host", "web1")).limit(100);
    try (BucketScanner rows = scan.open(connection, table, pool)) {
      for (Result row : rows) {
        found.add(format.decode(row.getRow()).getInstant("time"));
      }
      token = rows.token();
    }
    try (BucketScanner rows = scan.after(token).open(connection, table, pool)) {
      next = rows.next();
    }
    pool.shutdown();
    assertThat(found).hasSize(100).startsWith(Instant.ofEpochSecond(149));
    assertThat(found).endsWith(Instant.ofEpochSecond(50));
    assertThat(format.print(next.getRow())).isEqualTo("host=\"web1\" time=1970-01-01T00:00:49Z");
  }

  @Test
  void names() throws IOException {
    Connection connection = server.connection();
    Admin admin = server.admin();
    TableName uids = server.newName("uids");
    UidTable.create(admin, uids);
    UidKind metrics = new UidTable(connection, uids).kind("metrics", 3);
    long cpu = metrics.assign("sys.cpu"); // 1
    Optional<String> name = metrics.name(cpu); // sys.cpu
    assertThat(cpu).isEqualTo(1);
    assertThat(name).contains("sys.cpu");
  }
}
