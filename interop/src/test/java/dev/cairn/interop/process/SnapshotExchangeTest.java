package dev.cairn.interop.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cairn takes snapshots of tables in many states, HBase 2.6.4 clones and restores them on the same
 * folder; and the other way round. The long form adds states that others cover.
 */
@Tag("forms")
class SnapshotExchangeTest {
  private static final int SECONDS_MAX = 240;
  private static final int ROWS = 200;
  private static final int THREADS = 4;
  private static final int SECONDS_OF_A_DAY = 86_400;
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  @TempDir private Path directory;
  private ServerProcess cairn;
  private HBaseProcess hbase;

  /** A table in some state. */
  private enum State {
    PLAIN,
    IN_MEMORY,
    SKIPS_FLUSH,
    DISABLED,
    SPLIT,
    MERGED,
    MOB,
    SPLIT_MOB,
    ENCODED,
    MORTAL,
    IN_NAMESPACE,
    CLONED,
    RESTORED,
    EMPTY;

    private String of(String maker) {
      return maker + "_" + name().toLowerCase(Locale.ROOT);
    }

    TableName table(String maker) {
      return TableName.valueOf(this == IN_NAMESPACE ? namespace(maker) : "default", of(maker));
    }

    String snapshot(String maker) {
      return "picture-" + of(maker);
    }

    TableName clone(String maker) {
      return TableName.valueOf("clone_" + of(maker));
    }

    boolean isMob() {
      return this == MOB || this == SPLIT_MOB;
    }
  }

  /** The states of the form that runs. */
  private static final Set<State> STATES =
      Effort.isLong()
          ? EnumSet.allOf(State.class)
          : EnumSet.of(
              State.IN_MEMORY,
              State.SKIPS_FLUSH,
              State.DISABLED,
              State.MERGED,
              State.MOB,
              State.MORTAL,
              State.IN_NAMESPACE,
              State.CLONED,
              State.EMPTY);

  @BeforeEach
  void prepare() throws IOException {
    cairn = new ServerProcess(directory);
    hbase = new HBaseProcess(directory.resolve("hbase"), cairn);
    for (String key : List.of("hbase.hstore.compaction.min", "hbase.hstore.compactionThreshold")) {
      hbase.set(key, "100");
      cairn.set(key, "100");
    }
  }

  @AfterEach
  void stop() throws Exception {
    hbase.close();
    cairn.close();
  }

  private Connection connect() throws IOException {
    return ConnectionFactory.createConnection(cairn.patientClient());
  }

  @Test
  void eachRestoresTheOthersSnapshots() throws Exception {
    Map<State, TableImage> ofCairn;
    Map<State, TableImage> ofHBase;
    cairn.start();
    try (Connection connection = connect()) {
      ofCairn = takeAll(connection, "cairn");
    }
    assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143);

    hbase.start();
    try (Connection connection = connect()) {
      checkAll(connection, "cairn", ofCairn);
      ofHBase = takeAll(connection, "hbase");
    }
    hbase.stop(SECONDS_MAX);

    cairn.start();
    try (Connection connection = connect()) {
      checkAll(connection, "hbase", ofHBase);
    }
    assertThat(cairn.terminate(SECONDS_MAX)).isEqualTo(143);
  }

  private static Map<State, TableImage> takeAll(Connection connection, String maker)
      throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.createNamespace(NamespaceDescriptor.create(namespace(maker)).build());
    }
    Map<State, TableImage> images = new ConcurrentHashMap<>();
    forAll(
        state -> {
          try (Admin admin = connection.getAdmin()) {
            images.put(state, take(connection, admin, state, maker));
          }
        });
    return images;
  }

  private static String namespace(String maker) {
    return "of_" + maker;
  }

  private interface Action {
    void run(State state) throws Exception;
  }

  private static void forAll(Action action) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (State state : STATES) {
        tasks.add(
            () -> {
              action.run(state);
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Makes a table, takes its snapshot, and returns what the snapshot contains. */
  private static TableImage take(Connection connection, Admin admin, State state, String maker)
      throws Exception {
    TableName table = state.table(maker);
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(F);
    if (state.isMob()) {
      family.setMobEnabled(true).setMobThreshold(3);
    } else if (state == State.MORTAL) {
      family.setTimeToLive(SECONDS_OF_A_DAY).setBloomFilterType(BloomType.ROWCOL);
    } else if (state == State.ENCODED) {
      family.setDataBlockEncoding(DataBlockEncoding.FAST_DIFF).setMaxVersions(3);
    }
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table).setColumnFamily(family.build()).build(),
        new byte[][] {row(100)});
    if (state == State.EMPTY) {
      admin.snapshot(state.snapshot(maker), table);
      return TableImage.of(connection, table, false);
    }
    put(connection, table, "first");
    if (state != State.IN_MEMORY) {
      admin.flush(table);
    }
    TableImage image = TableImage.of(connection, table, false);
    SnapshotType type = SnapshotType.FLUSH;
    switch (state) {
      case SKIPS_FLUSH -> {
        put(connection, table, "memory");
        type = SnapshotType.SKIPFLUSH;
      }
      case DISABLED -> admin.disableTable(table);
      case SPLIT, SPLIT_MOB ->
          admin.splitRegionAsync(admin.getRegions(table).get(0).getRegionName(), row(50)).get();
      case MERGED ->
          admin
              .mergeRegionsAsync(
                  admin.getRegions(table).stream()
                      .map(RegionInfo::getRegionName)
                      .toArray(byte[][]::new),
                  false)
              .get();
      case CLONED -> {
        TableName copy = TableName.valueOf(table + "_copy");
        admin.snapshot("original-" + table, table);
        admin.cloneSnapshot("original-" + table, copy);
        admin.snapshot(state.snapshot(maker), copy);
        return image;
      }
      case RESTORED -> {
        admin.snapshot("original-" + table, table);
        put(connection, table, "later");
        admin.disableTable(table);
        admin.restoreSnapshot("original-" + table);
        admin.enableTable(table);
      }
      default -> {}
    }
    Map<String, Object> properties =
        state == State.MORTAL ? Map.of("TTL", (long) SECONDS_OF_A_DAY) : Map.of();
    admin.snapshot(state.snapshot(maker), table, type, properties);
    return image;
  }

  /** Clones each snapshot, then restores each after changes. */
  private static void checkAll(Connection connection, String maker, Map<State, TableImage> images)
      throws Exception {
    try (Admin admin = connection.getAdmin()) {
      Map<String, Long> lifetimes =
          admin.listSnapshots().stream()
              .collect(Collectors.toMap(SnapshotDescription::getName, SnapshotDescription::getTtl));
      for (State state : STATES) {
        assertThat(lifetimes)
            .containsEntry(
                state.snapshot(maker), state == State.MORTAL ? (long) SECONDS_OF_A_DAY : 0L);
      }
    }
    forAll(
        state -> {
          try (Admin admin = connection.getAdmin()) {
            check(connection, admin, state, maker, images.get(state));
          }
        });
  }

  private static void check(
      Connection connection, Admin admin, State state, String maker, TableImage image)
      throws IOException {
    TableName clone = state.clone(maker);
    admin.cloneSnapshot(state.snapshot(maker), clone);
    assertThat(TableImage.of(connection, clone, false))
        .as("clone of %s by %s", state, maker)
        .isEqualTo(image);
    if (state == State.CLONED) {
      return;
    }
    TableName table = state.table(maker);
    if (state == State.DISABLED) {
      admin.enableTable(table);
    }
    put(connection, table, "afterwards");
    admin.disableTable(table);
    admin.restoreSnapshot(state.snapshot(maker));
    admin.enableTable(table);
    assertThat(TableImage.of(connection, table, false))
        .as("%s of %s, restored", state, maker)
        .isEqualTo(image);
  }

  private static void put(Connection connection, TableName table, String value) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(row(i)).addColumn(F, Q, Bytes.toBytes(value + i)));
    }
    try (Table rows = connection.getTable(table)) {
      rows.put(puts);
    }
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row-%03d".formatted(number));
  }
}
