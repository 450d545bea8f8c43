package dev.cairn.interop.versions;

import dev.cairn.interop.client.ServerUnderTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * OpenTSDB stores its data in Cairn: the check that {@code systems/run opentsdb} runs, in a JVM of
 * its own with OpenTSDB's jars, which starts TSDs and tools.
 */
@Timeout(600)
class OpenTsdbTest {
  private static final Path SYSTEMS = Path.of("systems").toAbsolutePath();
  private static final Path SOURCES = SYSTEMS.resolve("src/dev/cairn/interop/systems");
  private static final byte[][] BUCKETS = {{1}, {2}, {3}, {4}, {5}, {6}, {7}};

  @RegisterExtension static final ServerUnderTest server = new ServerUnderTest();

  @TempDir Path folder;

  @Test
  void storesAndAnswers() throws Exception {
    create("tsdb-uid", null, "id", "name");
    create("tsdb", null, "t");
    create("tsdb-tree", null, "t");
    create("tsdb-meta", null, "name");
    create("tsdb-salted", BUCKETS, "t");
    Path classes = Files.createDirectory(folder.resolve("classes"));
    Files.copy(SYSTEMS.resolve("conf/logback.xml"), classes.resolve("logback.xml"));
    Path site = folder.resolve("hbase-site.xml");
    try (var out = Files.newOutputStream(site)) {
      server.configuration().writeXml(out);
    }
    ClientProgram program =
        new ClientProgram(
            List.of("opentsdb"),
            List.of(SOURCES.resolve("check").toString(), SOURCES.resolve("opentsdb").toString()),
            "dev.cairn.interop.systems.opentsdb.Check");
    program.run(
        classes,
        List.of(site.toString(), Files.createDirectory(folder.resolve("work")).toString()));
  }

  private static void create(String name, byte[][] splits, String... families) throws Exception {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf(name));
    for (String family : families) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
              .setDataBlockEncoding(DataBlockEncoding.DIFF)
              .build());
    }
    server.admin().createTable(table.build(), splits);
  }

  @AfterEach
  void drop() throws Exception {
    Admin admin = server.admin();
    for (TableName table : admin.listTableNames(Pattern.compile("tsdb.*"))) {
      admin.disableTable(table);
      admin.deleteTable(table);
    }
  }
}
