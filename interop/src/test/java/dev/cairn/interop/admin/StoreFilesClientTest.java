package dev.cairn.interop.admin;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CacheEvictionStats;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ClearRegionBlockCacheRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.GetStoreFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.UpdateFavoredNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.WarmupRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Store files, the block cache and the compaction queues, through Apache's client. */
class StoreFilesClientTest {
  private static final byte[] FAMILY = toBytes("f");
  private static final TableName TABLE = TableName.valueOf("files");

  @TempDir private static Path folder;

  private static CairnServer server;
  private static Connection connection;
  private static Admin admin;
  private static ServerName name;
  private static RegionInfo region;

  @BeforeAll
  static void start() throws IOException {
    server = CairnServer.builder().folder(folder).start();
    connection = server.connect();
    admin = connection.getAdmin();
    name = admin.getRegionServers().iterator().next();
    admin.createTable(
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g"))
            .build());
    region = admin.getRegions(TABLE).get(0);
    try (Table table = connection.getTable(TABLE)) {
      table.put(new Put(toBytes("row")).addColumn(FAMILY, toBytes("q"), new byte[1000]));
    }
    admin.flush(TABLE);
  }

  @AfterAll
  static void stop() throws IOException {
    admin.close();
    connection.close();
    server.close();
  }

  @BeforeEach
  void clear() throws IOException {
    admin.clearBlockCache(TABLE);
  }

  private static void read() throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      assertThat(table.get(new Get(toBytes("row"))).isEmpty()).isFalse();
    }
  }

  private static AdminService.BlockingInterface service() throws IOException {
    return ((ClusterConnection) connection).getAdmin(name);
  }

  private static List<String> storeFiles(String... families) throws IOException {
    GetStoreFileRequest.Builder request =
        GetStoreFileRequest.newBuilder()
            .setRegion(
                RequestConverter.buildRegionSpecifier(
                    RegionSpecifierType.REGION_NAME, region.getRegionName()));
    for (String family : families) {
      request.addFamily(ByteString.copyFromUtf8(family));
    }
    return ProtobufUtil.call(() -> service().getStoreFile(null, request.build()))
        .getStoreFileList();
  }

  @Test
  void theStoreFilesOfARegionAreListedAsPathsOfTheFileSystem() throws IOException {
    List<String> files = storeFiles("f");
    assertThat(files).hasSize(1);
    assertThat(files.get(0)).startsWith("file:" + folder + "/data/default/files/");
    assertThat(Files.exists(Path.of(files.get(0).substring("file:".length())))).isTrue();
    assertThat(storeFiles("g")).isEmpty();
    assertThat(storeFiles()).isEqualTo(files);
    assertThatThrownBy(() -> storeFiles("h"))
        .isInstanceOf(NoSuchColumnFamilyException.class)
        .hasMessageContaining("has no family h");
  }

  @Test
  void clearingTheBlockCacheTellsWhatWasRemoved() throws Exception {
    read();
    CacheEvictionStats statistics = admin.clearBlockCache(TABLE);
    assertThat(statistics.getEvictedBlocks()).isEqualTo(1);
    assertThat(statistics.getMaxCacheSize()).isPositive();
    assertThat(statistics.getExceptionCount()).isZero();
    assertThat(admin.clearBlockCache(TABLE).getEvictedBlocks()).isZero();
    read();
    try (AsyncConnection async =
        ConnectionFactory.createAsyncConnection(server.configuration()).get(1, TimeUnit.MINUTES)) {
      assertThat(
              async.getAdmin().clearBlockCache(TABLE).get(1, TimeUnit.MINUTES).getEvictedBlocks())
          .isEqualTo(1);
    }
  }

  @Test
  void aRegionThatIsElsewhereIsNamedWhenTheCacheIsCleared() throws IOException {
    read();
    RegionInfo other = RegionInfoBuilder.newBuilder(TableName.valueOf("elsewhere")).build();
    ClearRegionBlockCacheRequest request =
        RequestConverter.buildClearRegionBlockCacheRequest(List.of(other, region));
    CacheEvictionStats statistics =
        ProtobufUtil.toCacheEvictionStats(
            ProtobufUtil.call(() -> service().clearRegionBlockCache(null, request)).getStats());
    assertThat(statistics.getEvictedBlocks()).isEqualTo(1);
    assertThat(statistics.getExceptions().keySet())
        .singleElement()
        .isEqualTo(other.getRegionName());
    assertThat(statistics.getExceptions().values())
        .singleElement()
        .satisfies(error -> assertThat(error.toString()).contains("NotServingRegionException"));
  }

  @Test
  void theFilesInTheCacheAreListed() throws IOException {
    String file = storeFiles("f").get(0);
    String fileName = file.substring(file.lastIndexOf('/') + 1);
    assertThat(admin.getCachedFilesList(name)).doesNotContain(fileName);
    read();
    assertThat(admin.getCachedFilesList(name)).contains(fileName);
  }

  @Test
  void compactionQueuesCanBeCleared() {
    assertThatCode(() -> admin.clearCompactionQueues(name, Set.of("long", "short")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> admin.clearCompactionQueues(name, Set.of("large")))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("There is no compaction queue large");
  }

  @Test
  void aRegionIsWarmedUpWithoutBeingOpened() throws IOException {
    admin.disableTable(TABLE);
    try {
      ProtobufUtil.call(
          () ->
              service()
                  .warmupRegion(
                      null,
                      WarmupRegionRequest.newBuilder()
                          .setRegionInfo(ProtobufUtil.toRegionInfo(region))
                          .build()));
      assertThat(admin.getRegions(name)).doesNotContain(region);
    } finally {
      admin.enableTable(TABLE);
    }
    region = admin.getRegions(TABLE).get(0);
    read();
  }

  @Test
  void favoredNodesAreAccepted() throws IOException {
    UpdateFavoredNodesRequest request =
        UpdateFavoredNodesRequest.newBuilder()
            .addUpdateInfo(
                UpdateFavoredNodesRequest.RegionUpdateInfo.newBuilder()
                    .setRegion(ProtobufUtil.toRegionInfo(region))
                    .addFavoredNodes(ProtobufUtil.toServerName(name)))
            .build();
    assertThat(ProtobufUtil.call(() -> service().updateFavoredNodes(null, request)).getResponse())
        .isEqualTo(1);
  }

  @Test
  void theMastersStoreIsFlushedIntoFiles() throws IOException {
    admin.flushMasterStore();
    Set<Path> before = masterFiles();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(TABLE)).setValue("k", "v").build());

    admin.flushMasterStore();

    assertThat(masterFiles()).as("the records of a procedure").isNotEqualTo(before);
  }

  /** Returns the store files of the master's region. */
  private static Set<Path> masterFiles() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().contains("MasterData/data/master/store/"))
          .filter(file -> file.getFileName().toString().matches("[0-9a-f]{32}"))
          .filter(Files::isRegularFile)
          .collect(Collectors.toSet());
    }
  }
}
