package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.store.StoreFile;
import java.io.IOException;
import java.util.List;
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
    List<String> before =
        harness.memory().list(harness.directory() + "/f").stream()
            .map(info -> info.path())
            .toList();
    int open = harness.openFiles();
    Region region = harness.region();
    assertThat(RegionWarmUp.run(region.info(), region.schema(), region.context())).isEqualTo(1);
    assertThat(harness.openFiles()).isEqualTo(open);
    assertThat(harness.memory().list(harness.directory() + "/f"))
        .extracting(info -> info.path())
        .containsExactlyElementsOf(before);
    assertThat(harness.dump()).hasSize(ROWS);
  }
}
