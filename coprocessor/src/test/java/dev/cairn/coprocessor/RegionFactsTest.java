package dev.cairn.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Checks what coprocessors are told of their region: its state, sizes and counts. */
class RegionFactsTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final String PURGE_DELETES = "hbase.hstore.time.to.purge.deletes";
  private static final int ROWS = 20;
  private static final byte[] VALUE = new byte[1000];
  private static final List<String> STATES = new CopyOnWriteArrayList<>();
  private static volatile HRegion region;

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;

  private TableName name;
  private Table table;

  /** Records the state of its region in each hook of the opening and the closing. */
  public static final class Witness implements RegionCoprocessor, RegionObserver {
    private static void note(String hook, ObserverContext<RegionCoprocessorEnvironment> context) {
      Region of = context.getEnvironment().getRegion();
      STATES.add(
          "%s available=%s closing=%s closed=%s seq=%s host=%s"
              .formatted(
                  hook,
                  of.isAvailable(),
                  of.isClosing(),
                  of.isClosed(),
                  Long.signum(((HRegion) of).getOpenSeqNum()),
                  ((HRegion) of)
                      .getCoprocessorHost()
                      .getCoprocessors()
                      .contains(Witness.class.getSimpleName())));
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
      note("preOpen", context);
    }

    @Override
    public void postOpen(ObserverContext<RegionCoprocessorEnvironment> context) {
      note("postOpen", context);
      region = (HRegion) context.getEnvironment().getRegion();
    }

    @Override
    public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort) {
      note("preClose", context);
    }

    @Override
    public void postClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort) {
      note("postClose", context);
    }
  }

  @BeforeAll
  static void start(@TempDir java.nio.file.Path folder) throws IOException {
    server = CairnServer.builder().folder(folder).setting(PURGE_DELETES, "1234").start();
    connection = server.connect();
    admin = connection.getAdmin();
  }

  @AfterAll
  static void stop() throws IOException {
    connection.close();
    server.close();
  }

  @BeforeEach
  void create(TestInfo test) throws IOException {
    STATES.clear();
    region = null;
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setTimeToLive(60).build())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(G).setBlocksize(4096).build())
            .setMemStoreFlushSize(3 << 20)
            .setCoprocessor(Witness.class.getName())
            .build());
    table = connection.getTable(name);
    await().until(() -> region != null); // The table is created before its region serves.
  }

  @AfterEach
  void close() throws IOException {
    table.close();
  }

  private void putRows() throws IOException {
    for (int i = 0; i < ROWS; i++) {
      table.put(new Put(Bytes.toBytes("row" + i)).addColumn(F, F, VALUE));
    }
  }

  private RegionMetrics metrics() throws IOException {
    return admin.getRegionMetrics(admin.getRegionServers().iterator().next(), name).get(0);
  }

  @Test
  void theStateFollowsTheOpeningAndTheClosing() throws IOException {
    admin.disableTable(name);
    assertThat(STATES)
        .containsExactly(
            "preOpen available=true closing=false closed=false seq=-1 host=true",
            "postOpen available=true closing=false closed=false seq=0 host=true",
            "preClose available=true closing=false closed=false seq=0 host=true",
            "postClose available=false closing=true closed=true seq=0 host=true");
    assertThat(region.getStore(F).getStorefiles()).isEmpty();
    assertThat(region.isMergeable()).isFalse();
    assertThat(region.isSplittable()).isFalse();
  }

  @Test
  void theMemstoreIsThatOfTheWrites() throws IOException {
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(region.getStore(F).timeOfOldestEdit()).isEqualTo(Long.MAX_VALUE);
    long before = System.currentTimeMillis();
    long empty = region.getMemStoreHeapSize();
    putRows();
    HStore store = region.getStore(F);
    assertThat(region.getMemStoreDataSize()).isBetween(ROWS * 1000L, ROWS * 1100L);
    assertThat(region.getMemStoreHeapSize()).isGreaterThan(empty + ROWS * 1000L);
    assertThat(region.getMemStoreOffHeapSize()).isZero();
    assertThat(store.getMemStoreSize().getCellsCount()).isEqualTo(ROWS);
    assertThat(store.getMemStoreSize().getDataSize()).isEqualTo(region.getMemStoreDataSize());
    assertThat(store.getFlushableSize()).isEqualTo(store.getMemStoreSize());
    assertThat(store.getSnapshotSize().isEmpty()).isTrue();
    assertThat(store.timeOfOldestEdit()).isBetween(before, System.currentTimeMillis());
    assertThat(region.getStore(G).getMemStoreSize().getDataSize()).isZero();
    admin.flush(name);
    assertThat(region.getMemStoreDataSize()).isZero();
    assertThat(store.getMemStoreSize().getCellsCount()).isZero();
    assertThat(store.timeOfOldestEdit()).isEqualTo(Long.MAX_VALUE);
    assertThat(region.getEarliestFlushTimeForAllStores())
        .isLessThanOrEqualTo(System.currentTimeMillis());
  }

  @Test
  void theFilesAreThoseOfTheStore() throws IOException {
    long before = System.currentTimeMillis();
    HStore store = region.getStore(F);
    assertThat(region.getOldestHfileTs(false)).isZero();
    assertThat(store.getMaxStoreFileAge()).isEmpty();
    putRows();
    admin.flush(name);
    putRows();
    admin.flush(name);
    assertThat(store.getStorefilesCount()).isEqualTo(2);
    assertThat(store.getNumHFiles()).isEqualTo(2);
    assertThat(store.getNumReferenceFiles()).isZero();
    assertThat(store.getHFilesSize()).isEqualTo(store.getSize());
    assertThat(store.getStoreSizeUncompressed()).isBetween(ROWS * 2000L, ROWS * 3000L);
    assertThat(region.getStoreFileList(new byte[][] {F, G}))
        .hasSize(2)
        .allSatisfy(path -> assertThat(store.getFileSystem().exists(new Path(path))).isTrue())
        .allMatch(path -> new Path(path).getParent().getName().equals("f"));
    assertThatThrownBy(() -> region.getStoreFileList(new byte[][] {F, Bytes.toBytes("h")}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has no family h");
    assertThat(region.getOldestHfileTs(false)).isBetween(before, System.currentTimeMillis());
    assertThat(region.getOldestHfileTs(true)).isZero();
    long oldest = store.getMaxStoreFileAge().getAsLong();
    assertThat(oldest).isBetween(0L, System.currentTimeMillis() - before);
    assertThat(store.getMinStoreFileAge().getAsLong()).isLessThanOrEqualTo(oldest);
    assertThat(store.getAvgStoreFileAge()).isPresent();
    assertThat(region.getMaxFlushedSeqId()).isEqualTo(metrics().getCompletedSequenceId());
    assertThat(store.hasTooManyStoreFiles()).isFalse();
    assertThat(store.getCompactionPressure()).isZero();
    assertThat(store.canSplit()).isTrue();
    assertThat(region.isMergeable()).isTrue();
    assertThat(region.isSplittable()).isTrue();
    assertThat(region.getCompactionState()).isEqualTo(CompactionState.NONE);
  }

  @Test
  void theRequestsAreCounted() throws IOException {
    putRows();
    table.get(new Get(Bytes.toBytes("row1")));
    assertThat(region.getWriteRequestsCount()).isEqualTo(ROWS);
    assertThat(region.getReadRequestsCount()).isEqualTo(1);
    assertThat(region.getBlockedRequestsCount()).isZero();
    RegionMetrics reported = metrics();
    assertThat(reported.getWriteRequestCount()).isEqualTo(ROWS);
    assertThat(reported.getReadRequestCount()).isEqualTo(1);
  }

  @Test
  void theSettingsAreTheTables() {
    HStore store = region.getStore(F);
    assertThat(region.getMemStoreFlushSize()).isEqualTo(3 << 20);
    assertThat(store.getMemStoreFlushSize()).isEqualTo(3 << 20);
    assertThat(region.getMinBlockSizeBytes()).isEqualTo(4096);
    assertThat(region.isReadOnly()).isFalse();
    assertThat(store.getStoreFileTtl()).isEqualTo(60_000);
    assertThat(store.isSloppyMemStore()).isFalse();
    assertThat(store.getHRegion()).isSameAs(region);
    assertThat(region.getReadOnlyConfiguration().get(PURGE_DELETES)).isEqualTo("1234");
    assertThat(store.getReadOnlyConfiguration().get(PURGE_DELETES)).isEqualTo("1234");
    assertThat(store.getReadOnlyConfiguration().get("BLOCKSIZE")).isEqualTo("65536");
    assertThat(store.getScanInfo().getTimeToPurgeDeletes()).isEqualTo(1234);
    assertThatThrownBy(() -> store.getReadOnlyConfiguration().set("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
