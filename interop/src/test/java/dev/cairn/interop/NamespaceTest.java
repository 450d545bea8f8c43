package dev.cairn.interop;

import static dev.cairn.interop.ClientContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnExtension;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.constraint.ConstraintException;
import org.apache.hadoop.hbase.quotas.QuotaExceededException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Namespaces, their properties, and what they limit, through HBase's client. */
class NamespaceTest {
  private static final String MAX_TABLES = "hbase.namespace.quota.maxtables";
  private static final String MAX_REGIONS = "hbase.namespace.quota.maxregions";

  @RegisterExtension
  static final CairnExtension CAIRN =
      new CairnExtension(CairnServer.builder().setting("hbase.quota.enabled", "true"));

  private final Admin admin = CAIRN.admin();

  @Test
  void propertiesAreKeptAlteredAndListed() throws IOException {
    NamespaceDescriptor descriptor =
        NamespaceDescriptor.create("kept").addConfiguration("owner", "anna").build();
    admin.createNamespace(descriptor);
    assertThatThrownBy(() -> admin.createNamespace(descriptor))
        .isInstanceOf(NamespaceExistException.class);
    assertThat(admin.getNamespaceDescriptor("kept").getConfiguration())
        .containsEntry("owner", "anna");

    admin.modifyNamespace(
        NamespaceDescriptor.create(admin.getNamespaceDescriptor("kept"))
            .addConfiguration("owner", "bert")
            .addConfiguration("city", "Rome")
            .build());
    assertThat(admin.getNamespaceDescriptor("kept").getConfiguration())
        .containsEntry("owner", "bert")
        .containsEntry("city", "Rome");
    assertThat(admin.listNamespaces()).contains("default", "hbase", "kept");
    assertThat(Arrays.stream(admin.listNamespaceDescriptors()).map(NamespaceDescriptor::getName))
        .contains("default", "hbase", "kept");
    admin.deleteNamespace("kept");
    assertThatThrownBy(() -> admin.getNamespaceDescriptor("kept"))
        .isInstanceOf(NamespaceNotFoundException.class);
  }

  @Test
  void reservedUnknownAndImpossibleOnesAreRefused() {
    assertThatThrownBy(() -> admin.deleteNamespace("default"))
        .isInstanceOf(ConstraintException.class);
    assertThatThrownBy(() -> admin.deleteNamespace("hbase"))
        .isInstanceOf(ConstraintException.class);
    assertThatThrownBy(() -> admin.deleteNamespace("nowhere"))
        .isInstanceOf(NamespaceNotFoundException.class);
    assertThatThrownBy(() -> admin.modifyNamespace(namespace("nowhere", "1", "1")))
        .isInstanceOf(NamespaceNotFoundException.class);
    assertThatThrownBy(() -> admin.createNamespace(namespace("zero", "0", "1")))
        .isInstanceOf(ConstraintException.class)
        .hasMessageContaining("The max tables quota for zero is less than or equal to zero.");
    assertThatThrownBy(() -> admin.createNamespace(namespace("negative", "1", "-1")))
        .isInstanceOf(ConstraintException.class)
        .hasMessageContaining("The max region quota for negative is less than or equal to zero.");
    assertThatThrownBy(() -> admin.createNamespace(namespace("word", "many", "1")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(MAX_TABLES);
    assertThatThrownBy(() -> admin.createTable(table("nowhere:t")))
        .isInstanceOf(NamespaceNotFoundException.class);
  }

  @Test
  void aNamespaceHasNoMoreTablesThanItMay() throws Exception {
    admin.createNamespace(namespace("tables", "2", "100"));
    admin.createTable(table("tables:a"));
    admin.createTable(table("tables:b"));
    assertThatThrownBy(() -> admin.createTable(table("tables:c")))
        .isInstanceOf(QuotaExceededException.class)
        .hasMessageContaining("The total number of tables permitted is 2");
    assertThatThrownBy(() -> admin.createTable(table("tables:b")))
        .isInstanceOf(TableExistsException.class);

    admin.disableTable(TableName.valueOf("tables:a"));
    assertThatThrownBy(() -> admin.createTable(table("tables:c")))
        .isInstanceOf(QuotaExceededException.class);
    admin.deleteTable(TableName.valueOf("tables:a"));
    admin.createTable(table("tables:c"));

    // What is there stays when the limit is lowered; nothing comes in addition.
    admin.modifyNamespace(namespace("tables", "1", "100"));
    assertThat(admin.listTableNamesByNamespace("tables")).hasSize(2);
    assertThatThrownBy(() -> admin.createTable(table("tables:d")))
        .isInstanceOf(QuotaExceededException.class);
    assertThatThrownBy(() -> admin.deleteNamespace("tables"))
        .isInstanceOf(ConstraintException.class);
  }

  @Test
  void aNamespaceHasNoMoreRegionsThanItMay() throws Exception {
    admin.createNamespace(namespace("regions", "100", "4"));
    admin.createTable(table("regions:a"), splits(2));
    assertThatThrownBy(() -> admin.createTable(table("regions:b"), splits(3)))
        .isInstanceOf(QuotaExceededException.class)
        .hasMessageContaining("while current region count is 2");
    admin.createTable(table("regions:b"), splits(2));
    assertThatThrownBy(() -> admin.createTable(table("regions:c")))
        .isInstanceOf(QuotaExceededException.class);

    byte[] region = admin.getRegions(TableName.valueOf("regions:a")).get(0).getRegionName();
    assertThatThrownBy(() -> admin.splitRegionAsync(region, bytes("a")).get(60, TimeUnit.SECONDS))
        .hasStackTraceContaining(QuotaExceededException.class.getName());

    // Without its splits a table gives a region back.
    admin.disableTable(TableName.valueOf("regions:a"));
    admin.truncateTable(TableName.valueOf("regions:a"), false);
    admin.createTable(table("regions:c"));
  }

  @Test
  void regionsOfRestoredAndClonedTablesCount() throws Exception {
    TableName restored = TableName.valueOf("pictures:a");
    admin.createNamespace(namespace("pictures", "1", "3"));
    admin.createTable(table("pictures:a"), splits(3));
    admin.snapshot("three-regions", restored);
    admin.disableTable(restored);
    admin.truncateTable(restored, false);
    admin.disableTable(restored);

    admin.modifyNamespace(namespace("pictures", "2", "3"));
    assertThatThrownBy(() -> admin.cloneSnapshot("three-regions", TableName.valueOf("pictures:b")))
        .isInstanceOf(QuotaExceededException.class);
    admin.modifyNamespace(namespace("pictures", "1", "2"));
    assertThatThrownBy(() -> admin.restoreSnapshot("three-regions", false))
        .hasStackTraceContaining("while current region count is 0");
    admin.modifyNamespace(namespace("pictures", "1", "3"));
    admin.restoreSnapshot("three-regions", false);
    assertThat(admin.getRegions(restored)).hasSize(3);
    admin.deleteSnapshot("three-regions");
  }

  @Test
  void tablesThatAreBeingMadeCount() throws Exception {
    admin.createNamespace(namespace("crowd", "3", "100"));
    List<Future<Void>> creations = new ArrayList<>();
    List<Throwable> refusals = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      try {
        creations.add(admin.createTableAsync(table("crowd:t" + i), splits(3)));
      } catch (IOException e) {
        refusals.add(e);
      }
    }
    int made = 0;
    for (Future<Void> creation : creations) {
      try {
        creation.get(60, TimeUnit.SECONDS);
        made++;
      } catch (ExecutionException e) {
        refusals.add(e.getCause());
      }
    }
    assertThat(made).isEqualTo(3);
    assertThat(refusals).hasSize(5).allMatch(refusal -> refusal instanceof QuotaExceededException);
  }

  @Test
  void limitsStandOnlyWhileQuotasAreOn() throws IOException {
    try (CairnServer free = CairnServer.start();
        Connection own = free.connect();
        Admin freeAdmin = own.getAdmin()) {
      freeAdmin.createNamespace(namespace("free", "1", "1"));
      freeAdmin.createTable(table("free:a"), splits(3));
      freeAdmin.createTable(table("free:b"));
      assertThat(freeAdmin.listTableNamesByNamespace("free")).hasSize(2);
    }
  }

  private static NamespaceDescriptor namespace(String name, String tables, String regions) {
    return NamespaceDescriptor.create(name)
        .addConfiguration(MAX_TABLES, tables)
        .addConfiguration(MAX_REGIONS, regions)
        .build();
  }

  private static TableDescriptor table(String name) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .build();
  }

  private static byte[][] splits(int regions) {
    byte[][] keys = new byte[regions - 1][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = bytes("k" + i);
    }
    return keys;
  }
}
