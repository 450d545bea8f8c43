package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.interop.waiting.Eventually;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.UnknownRegionException;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Regions, procedures and switches through HBase's asynchronous client. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AsyncAdminTest {
  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  private static final String FLUSH = "flush-table-proc";
  private static final byte[] ROW = toBytes("m");

  private AsyncConnection connection;
  private AsyncAdmin admin;
  private TableName table;

  @BeforeAll
  void connect() {
    connection = get(ConnectionFactory.createAsyncConnection(SERVER.configuration()));
    admin = connection.getAdmin();
  }

  @BeforeEach
  void create() {
    table = SERVER.newName("async");
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("hbase.normalizer.merge.min_region_age.days", "0")
            .setValue("hbase.normalizer.merge.min_region_size.mb", "0")
            .setValue("cairn.loadsplit.period", "2000")
            .setNormalizationEnabled(true)
            .build();
    get(admin.createTable(descriptor, new byte[][] {ROW}));
  }

  @AfterAll
  void disconnect() throws Exception {
    connection.close();
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private List<RegionInfo> regions() {
    return get(admin.getRegions(table));
  }

  @Test
  void regionsAreMergedAndSplit() {
    get(
        admin.mergeRegions(
            List.of(regions().get(0).getRegionName(), regions().get(1).getRegionName()), false));
    assertThat(regions()).hasSize(1);

    get(admin.splitRegion(regions().get(0).getRegionName(), toBytes("c")));
    assertThat(regions()).hasSize(2);
    assertThat(regions().get(1).getStartKey()).isEqualTo(toBytes("c"));

    RegionInfo unknown = RegionInfoBuilder.newBuilder(table).setStartKey(toBytes("x")).build();
    assertThatThrownBy(() -> get(admin.splitRegion(unknown.getRegionName())))
        .hasCauseInstanceOf(UnknownRegionException.class);
  }

  @Test
  void regionsAreMovedClosedAndOpened() {
    RegionInfo first = regions().get(0);
    byte[] region = first.getRegionName();
    ServerName server = get(admin.getRegionServers()).iterator().next();
    get(admin.move(region, server));
    assertThat(served(server)).contains(first.getEncodedName());

    get(admin.unassign(region));
    assertThat(served(server)).doesNotContain(first.getEncodedName());

    get(admin.assign(region));
    Eventually.holds( // the server tells the master just before it serves the region
        () -> served(server).contains(first.getEncodedName()), "the region is served");
    get(admin.flushRegion(region));
  }

  /** Returns the encoded names of a server's regions. */
  private List<String> served(ServerName server) {
    return get(admin.getRegions(server)).stream().map(RegionInfo::getEncodedName).toList();
  }

  @Test
  void trackersOfStoreFilesAreChanged() {
    get(admin.modifyTableStoreFileTracker(table, "FILE"));
    assertThat(get(admin.getDescriptor(table)).getValue("hbase.store.file-tracker.impl"))
        .isEqualTo("FILE");

    get(admin.modifyColumnFamilyStoreFileTracker(table, toBytes("f"), "DEFAULT"));
    assertThat(
            get(admin.getDescriptor(table))
                .getColumnFamily(toBytes("f"))
                .getConfigurationValue("hbase.store.file-tracker.impl"))
        .isEqualTo("DEFAULT");
  }

  @Test
  void aTableIsNormalized() {
    assertThat(
            get(
                admin.normalize(
                    new NormalizeTableFilterParams.Builder().tableNames(List.of(table)).build())))
        .isTrue();
    assertThat(regions()).as("fewer than three regions stay").hasSize(2);
  }

  @Test
  void aTableIsFlushedByAProcedure() {
    get(admin.execProcedure(FLUSH, table.getNameAsString(), Map.of()));
    Eventually.holds(
        () -> get(admin.isProcedureFinished(FLUSH, table.getNameAsString(), Map.of())),
        "the table is flushed");
    assertThatThrownBy(() -> get(admin.flush(TableName.valueOf("no-such-table"))))
        .hasCauseInstanceOf(TableNotFoundException.class);
  }

  @Test
  @SuppressWarnings("deprecation") // the only way to send the request
  void proceduresAndLocksAreListed() {
    assertThat(get(admin.getProcedures())).contains("CreateTableProcedure");
    assertThat(get(admin.getLocks())).startsWith("[").endsWith("]");
    assertThat(get(admin.abortProcedure(1L << 40, true))).isFalse();
  }

  @Test
  void switchesReturnTheirValueBefore() {
    holdsSwitch(on -> admin.mergeSwitch(on, true), admin::isMergeEnabled);
    holdsSwitch(on -> admin.splitSwitch(on, true), admin::isSplitEnabled);
    holdsSwitch(on -> admin.balancerSwitch(on, true), admin::isBalancerEnabled);
    holdsSwitch(admin::normalizerSwitch, admin::isNormalizerEnabled);
    holdsSwitch(admin::cleanerChoreSwitch, admin::isCleanerChoreEnabled);
    holdsSwitch(admin::catalogJanitorSwitch, admin::isCatalogJanitorEnabled);
    holdsSwitch(on -> admin.snapshotCleanupSwitch(on, true), admin::isSnapshotCleanupEnabled);
  }

  private static void holdsSwitch(
      Function<Boolean, CompletableFuture<Boolean>> change,
      Supplier<CompletableFuture<Boolean>> state) {
    boolean before = get(state.get());
    try {
      assertThat(get(change.apply(!before))).isEqualTo(before);
      assertThat(get(state.get())).isEqualTo(!before);
    } finally {
      assertThat(get(change.apply(before))).isEqualTo(!before);
    }
    assertThat(get(state.get())).isEqualTo(before);
  }

  @Test
  void choresRunOnRequest() {
    assertThat(get(admin.runCatalogJanitor())).isNotNegative();
    assertThat(get(admin.runCleanerChore())).isTrue();
  }
}
