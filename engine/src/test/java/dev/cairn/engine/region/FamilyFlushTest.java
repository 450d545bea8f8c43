package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.StorageOperation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Flushes of some families of a region, while others stay in memory. */
class FamilyFlushTest {
  private static final Set<StorageOperation> READS =
      Set.of(
          StorageOperation.OPEN,
          StorageOperation.READ,
          StorageOperation.LIST,
          StorageOperation.EXISTS);

  private static final String LOWER_BOUND = "hbase.hregion.percolumnfamilyflush.size.lower.bound";

  @Test
  void aFlushOfOneFamilyLeavesTheOthersInMemory() throws IOException {
    try (RegionHarness harness = new RegionHarness(table(Map.of()))) {
      harness.put("r", F, "q", 1, "in f");
      harness.put("r", G, "q", 1, "in g");
      assertThat(harness.region().flush(only(F))).isTrue();
      assertThat(files(harness)).containsExactly(1, 0);
      assertThat(harness.region().flush(only(F))).as("nothing is left to flush").isFalse();
      assertThat(harness.dump()).containsExactly("r/f:q=in f", "r/g:q=in g");
      assertThat(harness.region().flush(FlushScope.ALL)).isTrue();
      assertThat(files(harness)).containsExactly(1, 1);
    }
  }

  @Test
  void aFamilyThatIsNotThereIsNotFlushed() throws IOException {
    try (RegionHarness harness = new RegionHarness(table(Map.of()))) {
      assertThatThrownBy(() -> harness.region().flush(only(Bytes.utf8("x"))))
          .isInstanceOf(NoSuchFamilyException.class)
          .hasMessageContaining("x");
    }
  }

  @Test
  void aLargeFamilyIsFlushedWithoutItsSmallNeighbour() throws IOException {
    try (RegionHarness harness = new RegionHarness(table(Map.of(LOWER_BOUND, "20000")))) {
      harness.put("r", G, "q", 1, "small");
      harness.put("r", F, "q", 1, "large".repeat(8000));
      harness.region().flush(FlushScope.DUE);
      assertThat(files(harness)).containsExactly(1, 0);
    }
  }

  @Test
  void ifNoFamilyIsLargeAllAreFlushed() throws IOException {
    try (RegionHarness harness = new RegionHarness(table(Map.of()))) {
      harness.put("r", G, "q", 1, "small");
      harness.put("r", F, "q", 1, "large".repeat(8000));
      harness.region().flush(FlushScope.DUE);
      assertThat(files(harness)).containsExactly(1, 1);
    }
  }

  @Test
  void aTableMayHaveAllFamiliesFlushedTogether() throws IOException {
    Map<String, String> attributes =
        Map.of(
            LOWER_BOUND,
            "20000",
            "FLUSH_POLICY",
            "org.apache.hadoop.hbase.regionserver.FlushAllStoresPolicy");
    try (RegionHarness harness = new RegionHarness(table(attributes))) {
      harness.put("r", G, "q", 1, "small");
      harness.put("r", F, "q", 1, "large".repeat(8000));
      harness.region().flush(FlushScope.DUE);
      assertThat(files(harness)).containsExactly(1, 1);
    }
  }

  @Test
  void aWriteThatHasWaitedLongIsFlushedThoughItsFamilyIsSmall() throws IOException {
    Map<String, String> attributes =
        Map.of(LOWER_BOUND, "20000", "hbase.regionserver.optionalcacheflushinterval", "60000");
    try (RegionHarness harness = new RegionHarness(table(attributes))) {
      harness.put("r", G, "q", 1, "small");
      assertThat(harness.region().isFlushOverdue()).isFalse();
      harness.clock.advance(61_000);
      harness.put("r", F, "q", 1, "young");
      assertThat(harness.region().isFlushOverdue()).isTrue();
      harness.region().flush(FlushScope.DUE);
      assertThat(files(harness)).containsExactly(0, 1);
      assertThat(harness.region().isFlushOverdue()).isFalse();
    }
  }

  @Test
  void aRegionIsFlushedAfterManyWrites() throws IOException {
    try (RegionHarness harness =
        new RegionHarness(table(Map.of("hbase.regionserver.flush.per.changes", "10")))) {
      for (int i = 0; i < 10; i++) {
        harness.put("r", F, "q", i, "v");
      }
      assertThat(harness.region().isFlushOverdue()).isFalse();
      harness.put("r", F, "q", 10, "v");
      assertThat(harness.region().isFlushOverdue()).isTrue();
      harness.region().flush(FlushScope.DUE);
      assertThat(harness.region().isFlushOverdue()).isFalse();
    }
  }

  @Test
  void theLogKeepsWhatOneFamilyHasInMemoryAlone() throws IOException {
    try (RegionHarness harness = new RegionHarness(table(Map.of()))) {
      harness.put("r", G, "q", 1, "waits");
      for (int i = 0; i < 5; i++) {
        harness.put("r" + i, F, "q", 1, "flushed");
        harness.region().flush(only(F));
        harness.rollLog();
      }
      assertThat(harness.memory().list("oldWALs")).as("archived logs").isEmpty();
      harness.region().flush(only(G));
      harness.rollLog();
      assertThat(harness.memory().list("oldWALs")).as("archived logs").hasSize(5);
    }
  }

  @Test
  void aCrashLosesNothingOfAFamilyAndBringsNothingTwice() throws IOException {
    try (RegionHarness harness = new RegionHarness(table(Map.of()))) {
      harness.put("a", F, "q", 1, "1");
      harness.put("a", G, "q", 1, "2");
      harness.region().flush(only(F));
      harness.put("b", F, "q", 1, "3");
      harness.put("b", G, "q", 1, "4");
      harness.powerCut();
      assertThat(harness.dump()).containsExactly("a/f:q=1", "a/g:q=2", "b/f:q=3", "b/g:q=4");
      long cells =
          harness.region().stores().stream()
              .flatMap(store -> store.view().files().stream())
              .mapToLong(file -> file.reader().info().entryCount())
              .sum();
      assertThat(cells).as("cells in files").isEqualTo(4);
    }
  }

  @Test
  void onlyWhatHoldsOldLogFilesIsFlushedForThem() throws IOException {
    try (RegionHarness harness = new RegionHarness(table(Map.of()))) {
      harness.put("r", G, "q", 1, "old");
      long old = harness.region().readPoint();
      harness.put("r", F, "q", 1, "new");
      harness.region().flush(new FlushScope.UpTo(old));
      assertThat(files(harness)).containsExactly(0, 1);
    }
  }

  @Test
  void theMasterHearsUpToWhereEachFamilyIsInFiles() throws IOException {
    try (RegionHarness harness = new RegionHarness(table(Map.of()))) {
      harness.put("r", G, "q", 1, "1");
      long first = harness.region().readPoint();
      harness.put("r", F, "q", 1, "2");
      harness.region().flush(only(F));
      RegionStatistics statistics = harness.region().statistics();
      assertThat(statistics.flushedSequence()).isEqualTo(first - 1);
      assertThat(statistics.families())
          .extracting(RegionStatistics.FamilyFlushed::flushedSequence)
          .containsExactly(first + 1, first - 1);
      harness.region().flush();
      assertThat(harness.region().statistics().flushedSequence()).isEqualTo(first + 1);
    }
  }

  /** Every operation that changes the storage is once the last one. */
  @Test
  void wheneverThePowerFailsNothingIsLost() throws IOException {
    boolean came = true;
    for (int last = 0; came; last++) {
      came = failsAfter(last);
    }
  }

  private boolean failsAfter(int operations) throws IOException {
    AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    AtomicBoolean gone = new AtomicBoolean();
    List<String> acknowledged = new ArrayList<>();
    try (RegionHarness harness = new RegionHarness(table(Map.of()))) {
      harness.closeCleanly();
      harness.failWith(
          (operation, path) -> {
            if (!READS.contains(operation) && left.decrementAndGet() < 0) {
              gone.set(true);
            }
            return gone.get();
          });
      harness.open();
      left.set(operations);
      try {
        for (int i = 0; i < 3; i++) {
          for (byte[] family : List.of(F, G)) {
            RegionHarness.done(
                harness.mutate(List.of(putOf("r" + i, family, "q", Cell.LATEST_TIMESTAMP, "v"))));
            acknowledged.add("r" + i + "/" + Bytes.utf8(family) + ":q=v");
          }
          harness.region().flush(only(i % 2 == 0 ? F : G));
          harness.rollLog();
        }
      } catch (IOException e) {
        assertThat(gone).as("%s", e).isTrue();
      }
      harness.failWith(null);
      harness.powerCut();
      assertThat(harness.dump()).as("after %d operations", operations).containsAll(acknowledged);
    }
    return gone.get();
  }

  private static FlushScope only(byte[] family) {
    return new FlushScope.Families(List.of(family));
  }

  private static List<Integer> files(RegionHarness harness) {
    return harness.region().stores().stream().map(store -> store.view().files().size()).toList();
  }

  static TableSchema table(Map<String, String> attributes) {
    TableSchema plain =
        TableSchema.of(TableName.parse("t"), FamilySchema.of("f"), FamilySchema.of("g"));
    return with(plain, attributes);
  }

  static TableSchema with(TableSchema plain, Map<String, String> attributes) {
    HBaseProtos.TableSchema.Builder message = plain.message().toBuilder();
    attributes.forEach(
        (key, value) ->
            message.addAttributes(
                HBaseProtos.BytesBytesPair.newBuilder()
                    .setFirst(ByteString.copyFromUtf8(key))
                    .setSecond(ByteString.copyFromUtf8(value))));
    return new TableSchema(message.build());
  }
}
