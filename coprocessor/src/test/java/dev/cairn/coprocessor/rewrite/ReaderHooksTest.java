package dev.cairn.coprocessor.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  /** Tells whether a replica is open, be it that it refuses reads. */
  private static boolean opened(Table table, Get ofReplica) throws IOException {
    try {
      return table.exists(ofReplica);
    } catch (DoNotRetryIOException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void theHooksSeeTheReferencesOfASplitRegion(@TempDir Path folder) throws Exception {
    ReaderProbe.returnsAnother = false;
    TableName name = TableName.valueOf("split");
    try (CairnServer server = CairnServer.builder().folder(folder).start();
        Connection connection = server.connect();
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setCoprocessor(ReaderProbe.class.getName())
              .setRegionReplication(2)
              .setCompactionEnabled(false) // so that references stay
              .build());
      for (int i = 0; i < 10; i++) {
        table.put(new Put(Bytes.toBytes("row" + i)).addColumn(F, F, F));
      }
      byte[] region = admin.getRegions(name).get(0).getRegionName();
      admin.flushRegion(region);
      admin.splitRegionAsync(region, Bytes.toBytes("row5")).get();
      for (int i = 0; i < 10; i++) {
        assertThat(table.exists(new Get(Bytes.toBytes("row" + i)))).isTrue();
      }
      assertThat(ReaderProbe.CALLS).contains("pre f of a parent");
      Get ofReplica = new Get(Bytes.toBytes("row7"));
      ofReplica.setConsistency(Consistency.TIMELINE).setReplicaId(1);
      await().atMost(Duration.ofMinutes(2)).until(() -> opened(table, ofReplica));
      assertThat(table.exists(ofReplica)).isTrue();
    }
  }
}
