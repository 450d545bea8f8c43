package dev.cairn.coprocessor.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Checks that readers of store files stay Cairn's. */
class ReaderHooksTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName NAME = TableName.valueOf("read");

  @Test
  void aHookMayReturnTheReaderThatItIsGiven() throws IOException {
    ReaderProbe.CALLS.clear();
    ReaderProbe.returnsAnother = false;
    try (CairnServer server =
            CairnServer.builder().setting("hbase.client.retries.number", "1").start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(ReaderProbe.class.getName())
              .build());
      table.put(new Put(F).addColumn(F, F, F));
      byte[] region = admin.getRegions(NAME).get(0).getRegionName();
      ReaderProbe.returnsAnother = true;
      assertThatThrownBy(() -> admin.flushRegion(region))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("postStoreFileReaderOpen");
      assertThat(table.exists(new Get(F))).isTrue();
      ReaderProbe.returnsAnother = false;
      ReaderProbe.CALLS.clear();
      admin.flushRegion(region);
      assertThat(ReaderProbe.CALLS).containsExactly("pre f", "post f");
      admin.disableTable(NAME);
      admin.enableTable(NAME);
      assertThat(table.exists(new Get(F))).isTrue();
      assertThat(ReaderProbe.CALLS).containsExactly("pre f", "post f", "pre f", "post f");
      ReaderProbe.returnsAnother = true;
      admin.disableTable(NAME);
      admin.enableTable(NAME);
      assertThatThrownBy(() -> table.exists(new Get(F)))
          .hasMessageContaining("cannot be served by Cairn")
          .hasMessageContaining("postStoreFileReaderOpen");
      ReaderProbe.returnsAnother = false;
      admin.disableTable(NAME);
      admin.enableTable(NAME);
      assertThat(table.exists(new Get(F))).isTrue();
    }
  }
}
