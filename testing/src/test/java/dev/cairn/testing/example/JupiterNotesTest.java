package dev.cairn.testing.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.testing.CairnExtension;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

// example: JUnit 5
class JupiterNotesTest {
  @RegisterExtension static final CairnExtension cairn = new CairnExtension();

  @Test
  void keepsNotes() throws IOException {
    TableName name = TableName.valueOf("notes");
    cairn
        .admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build());
    byte[] row = Bytes.toBytes("row");
    try (Table table = cairn.connection().getTable(name)) {
      table.put(new Put(row).addColumn(Bytes.toBytes("f"), null, Bytes.toBytes("hello")));
      byte[] value = table.get(new Get(row)).getValue(Bytes.toBytes("f"), null);
      assertEquals("hello", Bytes.toString(value));
    }
  }
}
// end
