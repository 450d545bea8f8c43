package dev.cairn.interop.client;

import static org.apache.hadoop.hbase.util.Bytes.toBytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.interop.waiting.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The master returns the current metrics of its region servers, not their last report. */
class ClusterMetricsTest {
  private static final int ROUNDS = 5;

  @RegisterExtension static final ServerUnderTest SERVER = new ServerUnderTest();

  @BeforeEach
  void onlyCairn() {
    assumeTrue(ServerUnderTest.isCairn(), "HBase's master waits for the next report");
  }

  @Test
  void regionsAreListedAsSoonAsTheyAreSplit() throws Exception {
    try (TestTable table = SERVER.create("metrics", ColumnFamilyDescriptorBuilder.of("f"))) {
      table.put("a", "f:q", "v");
      table.put("z", "f:q", "v");
      byte[] parent = table.admin().getRegions(table.name()).get(0).getRegionName();
      assertThat(namesInMetrics(table)).hasSize(1);
      table.admin().splitRegionAsync(parent, toBytes("m")).get(60, TimeUnit.SECONDS);
      assertThat(namesInMetrics(table))
          .hasSize(2)
          .containsExactlyInAnyOrderElementsOf(names(table));
    }
  }

  @Test
  void aMajorCompactionHasATimeAsSoonAsItEnds() throws IOException {
    try (TestTable table = SERVER.create("compacted", ColumnFamilyDescriptorBuilder.of("f"))) {
      byte[] region = table.admin().getRegions(table.name()).get(0).getRegionName();
      table.put("r", "f:q", "v");
      table.flush();
      assertThat(table.admin().getLastMajorCompactionTimestamp(table.name())).isZero();
      table.majorCompact();
      long time = table.admin().getLastMajorCompactionTimestamp(table.name());
      assertThat(time).isPositive();
      assertThat(table.admin().getLastMajorCompactionTimestampForRegion(region)).isEqualTo(time);
    }
  }

  @Test
  void theMetricsOfRegionsAreThoseThatTheirServersReturn() throws Exception {
    try (TestTable table =
        SERVER.create(
            "sizes", new byte[][] {toBytes("m")}, ColumnFamilyDescriptorBuilder.of("f"))) {
      assertAgree(table);
      table.put("a", "f:q", "v");
      table.put("z", "f:q", "v");
      assertAgree(table);
      table.flush();
      assertAgree(table);
      table.put("a", "f:q", "w");
      table.flush();
      table.majorCompact();
      assertAgree(table);
      byte[] first = table.admin().getRegions(table.name()).get(0).getRegionName();
      table.admin().unassign(first);
      assertAgree(table);
      table.admin().assign(first);
      assertAgree(table);
    }
  }

  @Test
  void theyAgreeWhileRegionsAreFlushedCompactedAndSplit() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (TestTable table = SERVER.create("changing", ColumnFamilyDescriptorBuilder.of("f"))) {
      Future<?> changes =
          executor.submit(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  for (int row = 0; row < ROUNDS; row++) {
                    table.put("r" + row, "f:q", "v" + round);
                  }
                  table.flush();
                  table.majorCompact();
                  split(table, "r" + round);
                }
                return null;
              });
      while (!changes.isDone()) {
        agreeUnlessChanging(table);
      }
      changes.get();
      assertThat(names(table)).hasSize(ROUNDS + 1);
      Eventually.holds(() -> agreeUnlessChanging(table), "a moment without changes");
    } finally {
      executor.shutdownNow();
    }
  }

  /** Splits the last region of a table. */
  private static void split(TestTable table, String row) throws Exception {
    List<RegionInfo> regions = table.admin().getRegions(table.name());
    table
        .admin()
        .splitRegionAsync(regions.get(regions.size() - 1).getRegionName(), toBytes(row))
        .get(60, TimeUnit.SECONDS);
  }

  /**
   * Compares the master's metrics with those of the servers before and after. Returns false if
   * these differ. If they do not, there was no change, because counts of requests only grow and
   * regions do not come back.
   */
  private static boolean agreeUnlessChanging(TestTable table) throws IOException {
    List<String> before = ofServers(table);
    List<String> ofMaster = ofMaster(table);
    if (!ofServers(table).equals(before)) {
      return false;
    }
    assertThat(ofMaster).isEqualTo(before);
    return true;
  }

  private static List<String> ofServers(TestTable table) throws IOException {
    List<String> ofServers = new ArrayList<>();
    for (ServerName server : table.admin().getRegionServers()) {
      table.admin().getRegionMetrics(server, table.name()).forEach(r -> ofServers.add(text(r)));
    }
    ofServers.sort(Comparator.naturalOrder());
    return ofServers;
  }

  private static List<String> ofMaster(TestTable table) throws IOException {
    return table.admin().getClusterMetrics().getLiveServerMetrics().values().stream()
        .flatMap(server -> server.getRegionMetrics().values().stream())
        .filter(region -> region.getNameAsString().startsWith(table.name() + ","))
        .map(ClusterMetricsTest::text)
        .sorted()
        .toList();
  }

  private static void assertAgree(TestTable table) throws IOException {
    List<String> ofMaster = ofMaster(table);
    assertThat(ofMaster).isEqualTo(ofServers(table));
    assertThat(ofMaster)
        .hasSize(
            table
                .admin()
                .getClusterMetrics(EnumSet.of(Option.TABLE_TO_REGIONS_COUNT))
                .getTableRegionStatesCount()
                .get(table.name())
                .getOpenRegions());
  }

  private static String text(RegionMetrics region) {
    return region.getNameAsString()
        + " "
        + region.getStoreCount()
        + " "
        + region.getStoreFileCount()
        + " "
        + region.getStoreFileSize()
        + " "
        + region.getMemStoreSize()
        + " "
        + region.getReadRequestCount()
        + " "
        + region.getWriteRequestCount()
        + " "
        + region.getLastMajorCompactionTimestamp();
  }

  private static List<String> names(TestTable table) throws IOException {
    return table.admin().getRegions(table.name()).stream()
        .map(RegionInfo::getRegionNameAsString)
        .toList();
  }

  private static List<String> namesInMetrics(TestTable table) throws IOException {
    return table
        .admin()
        .getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS))
        .getLiveServerMetrics()
        .values()
        .stream()
        .flatMap(server -> server.getRegionMetrics().values().stream())
        .map(RegionMetrics::getNameAsString)
        .filter(name -> name.startsWith(table.name() + ","))
        .toList();
  }
}
