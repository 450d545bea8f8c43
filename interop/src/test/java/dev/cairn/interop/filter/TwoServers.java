package dev.cairn.interop.filter;

import dev.cairn.interop.process.SharedHBase;
import dev.cairn.interop.waiting.Eventually;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A Cairn and an Apache HBase with the same tables: the same rows of three families, once in the
 * memstore, once flushed, once compacted, and once spread over all of these. Each table has two
 * regions.
 */
final class TwoServers implements AutoCloseable {
  /** Where the cells of a table are. */
  enum State {
    MEMSTORE,
    FLUSHED,
    COMPACTED,
    MIXED;

    TableName table() {
      return table("");
    }

    TableName table(String prefix) {
      return TableName.valueOf(prefix + "filters_" + name().toLowerCase(Locale.ROOT));
    }
  }

  /** The families; they keep 3, 1 and 5 versions. */
  static final List<String> FAMILIES = List.of("a", "b", "c");

  /** The column of family a whose values are long numbers. */
  static final byte[] LONGS = Bytes.toBytes("n");

  /** The column of family b whose values are decimal numbers. */
  static final byte[] DECIMALS = Bytes.toBytes("o");

  private static final int[] VERSIONS = {3, 1, 5};

  /** The rows. The second region begins in their middle. */
  static final List<String> ROWS =
      List.of(
          "aa11", "aa12", "ab11", "ab22", "ba11", "bb12", "bb22", "ca11", "ca12", "cb22", "da11",
          "dd22", "r", "r0", "r00", "wide");

  private static final byte[][] SPLITS = {Bytes.toBytes("bb2")};

  private static final int DATA_SEED = 11;

  /** A compaction that nobody asked for would drop markers, and show what is put later. */
  static final String COMPACTION_FILES = "hbase.hstore.compaction.min";

  static final String FILES_MIN = "10";

  private final CairnServer cairn;
  private final Connection toHBase;
  private final Connection toCairn;

  private TwoServers(CairnServer cairn, Connection toHBase, Connection toCairn) {
    this.cairn = cairn;
    this.toHBase = toHBase;
    this.toCairn = toCairn;
  }

  /** Starts Cairn below {@code directory}, and fills the tables of both. */
  static TwoServers start(Path directory, SharedHBase hbase) throws Exception {
    CairnServer cairn =
        CairnServer.builder()
            .folder(directory.resolve("cairn"))
            .setting(COMPACTION_FILES, FILES_MIN)
            .start();
    TwoServers both =
        new TwoServers(cairn, connect(hbase.configuration()), connect(cairn.configuration()));
    fill(both.toCairn, "", Map.of());
    fill(both.toHBase, "", Map.of());
    return both;
  }

  Table hbase(State state) throws IOException {
    return toHBase.getTable(state.table());
  }

  Table cairn(State state) throws IOException {
    return toCairn.getTable(state.table());
  }

  @Override
  public void close() throws Exception {
    toHBase.close();
    toCairn.close();
    cairn.close();
  }

  static Connection connect(Configuration configuration) throws IOException {
    // What fails is to fail at once.
    configuration.setInt("hbase.client.retries.number", 1);
    return ConnectionFactory.createConnection(configuration);
  }

  /** Creates and fills the tables, with attributes, under names that begin with a prefix. */
  static void fill(Connection connection, String prefix, Map<String, String> attributes)
      throws Exception {
    List<List<Mutation>> data = data();
    try (Admin admin = connection.getAdmin()) {
      for (State state : State.values()) {
        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(state.table(prefix));
        for (int i = 0; i < FAMILIES.size(); i++) {
          table.setColumnFamily(
              ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(FAMILIES.get(i)))
                  .setMaxVersions(VERSIONS[i])
                  // Several blocks even of so little.
                  .setBlocksize(1024)
                  .build());
        }
        attributes.forEach(table::setValue);
        admin.createTable(table.build(), SPLITS);
        try (Table filled = connection.getTable(state.table(prefix))) {
          for (int part = 0; part < data.size(); part++) {
            filled.batch(data.get(part), new Object[data.get(part).size()]);
            if (state == State.FLUSHED
                || state == State.COMPACTED
                || state == State.MIXED && part < data.size() - 1) {
              admin.flush(state.table(prefix));
            }
          }
        }
        if (state == State.COMPACTED) {
          compact(admin, state.table(prefix));
        }
      }
    }
  }

  private static void compact(Admin admin, TableName table) throws Exception {
    admin.majorCompact(table);
    // A request is taken up some time later, so the files are what is to be waited for.
    Eventually.holds(
        () ->
            files(admin, table) <= 2 * FAMILIES.size()
                && admin.getCompactionState(table) == CompactionState.NONE,
        table + " is compacted");
  }

  private static int files(Admin admin, TableName table) throws IOException {
    int files = 0;
    for (var server : admin.getRegionServers()) {
      for (var region : admin.getRegionMetrics(server, table)) {
        files += region.getStoreFileCount();
      }
    }
    return files;
  }

  /** What is written, in parts between which a table may be flushed. */
  private static List<List<Mutation>> data() throws IOException {
    Random random = new Random(DATA_SEED);
    List<List<Mutation>> parts = new ArrayList<>();
    for (int part = 0; part < 4; part++) {
      List<Mutation> mutations = new ArrayList<>();
      for (String row : ROWS) {
        Put put = new Put(Bytes.toBytes(row));
        int cells = row.equals("wide") ? 40 : 1 + random.nextInt(8);
        for (int i = 0; i < cells; i++) {
          put.addColumn(
              Bytes.toBytes(FAMILIES.get(random.nextInt(3))),
              qualifier(random),
              1 + random.nextInt(10),
              value(random));
        }
        // Of one form each, for the comparators that insist on it.
        put.addColumn(
            Bytes.toBytes("a"), LONGS, 1 + part, Bytes.toBytes((long) random.nextInt(5) - 1));
        put.addColumn(
            Bytes.toBytes("b"),
            DECIMALS,
            1 + part,
            Bytes.toBytes(new BigDecimal(random.nextInt(40)).movePointLeft(1)));
        mutations.add(put);
        if (part > 0 && random.nextInt(3) == 0) {
          mutations.add(delete(row, random));
        }
      }
      parts.add(mutations);
    }
    return parts;
  }

  private static Delete delete(String row, Random random) {
    Delete delete = new Delete(Bytes.toBytes(row));
    byte[] family = Bytes.toBytes(FAMILIES.get(random.nextInt(3)));
    long timestamp = 1 + random.nextInt(8);
    switch (random.nextInt(4)) {
      case 0 -> delete.addFamily(family, timestamp);
      case 1 -> delete.addFamilyVersion(family, timestamp);
      case 2 -> delete.addColumns(family, qualifier(random), timestamp);
      default -> delete.addColumn(family, qualifier(random), timestamp);
    }
    return delete;
  }

  static byte[] qualifier(Random random) {
    int number = random.nextInt(26);
    return switch (number % 5) {
      case 0 -> Bytes.toBytes("p" + number / 5);
      case 1 -> Bytes.toBytes("q" + number);
      case 2 -> Bytes.toBytes("qq" + number / 3);
      case 3 -> Bytes.toBytes("x");
      default -> Bytes.toBytes("z" + number / 7);
    };
  }

  static byte[] value(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> Bytes.toBytes((long) random.nextInt(5) - 1);
      case 1 -> Bytes.toBytes("");
      case 2 -> Bytes.toBytes(new BigDecimal(random.nextInt(40)).movePointLeft(1));
      default -> Bytes.toBytes("v" + random.nextInt(6));
    };
  }
}
