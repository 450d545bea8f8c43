package dev.cairn.engine.hfile.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.hfile.block.CachedBlock;
import dev.cairn.engine.hfile.block.CachedBlock.BloomChunk;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the order of evictions. */
class BlockCacheTest {
  private static final int BLOCK = 1000;
  private static final long CAPACITY = 100 * (BLOCK + CachedBlock.OVERHEAD);

  private final BlockCache cache = new BlockCache(CAPACITY, 0.25, Runnable::run);
  private final BlockCache.FileBlocks usual = cache.register();
  private final BlockCache.FileBlocks inMemory = cache.inMemory().register();

  @Test
  void blocksInMemoryAreNotPushedOutByOthers() {
    put(inMemory, 0, 20);
    put(usual, 0, 10_000);

    assertThat(present(inMemory, 0, 20)).isEqualTo(20);
    assertThat(cache.statistics().bytes()).isLessThanOrEqualTo(CAPACITY);
  }

  @Test
  void blocksInMemoryTakeNoMoreThanTheirShare() {
    put(usual, 0, 1000);
    put(inMemory, 0, 1000);

    assertThat(present(inMemory, 0, 1000)).isBetween(20, 25);
    assertThat(present(usual, 0, 1000)).isBetween(60, 75);
    assertThat(cache.statistics().bytes()).isLessThanOrEqualTo(CAPACITY);
  }

  @Test
  void makesRoomWhenItsLimitFalls_andTakesBlocksAgainWhenItRises() {
    put(usual, 0, 100);
    cache.limit(CAPACITY / 4);
    assertThat(cache.statistics().bytes()).isLessThanOrEqualTo(CAPACITY / 4);
    assertThat(cache.statistics().capacityBytes()).isEqualTo(CAPACITY / 4);
    put(usual, 0, 1000);
    assertThat(cache.statistics().bytes()).isLessThanOrEqualTo(CAPACITY / 4);

    cache.limit(Long.MAX_VALUE);
    put(usual, 0, 1000);
    assertThat(present(usual, 0, 1000)).isGreaterThan(90);
  }

  @Test
  void whatTheShareDoesNotNeedBelongsToTheOthers() {
    put(inMemory, 0, 25);
    inMemory.evict();
    put(usual, 0, 1000);

    assertThat(present(usual, 0, 1000)).isGreaterThan(90);
  }

  @Test
  void aScanOfMoreThanTheCacheHoldsDoesNotWashOutWhatIsReadAgainAndAgain() {
    for (int round = 0; round < 5; round++) {
      readAll(usual, 0, 50);
    }
    BlockCache.FileBlocks scanned = cache.register();
    for (int i = 0; i < 2_000; i++) {
      readAll(scanned, i, i + 1);
      if (i % 20 == 0) {
        readAll(usual, i / 20 % 50, i / 20 % 50 + 1);
      }
    }

    assertThat(present(usual, 0, 50)).isGreaterThan(45);
  }

  @Test
  void filesKeepBlocksByThemselvesInAQuarterOfTheCache() {
    put(usual, 0, 1000);
    PinnedBlocks<BloomChunk> pinned = new PinnedBlocks<>(usual, 1000);
    int kept = 0;
    for (int i = 0; i < 1000; i++) {
      kept += pinned.offer(i, new BloomChunk(new byte[BLOCK], 0, BLOCK)) ? 1 : 0;
    }

    assertThat(kept).isBetween(20, 25);
    assertThat(pinned.get(0)).isNotNull();
    assertThat(pinned.get(999)).isNull();
    assertThat(cache.statistics().bytes()).isBetween(CAPACITY * 9 / 10, CAPACITY);
    assertThat(present(usual, 0, 1000)).as("the rest is for data").isBetween(60, 80);
  }

  @Test
  void nobodyWaitsToHearThatNothingIsLeftToLend() throws Exception {
    assertThat(usual.lend(CAPACITY / 4)).isTrue();
    synchronized (usual) {
      CompletableFuture<Boolean> lent = CompletableFuture.supplyAsync(() -> usual.lend(1));
      assertThat(lent.get(60, TimeUnit.SECONDS)).isFalse();
    }
    usual.giveBack(1);
    assertThat(usual.lend(1)).isTrue();
  }

  @Test
  void familiesInMemoryMayHaveAllOfTheCacheAndFilesTheirQuarter() {
    BlockCache all = new BlockCache(CAPACITY, 1, Runnable::run);
    BlockCache.FileBlocks file = all.inMemory().register();
    put(file, 0, 1000);
    PinnedBlocks<BloomChunk> pinned = new PinnedBlocks<>(file, 1);

    assertThat(pinned.offer(0, new BloomChunk(new byte[BLOCK], 0, BLOCK))).isTrue();
    assertThat(present(file, 0, 1000)).isGreaterThan(90);
  }

  @Test
  void whatAClosedFileKeptIsForOthersAgain() {
    PinnedBlocks<BloomChunk> pinned = new PinnedBlocks<>(usual, 1000);
    BloomChunk block = new BloomChunk(new byte[BLOCK], 0, BLOCK);
    assertThat(pinned.offer(0, block)).isTrue();
    assertThat(pinned.offer(0, block)).as("once more").isTrue();
    assertThat(cache.statistics().bytes()).isEqualTo(block.weight());
    usual.evict();
    assertThat(cache.statistics().bytes()).isZero();
    assertThat(pinned.offer(1, block)).as("too late").isFalse();
    assertThat(cache.statistics().bytes()).isZero();
  }

  @Test
  void lookupsAreCountedByTheKindOfTheBlock() {
    put(usual, 0, 10);
    long before = cache.statistics().hits();
    usual.get(1, BlockKind.DATA);
    usual.get(2, BlockKind.DATA);
    usual.get(30, BlockKind.DATA);
    usual.get(31, BlockKind.BLOOM_CHUNK);
    BlockCache.Statistics statistics = cache.statistics();
    assertThat(statistics.lookups())
        .containsEntry(BlockKind.DATA, new BlockCache.Lookups(before + 2, 1))
        .containsEntry(BlockKind.BLOOM_CHUNK, new BlockCache.Lookups(0, 1))
        .containsEntry(BlockKind.LEAF_INDEX, new BlockCache.Lookups(0, 0));
    assertThat(statistics.hits()).isEqualTo(before + 2);
    assertThat(statistics.misses()).isEqualTo(2);
  }

  @Test
  void aLookThatIsNotToKeepAnythingLeavesNoTrace() {
    put(usual, 0, 10);
    BlockCache.Statistics before = cache.statistics();

    assertThat(usual.peek(3)).isNotNull();
    assertThat(usual.peek(30)).isNull();
    assertThat(cache.statistics()).isEqualTo(before);
  }

  private static void readAll(BlockCache.FileBlocks file, int from, int to) {
    for (int i = from; i < to; i++) {
      if (file.get(i, BlockKind.DATA) == null) {
        file.put(i, new BloomChunk(new byte[BLOCK], 0, BLOCK));
      }
    }
  }

  private static void put(BlockCache.FileBlocks file, int from, int to) {
    for (int i = from; i < to; i++) {
      file.put(i, new BloomChunk(new byte[BLOCK], 0, BLOCK));
      file.get(i, BlockKind.DATA);
    }
  }

  private static int present(BlockCache.FileBlocks file, int from, int to) {
    int present = 0;
    for (int i = from; i < to; i++) {
      present += file.get(i, BlockKind.DATA) == null ? 0 : 1;
    }
    return present;
  }
}
