package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Flushes of single families, times that the server gives, and settings of tables, by a client. */
class FamilyMaintenanceTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  @Test
  void oneFamilyIsFlushedAlone() throws IOException {
    try (TestTable table =
        SERVER.create(
            "families",
            ColumnFamilyDescriptorBuilder.of("f"),
            ColumnFamilyDescriptorBuilder.of("g"))) {
      table.put("r", "f:q", "v");
      table.put("r", "g:q", "v");
      table.admin().flush(table.name(), toBytes("f"));
      RegionMetrics region = region(table);
      assertThat(region.getStoreFileCount()).isEqualTo(1);
      TreeMap<byte[], Long> flushed = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      flushed.putAll(region.getStoreSequenceId());
      assertThat(flushed.get(toBytes("f"))).isGreaterThan(flushed.get(toBytes("g")));
      assertThat(region.getCompletedSequenceId()).isEqualTo(flushed.get(toBytes("g")));
      table.admin().flush(table.name());
      assertThat(region(table).getStoreFileCount()).isEqualTo(2);
      assertThatThrownBy(() -> table.admin().flush(table.name(), toBytes("x")))
          .isInstanceOf(NoSuchColumnFamilyException.class)
          .hasMessageContaining("Column families [x] don't exist in table " + table.name());
    }
  }

  @Test
  void aPutShowsRightAfterADeleteAndADeleteHidesRightAfterAPut() throws IOException {
    assumeTrue(ServerUnderTest.isCairn(), "HBase does not");
    try (TestTable table = SERVER.create("at-once", ColumnFamilyDescriptorBuilder.of("f"))) {
      for (int i = 0; i < 200; i++) {
        table.put("r", "f:q", "v" + i);
        assertThat(table.value("r", "f:q")).isEqualTo("v" + i);
        table.table().delete(new Delete(toBytes("r")));
        assertThat(table.table().exists(new Get(toBytes("r")))).isFalse();
      }
    }
  }

  @Test
  void eachPutOfACellIsAVersionOfItsOwn() throws IOException {
    assumeTrue(ServerUnderTest.isCairn(), "HBase does not");
    try (TestTable table =
        SERVER.create(
            "versions",
            ColumnFamilyDescriptorBuilder.newBuilder(toBytes("f")).setMaxVersions(500).build())) {
      for (int i = 0; i < 300; i++) {
        table.put("r", "f:q", "v" + i);
      }
      assertThat(table.get(new Get(toBytes("r")).readAllVersions())).hasSize(300);
    }
  }

  @Test
  void inABatchADeleteHidesAPutOfItsRowWhereverItStands() throws Exception {
    try (TestTable table = SERVER.create("batch", ColumnFamilyDescriptorBuilder.of("f"))) {
      Delete delete = new Delete(toBytes("r"));
      Put put = new Put(toBytes("r")).addColumn(toBytes("f"), toBytes("q"), toBytes("new"));
      for (List<Row> batch : List.of(List.<Row>of(delete, put), List.<Row>of(put, delete))) {
        table.put("r", "f:q", "old");
        table.table().batch(batch, new Object[2]);
        assertThat(table.table().exists(new Get(toBytes("r")))).isFalse();
      }
    }
  }

  @Test
  void whatCannotBeMeantIsRefusedWhenATableIsCreated() throws IOException {
    assumeTrue(ServerUnderTest.isCairn(), "HBase does not");
    try (TestTable any = SERVER.create("any", ColumnFamilyDescriptorBuilder.of("f"))) {
      assertThatThrownBy(() -> create(any.admin(), "FLUSH_POLICY", "com.example.Never"))
          .hasMessageContaining("com.example.Never")
          .hasMessageContaining("FlushAllStoresPolicy");
      assertThatThrownBy(() -> create(any.admin(), "hbase.hstore.compaction.min", "many"))
          .hasMessageContaining("hbase.hstore.compaction.min")
          .hasMessageContaining("many");
    }
  }

  private static void create(Admin admin, String key, String value) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TableName.valueOf("refused"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue(key, value)
            .build());
  }

  private static RegionMetrics region(TestTable table) throws IOException {
    ServerName server =
        table
            .connection()
            .getRegionLocator(table.name())
            .getRegionLocation(toBytes("r"))
            .getServerName();
    return table.admin().getRegionMetrics(server, table.name()).get(0);
  }
}
