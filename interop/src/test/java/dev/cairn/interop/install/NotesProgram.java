package dev.cairn.interop.install;

import dev.cairn.testing.CairnServer;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** A user's test with {@code cairn-testing} as its only dependency besides the client. */
public final class NotesProgram {
  private NotesProgram() {}

  /** Writes a cell, reads it, and prints it. */
  public static void main(String[] args) throws Exception {
    TableName name = TableName.valueOf("notes");
    byte[] family = {'f'};
    byte[] row = {'r'};
    try (CairnServer server = CairnServer.start();
        Connection connection = ConnectionFactory.createConnection(server.configuration());
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .build());
      try (Table table = connection.getTable(name)) {
        table.put(new Put(row).addColumn(family, row, "kept".getBytes(StandardCharsets.UTF_8)));
        byte[] value = table.get(new Get(row)).getValue(family, row);
        System.out.println(new String(value, StandardCharsets.UTF_8));
      }
    }
    System.exit(0); // even if the client leaves threads
  }
}
