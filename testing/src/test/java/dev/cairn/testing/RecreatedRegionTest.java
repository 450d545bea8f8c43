package dev.cairn.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A table that is deleted and made again from the same snapshot. Its regions have the names of the
 * deleted ones, whose changes may still be in the log.
 */
@Timeout(240)
class RecreatedRegionTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName ORIGINAL = TableName.valueOf("original");
  private static final TableName CLONE = TableName.valueOf("clone");
  private static final String SNAPSHOT = "then";

  @Test
  void theChangesOfADeletedCloneDoNotComeBackAfterACrash() throws Exception {
    try (CairnServer server = CairnServer.start()) {
      List<String> regions = new ArrayList<>();
      try (Connection connection = server.connect();
          Admin admin = connection.getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(ORIGINAL)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build());
        put(connection, ORIGINAL, "kept");
        admin.snapshot(SNAPSHOT, ORIGINAL);
        for (int life = 0; life < 3; life++) {
          admin.cloneSnapshot(SNAPSHOT, CLONE);
          regions.add(admin.getRegions(CLONE).get(0).getEncodedName());
          assertThat(rows(connection)).containsExactly("kept");
          if (life < 2) {
            put(connection, CLONE, "deleted" + life);
            admin.disableTable(CLONE);
            admin.deleteTable(CLONE);
          }
        }
        put(connection, CLONE, "last");
      }
      server.crash();
      try (Connection connection = server.connect()) {
        assertThat(rows(connection)).as("%s", regions).containsExactly("kept", "last");
      }
    }
  }

  private static void put(Connection connection, TableName name, String row) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
    }
  }

  private static List<String> rows(Connection connection) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = connection.getTable(CLONE);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        rows.add(Bytes.toString(row.getRow()));
      }
    }
    return rows;
  }
}
