package dev.cairn.studies.indexes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.studies.Batches;
import dev.cairn.studies.NewTable;
import dev.cairn.studies.Scans;
import dev.cairn.testing.CairnExtension;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The index that a class in the server keeps has the same users as the rows. */
class IndexObserverTest {
  private static final long SEED = Long.getLong("cairn.seed", System.nanoTime());
  private static final int BATCHES = 200;
  private static final List<NewTable> TABLES = new HookedTable().tables(1);

  @RegisterExtension
  static final CairnExtension CAIRN =
      new CairnExtension(CairnServer.builder().setting("hbase.client.retries.number", "1"));

  private Table users;

  @BeforeEach
  void create() throws IOException {
    for (NewTable table : TABLES) {
      table.create(CAIRN.admin());
    }
    users = CAIRN.connection().getTable(UserTable.NAME);
  }

  @AfterEach
  void drop() throws IOException {
    users.close();
    for (NewTable table : TABLES) {
      table.drop(CAIRN.admin());
    }
  }

  @Test
  void entriesAreThoseOfTheRowsAfterAnyBatch() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    long time = 1_000;
    for (int i = 0; i < BATCHES; i++) {
      List<Mutation> batch = new ArrayList<>();
      for (int j = random.nextInt(1, 6); j > 0; j--) {
        // Some come late: their cells are older than those that are there.
        batch.add(mutation(random, random.nextInt(5) == 0 ? time - 500 : time++));
      }
      Batches.write(users, batch);
      assertThat(entries()).as("batch %d, seed %d", i, SEED).containsAll(rows());
    }
    new IndexRepair(CAIRN.connection(), Long.MAX_VALUE).run();
    assertThat(entries()).containsExactlyInAnyOrderElementsOf(rows());
  }

  @Test
  void nothingIsLeftOverIfCellsComeInTheirOrder() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < BATCHES; i++) {
      List<Mutation> batch = new ArrayList<>();
      for (int j = 0; j < 3; j++) {
        batch.add(mutation(random, 1_000 + 3 * i + j));
      }
      Batches.write(users, batch);
      assertThat(entries())
          .as("batch %d, seed %d", i, SEED)
          .containsExactlyInAnyOrderElementsOf(rows());
    }
  }

  private static Mutation mutation(SplittableRandom random, long time) {
    byte[] row = Bytes.toBytes("user" + random.nextInt(4));
    return switch (random.nextInt(6)) {
      case 0 -> new Delete(row, time);
      case 1 -> new Delete(row).addFamily(UserTable.FAMILY, time);
      case 2 -> new Delete(row).addColumns(UserTable.FAMILY, UserTable.CITY, time);
      default ->
          new Put(row, time)
              .addColumn(
                  UserTable.FAMILY, UserTable.CITY, Bytes.toBytes("city" + random.nextInt(3)))
              .addColumn(UserTable.FAMILY, UserTable.FULL_NAME, Bytes.toBytes("name"));
    };
  }

  @Test
  void clientsNeedNotGiveTimestamps() throws IOException {
    byte[] row = Bytes.toBytes("ann");
    users.put(new Put(row).addColumn(UserTable.FAMILY, UserTable.CITY, Bytes.toBytes("Bonn")));
    assertThat(entries()).isEqualTo(rows()).containsExactly("Bonn ann");
    users.delete(new Delete(row));
    assertThat(entries()).isEqualTo(rows()).isEmpty();
  }

  @Test
  void deletionsOfVersionsAreRefused() throws IOException {
    byte[] row = Bytes.toBytes("ann");
    users.put(new Put(row, 5).addColumn(UserTable.FAMILY, UserTable.CITY, Bytes.toBytes("Bonn")));
    assertThatThrownBy(
            () -> users.delete(new Delete(row).addColumn(UserTable.FAMILY, UserTable.CITY, 5)))
        .hasMessageContaining("does not know deletions of single versions");
    assertThat(entries()).isEqualTo(rows()).containsExactly("Bonn ann");
  }

  @Test
  void aRowIsNotWrittenWithoutItsEntry() throws IOException {
    TableName other = TableName.valueOf("unindexed");
    NewTable table =
        new NewTable(
            UserTable.descriptor(other)
                .setCoprocessor(
                    CoprocessorDescriptorBuilder.newBuilder(IndexObserver.class.getName())
                        .setProperty(IndexObserver.TABLE, "not_there")
                        .build())
                .build());
    table.create(CAIRN.admin());
    try (Table opened = CAIRN.connection().getTable(other)) {
      Put put = new Put(Bytes.toBytes("ann"), 5);
      put.addColumn(UserTable.FAMILY, UserTable.CITY, Bytes.toBytes("Bonn"));
      assertThatThrownBy(() -> opened.put(put)).hasMessageContaining("not_there");
      assertThat(opened.getScanner(new Scan()).next()).isNull();
    }
    table.drop(CAIRN.admin());
  }

  private static List<String> entries() throws IOException {
    return Scans.list(
        CAIRN.connection(),
        Entries.NAME,
        new Scan(),
        row -> Entries.PLAIN.user(row).city() + " " + Entries.PLAIN.user(row).id());
  }

  private static List<String> rows() throws IOException {
    return Scans.list(
        CAIRN.connection(),
        UserTable.NAME,
        new Scan().addColumn(UserTable.FAMILY, UserTable.CITY),
        row -> UserTable.user(row).city() + " " + UserTable.user(row).id());
  }
}
