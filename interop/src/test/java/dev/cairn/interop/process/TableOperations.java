package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;

/**
 * Creates and deletes tables, snapshots and namespaces, one at a time, and flushes and compacts the
 * table of {@link Workload}. Remembers what must exist after all operations that were reported as
 * done. One thread at a time.
 */
final class TableOperations {
  private static final int EACH_MAX = 4;

  private final Set<String> tables = new TreeSet<>();
  private final Set<String> snapshots = new TreeSet<>();
  private final Set<String> namespaces = new TreeSet<>();
  private int made;

  /** Performs one operation. */
  void step(Admin admin, SplittableRandom random) throws IOException {
    switch (random.nextInt(6)) {
      case 0 -> admin.flush(Workload.TABLE);
      case 1 -> {
        admin.flush(Workload.TABLE);
        requestCompaction(admin);
      }
      case 2 -> {
        String name = "n" + ++made;
        once(
            () -> admin.createNamespace(NamespaceDescriptor.create(name).build()),
            NamespaceExistException.class);
        namespaces.add(name);
        if (namespaces.size() > EACH_MAX) {
          String gone = any(namespaces, random);
          once(() -> admin.deleteNamespace(gone), NamespaceNotFoundException.class);
          namespaces.remove(gone);
        }
      }
      case 3 -> {
        String name = "s" + ++made;
        once(() -> admin.snapshot(name, Workload.TABLE), SnapshotExistsException.class);
        snapshots.add(name);
        if (snapshots.size() > EACH_MAX) {
          String gone = any(snapshots, random);
          once(() -> admin.deleteSnapshot(gone), SnapshotDoesNotExistException.class);
          snapshots.remove(gone);
        }
      }
      default -> {
        String name = "t" + ++made;
        TableDescriptor table =
            TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build();
        once(() -> admin.createTable(table), TableExistsException.class);
        tables.add(name);
        if (tables.size() > EACH_MAX) {
          TableName gone = TableName.valueOf(any(tables, random));
          once(() -> admin.disableTable(gone), TableNotEnabledException.class);
          once(() -> admin.deleteTable(gone), TableNotFoundException.class);
          tables.remove(gone.getNameAsString());
        }
      }
    }
  }

  /** Requests a compaction. Clients do not repeat the request if a server stops. */
  private static void requestCompaction(Admin admin) {
    try {
      admin.majorCompact(Workload.TABLE);
    } catch (IOException e) {
      System.out.println("no compaction: " + e);
    }
  }

  private interface Operation {
    void run() throws IOException;
  }

  /**
   * Performs an operation.
   *
   * @param done the error of an attempt that repeats an earlier one whose answer was lost
   */
  private static void once(Operation operation, Class<? extends IOException> done)
      throws IOException {
    try {
      operation.run();
    } catch (IOException e) {
      if (!done.isInstance(e)) {
        throw e;
      }
    }
  }

  private static String any(Set<String> names, SplittableRandom random) {
    return new ArrayList<>(names).get(random.nextInt(names.size()));
  }

  /** Fails unless exactly the expected tables, snapshots and namespaces exist. */
  void verify(Admin admin) throws IOException {
    Set<String> expected = new TreeSet<>(tables);
    expected.add(Workload.TABLE.getNameAsString());
    assertThat(List.of(admin.listTableNames()).stream().map(TableName::getNameAsString))
        .as("tables")
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(admin.listSnapshots().stream().map(SnapshotDescription::getName))
        .as("snapshots")
        .containsExactlyInAnyOrderElementsOf(snapshots);
    assertThat(
            List.of(admin.listNamespaceDescriptors()).stream()
                .map(NamespaceDescriptor::getName)
                .filter(name -> name.matches("n[0-9]+"))
                .collect(Collectors.toSet()))
        .as("namespaces")
        .isEqualTo(namespaces);
  }
}
