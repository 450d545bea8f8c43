package dev.cairn.coprocessor.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks the hooks of bulk loads with Apache's tool. */
class LoadHooksTest {
  private static final TableName NAME = TableName.valueOf("loaded");

  @TempDir private Path files;

  @Test
  void theHooksOfLoads() throws IOException {
    try (CairnServer server =
            CairnServer.builder().setting("hbase.client.retries.number", "1").start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
              .setCoprocessor(LoadProbe.class.getName())
              .build());
      Configuration settings = connection.getConfiguration();
      write(settings, "f");
      write(settings, "g");
      String user = UserGroupInformation.getCurrentUser().getShortUserName();
      for (String hook : new String[] {"preBulkLoadHFile", "preCommitStoreFile"}) {
        LoadProbe.CALLS.clear();
        LoadProbe.failing = hook;
        assertThatThrownBy(() -> load(settings)).isInstanceOf(IOException.class);
        assertThat(LoadProbe.CALLS).contains("prePrepareBulkLoad " + user);
        if (hook.equals("preCommitStoreFile")) {
          assertThat(LoadProbe.CALLS)
              .contains("postBulkLoadHFile nothing")
              .noneMatch(call -> call.startsWith("postCommitStoreFile"));
        }
        assertThat(rows(connection)).isZero();
        assertThat(files.resolve("f/file")).exists();
      }
      LoadProbe.failing = "";
      LoadProbe.CALLS.clear();
      load(settings);
      assertThat(LoadProbe.CALLS)
          .containsExactlyInAnyOrder(
              "prePrepareBulkLoad " + user,
              "preBulkLoadHFile [f/file, g/file]",
              "preCommitStoreFile f 1",
              "preCommitStoreFile g 1",
              "postCommitStoreFile f f",
              "postCommitStoreFile g g",
              "postBulkLoadHFile f1g1",
              "preCleanupBulkLoad " + user);
      assertThat(rows(connection)).isEqualTo(1);
    }
  }

  private void load(Configuration settings) throws IOException {
    Configuration once = new Configuration(settings);
    once.setInt("hbase.bulkload.retries.number", 1);
    Map<?, ?> loaded =
        BulkLoadHFiles.create(once).bulkLoad(NAME, new org.apache.hadoop.fs.Path(files.toUri()));
    assertThat(loaded).isNotEmpty();
  }

  private static int rows(Connection connection) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows += result.isEmpty() ? 0 : 1;
      }
    }
    return rows;
  }

  private void write(Configuration settings, String family) throws IOException {
    Path folder = Files.createDirectories(files.resolve(family));
    try (HFile.Writer writer =
        HFile.getWriterFactory(settings, new CacheConfig(settings))
            .withPath(
                FileSystem.getLocal(settings),
                new org.apache.hadoop.fs.Path(folder.resolve("file").toString()))
            .withFileContext(
                new HFileContextBuilder()
                    .withColumnFamily(Bytes.toBytes(family))
                    .withIncludesTags(true)
                    .build())
            .create()) {
      writer.append(
          new KeyValue(
              Bytes.toBytes("row"),
              Bytes.toBytes(family),
              Bytes.toBytes("q"),
              7,
              Bytes.toBytes("v")));
    }
  }
}
