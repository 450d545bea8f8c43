package dev.cairn.interop;

import static dev.cairn.interop.ClientContract.F;
import static dev.cairn.interop.ClientContract.G;
import static dev.cairn.interop.ClientContract.Q;
import static dev.cairn.interop.ClientContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** A server whose families order by write, unless they say that they do not. */
class NewVersionDefaultTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final String ATTRIBUTE = "NEW_VERSION_BEHAVIOR";

  @Test
  void aFamilyFollowsTheServerUnlessItSaysOtherwise() throws IOException {
    try (CairnServer server =
            CairnServer.builder().setting("cairn.new.version.behavior.default", "true").start();
        Connection client = server.connect();
        Admin admin = client.getAdmin();
        Table table = client.getTable(TABLE)) {
      TableDescriptor descriptor =
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(G).setNewVersionBehavior(false).build())
              .build();
      admin.createTable(descriptor);
      byte[] row = bytes("row");
      for (byte[] family : new byte[][] {F, G}) {
        table.put(new Put(row).addColumn(family, Q, 5, bytes("before")));
        table.delete(new Delete(row).addColumns(family, Q, 10));
        table.put(new Put(row).addColumn(family, Q, 5, bytes("after")));
      }
      assertThat(table.get(new Get(row)).getValue(F, Q)).isEqualTo(bytes("after"));
      assertThat(table.get(new Get(row)).getValue(G, Q)).isNull();
      // What clients are shown is what they sent.
      TableDescriptor shown = admin.getDescriptor(TABLE);
      assertThat(shown.getColumnFamily(F).getValue(Bytes.toBytes(ATTRIBUTE))).isNull();
      assertThat(shown.getColumnFamily(G).getValue(Bytes.toBytes(ATTRIBUTE)))
          .isEqualTo(bytes("false"));
    }
  }
}
