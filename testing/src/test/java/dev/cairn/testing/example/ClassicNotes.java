package dev.cairn.testing.example;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.ClassRule;
import org.junit.Test;

// example: JUnit 4, the test
public class ClassicNotes {
  @ClassRule public static final CairnRule CAIRN = new CairnRule();

  @Test
  public void createsTheTable() throws IOException {
    TableName name = TableName.valueOf("notes");
    try (Admin admin = CAIRN.connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
              .build());
      assertTrue(admin.tableExists(name));
    }
  }
}
// end
