package dev.cairn.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Cairn keeps settings and attributes without effect, and names them to operators. */
class IneffectiveSettingsTest {
  private static final TableName NAME = TableName.valueOf("t");

  @Test
  void theyAreKeptAndNamedOnTheWebPageAsLongAsTheTableHasThem() throws IOException {
    try (CairnServer server =
            CairnServer.builder()
                .setting("hbase.master.info.port", "0")
                .setting("hbase.master.info.bindAddress", "127.0.0.1")
                .setting("hbase.bucketcache.ioengine", "offheap")
                .start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin()) {
      TableDescriptor table =
          TableDescriptorBuilder.newBuilder(NAME)
              .setErasureCodingPolicy("XOR-2-1-1024k")
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(new byte[] {'f'})
                      .setCacheDataOnWrite(true)
                      .setConfiguration("hbase.hstore.compaction.mim", "4")
                      .build())
              .build();
      admin.createTable(table);
      TableDescriptor kept = admin.getDescriptor(NAME);
      assertThat(kept.getErasureCodingPolicy()).isEqualTo("XOR-2-1-1024k");
      assertThat(kept.getColumnFamilies()).isEqualTo(table.getColumnFamilies());
      assertThat(page(server))
          .contains("hbase.bucketcache.ioengine = offheap has no effect.")
          .contains("Table t: ERASURE_CODING_POLICY = XOR-2-1-1024k has no effect.")
          .contains("Table t: Column family f: CACHE_DATA_ON_WRITE = true has no effect.")
          .contains("Did you mean hbase.hstore.compaction.min?");

      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      assertThat(page(server)).contains("bucketcache").doesNotContain("Table t:");
    }
  }

  private static String page(CairnServer server) throws IOException {
    InetSocketAddress web = server.endpoints().web().orElseThrow();
    try (InputStream in =
        URI.create("http://127.0.0.1:" + web.getPort() + "/").toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
