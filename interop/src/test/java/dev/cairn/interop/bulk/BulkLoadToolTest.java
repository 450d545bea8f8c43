package dev.cairn.interop.bulk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.tool.LoadIncrementalHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.common.collect.Multimap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Apache's own tool loads files that Apache's own writer made. */
class BulkLoadToolTest {
  private static final byte[] Q = Bytes.toBytes("q");
  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private static int tables;

  @TempDir static Path data;
  @TempDir Path files;
  private final TableName table = TableName.valueOf("t" + ++tables);

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().folder(data).start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  @BeforeEach
  void create() throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
            .build(),
        new byte[][] {Bytes.toBytes("r300"), Bytes.toBytes("r600")});
  }

  private void write(String family, String name, int from, int to, String value)
      throws IOException {
    Path directory = Files.createDirectories(files.resolve(family));
    Configuration settings = connection.getConfiguration();
    try (HFile.Writer writer =
        HFile.getWriterFactory(settings, new CacheConfig(settings))
            .withPath(
                FileSystem.getLocal(settings),
                new org.apache.hadoop.fs.Path(directory.resolve(name).toString()))
            .withFileContext(
                new HFileContextBuilder()
                    .withColumnFamily(Bytes.toBytes(family))
                    .withIncludesTags(true)
                    .build())
            .create()) {
      for (int i = from; i < to; i++) {
        writer.append(
            new KeyValue(
                Bytes.toBytes("r%03d".formatted(i)),
                Bytes.toBytes(family),
                Q,
                7,
                Bytes.toBytes(value)));
      }
    }
  }

  private void load() throws IOException {
    BulkLoadHFiles.create(connection.getConfiguration())
        .bulkLoad(table, new org.apache.hadoop.fs.Path(files.toUri()));
  }

  private List<String> values(String family) throws IOException {
    List<String> found = new ArrayList<>();
    try (Table open = connection.getTable(table);
        ResultScanner scan = open.getScanner(new Scan().addFamily(Bytes.toBytes(family)))) {
      for (Result row : scan) {
        for (Cell cell : row.rawCells()) {
          found.add(
              Bytes.toString(CellUtil.cloneRow(cell))
                  + "="
                  + Bytes.toString(CellUtil.cloneValue(cell)));
        }
      }
    }
    return found;
  }

  @Test
  void filesOfSeveralFamiliesAreDividedAmongTheRegionsAndMoved() throws IOException {
    write("f", "1", 100, 900, "v");
    write("g", "1", 200, 250, "w");
    write("g", "2", 250, 310, "w");
    load();
    assertThat(values("f")).hasSize(800).startsWith("r100=v").endsWith("r899=v");
    assertThat(values("g")).hasSize(110);
    try (Stream<Path> left = Files.walk(files)) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
    try (Stream<Path> left = Files.walk(data.resolve("staging"))) {
      assertThat(left.filter(Files::isRegularFile)).isEmpty();
    }
  }

  /** Writes ten rows; the cell of the last one has a TTL that has passed. */
  private void write(
      int from, DataBlockEncoding encoding, Compression.Algorithm codec, BloomType bloom)
      throws IOException {
    Path file = Files.createDirectories(files.resolve("f")).resolve("file" + from);
    Configuration settings = connection.getConfiguration();
    StoreFileWriter writer =
        new StoreFileWriter.Builder(
                settings, new CacheConfig(settings), FileSystem.getLocal(settings))
            .withFilePath(new org.apache.hadoop.fs.Path(file.toString()))
            .withBloomType(bloom)
            .withMaxKeyCount(10)
            .withFileContext(
                new HFileContextBuilder()
                    .withColumnFamily(Bytes.toBytes("f"))
                    .withIncludesTags(true)
                    .withDataBlockEncoding(encoding)
                    .withCompression(codec)
                    .build())
            .build();
    Tag ttl = new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(1L));
    for (int i = from; i < from + 10; i++) {
      writer.append(
          new KeyValue(
              Bytes.toBytes("r%03d".formatted(i)),
              Bytes.toBytes("f"),
              Q,
              7,
              Bytes.toBytes(encoding + " " + codec),
              i == from + 9 ? new Tag[] {ttl} : new Tag[0]));
    }
    writer.close();
  }

  @Test
  void filesOfEachEncodingCodecAndBloomTypeAreLoadedWithTheirTags() throws IOException {
    List<String> expected = new ArrayList<>();
    int from = 0;
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      for (Compression.Algorithm codec :
          List.of(Compression.Algorithm.NONE, Compression.Algorithm.GZ)) {
        write(from, encoding, codec, BloomType.values()[from / 10 % 3]);
        for (int i = from; i < from + 9; i++) {
          expected.add("r%03d=%s %s".formatted(i, encoding, codec));
        }
        from += 10;
      }
    }
    load();
    assertThat(values("f")).isEqualTo(expected);
    try (Table open = connection.getTable(table)) {
      Result row = open.get(new Get(Bytes.toBytes("r012")));
      assertThat(row.size()).as("found through the Bloom filters").isEqualTo(1);
    }
    admin.majorCompact(table);
    assertThat(values("f")).isEqualTo(expected);
  }

  @Test
  void loadedCellsAreNewerThanThoseOfTheSameTimestampWrittenBefore() throws IOException {
    try (Table open = connection.getTable(table)) {
      Put before = new Put(Bytes.toBytes("r001"));
      open.put(before.addColumn(Bytes.toBytes("f"), Q, 7, Bytes.toBytes("before")));
      write("f", "1", 1, 3, "loaded");
      load();
      assertThat(values("f")).containsExactly("r001=loaded", "r002=loaded");
      Put after = new Put(Bytes.toBytes("r002"));
      open.put(after.addColumn(Bytes.toBytes("f"), Q, 7, Bytes.toBytes("after")));
      assertThat(values("f")).containsExactly("r001=loaded", "r002=after");
      admin.flush(table);
      admin.majorCompact(table);
      assertThat(values("f")).containsExactly("r001=loaded", "r002=after");
    }
  }

  @Test
  void moreFilesThanTheSettingAllowsAreRefusedBeforeAnyIsLoaded() throws IOException {
    Configuration settings = new Configuration(connection.getConfiguration());
    settings.setInt(BulkLoadHFiles.MAX_FILES_PER_REGION_PER_FAMILY, 2);
    for (int i = 1; i <= 3; i++) {
      write("f", "" + i, 10 * i, 10 * i + 10, "v");
    }
    write("g", "1", 10, 20, "v");
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(files.toUri());
    assertThatThrownBy(() -> BulkLoadHFiles.create(settings).bulkLoad(table, folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 2 hfiles");
    assertThat(values("f")).isEmpty();
    assertThat(files.resolve("f/3")).exists();

    settings.setInt(BulkLoadHFiles.MAX_FILES_PER_REGION_PER_FAMILY, 3);
    BulkLoadHFiles.create(settings).bulkLoad(table, folder);
    assertThat(values("f")).hasSize(30);
    assertThat(values("g")).hasSize(10);
  }

  /** Takes the table for one region, so that the server refuses the file at each attempt. */
  private static final class OutdatedTool extends BulkLoadHFilesTool {
    private int attempts;

    OutdatedTool(Configuration settings) {
      super(settings);
    }

    @Override
    @SuppressWarnings("deprecation")
    protected Pair<List<LoadIncrementalHFiles.LoadQueueItem>, String> groupOrSplit(
        Multimap<ByteBuffer, LoadIncrementalHFiles.LoadQueueItem> groups,
        LoadIncrementalHFiles.LoadQueueItem item,
        Table table,
        Pair<byte[][], byte[][]> regions)
        throws IOException {
      attempts++;
      byte[][] one = {new byte[0]};
      return super.groupOrSplit(groups, item, table, new Pair<>(one, one));
    }
  }

  @Test
  void aFileThatMeetsOtherRegionsAgainAndAgainIsTriedAsOftenAsTheSettingSays() throws IOException {
    Configuration settings = new Configuration(connection.getConfiguration());
    settings.setInt("hbase.bulkload.retries.number", 6);
    write("f", "1", 100, 900, "v");
    OutdatedTool tool = new OutdatedTool(settings);
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(files.toUri());
    assertThatThrownBy(() -> tool.bulkLoad(table, folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Retry attempted 6 times");
    assertThat(tool.attempts).isEqualTo(6);
    assertThat(values("f")).isEmpty();
    assertThat(files.resolve("f/1")).exists();
    load();
    assertThat(values("f")).hasSize(800);
  }

  @Test
  void aDamagedFileIsNamedAndNothingIsLoaded() throws IOException {
    write("f", "1", 1, 100, "value");
    write("g", "damaged", 1, 100, "value");
    Path damaged = files.resolve("g/damaged");
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[200]++;
    Files.write(damaged, bytes);
    assertThatThrownBy(this::load).hasStackTraceContaining("damaged");
    assertThat(values("f")).isEmpty();
    assertThat(values("g")).isEmpty();
    assertThat(damaged).exists();
    assertThat(files.resolve("f/1")).exists();
  }
}
