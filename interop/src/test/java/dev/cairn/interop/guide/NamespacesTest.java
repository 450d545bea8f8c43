package dev.cairn.interop.guide;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.client.ServerUnderTest;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.constraint.ConstraintException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** "Data Model", section "Namespace". */
class NamespacesTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final byte[] FAM = toBytes("fam");

  private static TableDescriptor withFam(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("fam"))
        .build();
  }

  /** "Namespace management": create, a table in it, alter, drop. */
  @Test
  void namespaceManagement() throws IOException {
    Admin admin = SERVER.admin();
    String name = SERVER.newName("my_ns").getQualifierAsString();
    TableName table = TableName.valueOf(name + ":my_table");
    assertThatThrownBy(() -> admin.createTable(withFam(table)))
        .isInstanceOf(NamespaceNotFoundException.class);

    admin.createNamespace(NamespaceDescriptor.create(name).build());
    admin.createTable(withFam(table));
    assertThat(admin.listTableNamesByNamespace(name)).containsExactly(table);
    assertThat(table.getNamespaceAsString()).isEqualTo(name);

    admin.modifyNamespace(
        NamespaceDescriptor.create(name)
            .addConfiguration("PROPERTY_NAME", "PROPERTY_VALUE")
            .build());
    assertThat(admin.getNamespaceDescriptor(name).getConfigurationValue("PROPERTY_NAME"))
        .isEqualTo("PROPERTY_VALUE");

    assertThatThrownBy(() -> admin.deleteNamespace(name))
        .as("a namespace with tables is not dropped")
        .isInstanceOf(ConstraintException.class);
    admin.disableTable(table);
    admin.deleteTable(table);
    admin.deleteNamespace(name);
    assertThatThrownBy(() -> admin.getNamespaceDescriptor(name))
        .isInstanceOf(NamespaceNotFoundException.class);
  }

  /** "Predefined namespaces": hbase for the system's own tables, default for tables without one. */
  @Test
  void predefinedNamespaces() throws IOException {
    Admin admin = SERVER.admin();
    assertThat(admin.listNamespaces()).contains("hbase", "default");
    assertThat(TableName.META_TABLE_NAME.getNamespaceAsString()).isEqualTo("hbase");
    assertThat(Arrays.asList(admin.listTableNamesByNamespace("hbase")))
        .contains(TableName.META_TABLE_NAME);
    for (String predefined : new String[] {"hbase", "default"}) {
      assertThatThrownBy(() -> admin.deleteNamespace(predefined))
          .isInstanceOf(ConstraintException.class);
    }
  }

  /** The examples: the same qualifier in namespace foo and in none, which are two tables. */
  @Test
  void theSameQualifierInTwoNamespaces() throws IOException {
    Admin admin = SERVER.admin();
    Connection connection = SERVER.connection();
    String foo = SERVER.newName("foo").getQualifierAsString();
    String bar = SERVER.newName("bar").getQualifierAsString();
    admin.createNamespace(NamespaceDescriptor.create(foo).build());
    TableName inFoo = TableName.valueOf(foo, bar);
    TableName inDefault = TableName.valueOf(bar);
    admin.createTable(withFam(inFoo));
    admin.createTable(withFam(inDefault));
    assertThat(inDefault.getNamespaceAsString()).isEqualTo("default");
    assertThat(inDefault).isEqualTo(TableName.valueOf("default:" + bar));
    try (Table one = connection.getTable(inFoo);
        Table other = connection.getTable(inDefault)) {
      one.put(new Put(toBytes("r")).addColumn(FAM, FAM, toBytes("foo")));
      assertThat(other.exists(new Get(toBytes("r")))).isFalse();
      assertThat(one.exists(new Get(toBytes("r")))).isTrue();
    }
  }
}
