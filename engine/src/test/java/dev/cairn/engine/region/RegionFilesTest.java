package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.WarmUpPace;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The store files of an open region, and their blocks in the cache. */
class RegionFilesTest {
  /** More than a block holds. */
  private static final int ROWS = 200;

  @AutoClose private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = RegionHarness.ofTwoFamilies();
    for (int i = 0; i < ROWS; i++) {
      harness.put("row%04d".formatted(i), "q", "v".repeat(1000));
    }
    harness.region().flush();
  }

  private RegionFiles files() {
    return harness.region().files();
  }

  private StoreFile file() {
    return harness.region().stores().get(0).view().files().get(0);
  }

  @Test
  void theFilesOfAFamilyAreListed() throws IOException {
    assertThat(files().urls(F)).containsExactly(file().path());
    assertThat(files().urls(G)).isEmpty();
    assertThat(files().urls(Bytes.utf8("h"))).isEmpty();
  }

  @Test
  void aFileIsCachedOnceAllItsBlocksAre() throws IOException {
    files().clearCache();
    assertThat(files().cached()).isEmpty();
    harness.get("row0000", "q");
    assertThat(files().cached()).isEmpty();
    harness.dump();
    assertThat(files().cached()).containsExactly(file().name());
  }

  @Test
  void clearingTheCacheRemovesTheBlocksAndTellsHowMany() throws IOException {
    files().clearCache();
    harness.dump();
    List<String> before = harness.dump();
    BlockCache.Eviction removed = files().clearCache();
    assertThat(removed.blocks()).isGreaterThan(2);
    assertThat(removed.bytes()).isGreaterThan(ROWS * 1000L);
    assertThat(harness.cachedBlocks()).isZero();
    assertThat(files().cached()).isEmpty();
    assertThat(files().clearCache()).isEqualTo(BlockCache.Eviction.NONE);
    assertThat(harness.dump()).isEqualTo(before);
    assertThat(files().cached()).hasSize(1);
  }

  @Test
  void warmingUpReadsTheFilesAndLeavesThemAsTheyAre() throws IOException {
    List<String> before = names();
    int open = harness.openFiles();
    RegionWarmUp warm = warmUp(HotBlocks.NONE);
    assertThat(warm.files()).isEqualTo(1);
    assertThat(warm.blocks()).isZero();
    assertThat(harness.openFiles()).isEqualTo(open + 1);
    warm.close();
    assertThat(harness.openFiles()).isEqualTo(open);
    assertThat(names()).isEqualTo(before);
    assertThat(harness.dump()).hasSize(ROWS);
  }

  @Test
  void aRegionThatOpensFindsItsHotBlocksInTheCache() throws IOException {
    harness.dump();
    HotBlocks hot = files().hotBlocks(1000);
    assertThat(hot.count()).isGreaterThan(2);
    assertThat(files().hotBlocks(hot.count() - 1)).as("too many").isEqualTo(HotBlocks.NONE);
    files().clearCache();
    assertThat(files().hotBlocks(1000).count()).isZero();
    try (RegionWarmUp warm = warmUp(hot)) {
      assertThat(warm.blocks()).isEqualTo(hot.count());
      int open = harness.openFiles();
      assertThat(files().cached()).as("the files of the open region are others").isEmpty();
      harness.alter(harness.region().schema());
      assertThat(harness.openFiles()).as("the files are taken over").isEqualTo(open - 1);
      assertThat(files().cached()).containsExactly(file().name());
      assertThat(files().hotBlocks(1000).count()).isEqualTo(hot.count());
    }
    assertThat(harness.dump()).as("after the warm-up is over").hasSize(ROWS);
  }

  @Test
  void aWarmUpEndsAtItsLimits() throws IOException {
    harness.dump();
    HotBlocks hot = files().hotBlocks(1000);
    Clock clock = harness.region().context().stores().clock();
    try (RegionWarmUp warm = warmUp(hot, new WarmUpPace(clock, 1 << 30, 1500, Long.MAX_VALUE))) {
      assertThat(warm.blocks()).isBetween(0, 1);
    }
    try (RegionWarmUp warm = warmUp(hot, new WarmUpPace(clock, 1 << 30, Long.MAX_VALUE, 0))) {
      assertThat(warm.blocks()).isZero();
    }
  }

  @Test
  void offsetsThatAreNoBlocksAreIgnored() throws IOException {
    HotBlocks wrong =
        new HotBlocks(
            Map.of(
                new HotBlocks.File("f", file().name()), new long[] {-1, 1, 7, Long.MAX_VALUE},
                new HotBlocks.File("x", "y"), new long[] {0}));
    try (RegionWarmUp warm = warmUp(wrong)) {
      assertThat(warm.blocks()).isZero();
    }
  }

  private RegionWarmUp warmUp(HotBlocks hot) throws IOException {
    return warmUp(hot, WarmUpPace.unlimited(harness.region().context().stores().clock()));
  }

  private RegionWarmUp warmUp(HotBlocks hot, WarmUpPace pace) throws IOException {
    Region region = harness.region();
    return RegionWarmUp.run(region.info(), region.schema(), region.context(), hot, pace);
  }

  private List<String> names() throws IOException {
    return harness.memory().list(harness.directory() + "/f").stream()
        .map(info -> info.path())
        .toList();
  }
}
