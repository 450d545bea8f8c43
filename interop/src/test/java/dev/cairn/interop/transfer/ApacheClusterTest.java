package dev.cairn.interop.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.SharedHBase;
import dev.cairn.interop.tools.CairnTool;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands on whole tables with a cluster of Apache HBase, whose servers give no digests. */
class ApacheClusterTest {
  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  @Test
  void rowsAreComparedAndCountedWithoutDigests() throws Exception {
    Configuration apache = HBASE.configuration();
    String quorum =
        apache.get(HConstants.ZOOKEEPER_QUORUM)
            + ":"
            + apache.get(HConstants.ZOOKEEPER_CLIENT_PORT);
    try (TransferServer server = TransferServer.start();
        Connection connection = ConnectionFactory.createConnection(apache);
        Admin admin = connection.getAdmin()) {
      TableName table = server.create("m");
      TableName other = TableName.valueOf("transfer");
      admin.createTable(TableDescriptorBuilder.copy(other, server.descriptor(table)));
      for (String row : List.of("a", "b", "x")) {
        server.put(table, row, "f", Bytes.toBytes((long) row.charAt(0)));
        put(connection, other, row, row.charAt(0));
      }
      assertThat(server.run("compare", table, other, "--to-cluster", quorum).status()).isZero();
      put(connection, other, "b", 1);
      CairnTool differ = server.run("compare", table, other, "--to-cluster", quorum);
      assertThat(differ.status()).isEqualTo(1);
      assertThat(differ.out().lines()).hasSize(2).first().asString().startsWith("differs    b");
      assertThat(
              CairnTool.run("count", "-Dhbase.zookeeper.quorum=" + quorum, "transfer", "--sum=f:a")
                  .out())
          .startsWith("Sum of f:a: " + ('a' + 1 + 'x'))
          .contains("Counted 3 rows");
    }
  }

  private static void put(Connection connection, TableName name, String row, long value)
      throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(
          new Put(Bytes.toBytes(row))
              .addColumn(Bytes.toBytes("f"), Bytes.toBytes("a"), 5, Bytes.toBytes(value)));
    }
  }
}
