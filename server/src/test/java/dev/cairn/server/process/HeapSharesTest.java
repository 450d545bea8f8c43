package dev.cairn.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.client.CallLimits;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapSharesTest {
  private static final long MB = 1 << 20;

  @ParameterizedTest
  @ValueSource(longs = {128, 256, 512, 1000, 4096, 32768})
  void allSharesTogetherLeaveTheCollectorItsPart(long megabytes) {
    long heap = megabytes * MB;
    HeapShares shares = HeapShares.of(new SiteConfig(Map.of()), heap, true);
    long memStores = (long) (0.4 * heap);
    assertThat(memStores + shares.cacheBytesMin() + shares.callBytes())
        .isLessThanOrEqualTo((long) (0.8 * heap) - 32 * MB + 1);
    assertThat(shares.cacheBytes()).isEqualTo((long) (0.4 * heap));
    assertThat(shares.callBytes()).isGreaterThan(heap / 16);
  }

  @ParameterizedTest
  @CsvSource({"256, 5", "512, 10", "1000, 10"})
  void aHeapHoldsManyOfTheLargestCells(long megabytes, long cellMegabytes) {
    SiteConfig defaults = new SiteConfig(Map.of());
    HeapShares shares = HeapShares.of(defaults, megabytes * MB, true);
    MemoryAccount account = new MemoryAccount(shares.callBytes(), 1, Clock.SYSTEM);
    assertThat(CallLimits.cellSize(defaults, account).bytes() / MB).isEqualTo(cellMegabytes);
  }

  @Test
  void aCollectorThatCannotMoveLargeArraysGetsRoomForTheGapsBetweenThem() {
    SiteConfig defaults = new SiteConfig(Map.of());
    long moving = HeapShares.of(defaults, 2000 * MB, true).usableBytes();
    assertThat(HeapShares.of(defaults, 2000 * MB, false).usableBytes())
        .isEqualTo(moving - 128 * MB);
  }

  @Test
  void keysThatLeaveNothingToCallsAreOverbooked() {
    SiteConfig config =
        new SiteConfig(
            Map.of(
                "hbase.regionserver.global.memstore.size", "0.8", "hfile.block.cache.size", "0.8"));
    assertThat(HeapShares.of(config, 256 * MB, true).callBytes()).isEqualTo(16 * MB);
  }

  @Test
  void theCacheShrinksForCallsAndMemStores() {
    HeapShares shares = HeapShares.of(new SiteConfig(Map.of()), 1000 * MB, true);
    long full = shares.cacheBytes();
    assertThat(shares.cacheBytes(0, 0)).isEqualTo(full);
    assertThat(shares.cacheBytes(300 * MB, 0)).isEqualTo(full);
    assertThat(shares.cacheBytes(400 * MB, 200 * MB)).isEqualTo(shares.usableBytes() - 600 * MB);
    assertThat(shares.cacheBytes(400 * MB, 800 * MB)).isEqualTo(shares.cacheBytesMin());
  }

  @Test
  void theCacheIsResizedWhenCallsBorrow() {
    HeapShares shares = HeapShares.of(new SiteConfig(Map.of()), 1000 * MB, true);
    MemoryAccount account = new MemoryAccount(shares.callBytes(), 1, Clock.SYSTEM);
    AtomicLong memStores = new AtomicLong(300 * MB);
    BlockCache cache = new BlockCache(shares.cacheBytes(), Runnable::run);
    HeapShares.Balance balance = new HeapShares.Balance(shares, cache, account, memStores::get);
    balance.watch();
    assertThat(cache.statistics().capacityBytes()).isEqualTo(shares.cacheBytes());
    account.tryBorrow(200 * MB);
    assertThat(cache.statistics().capacityBytes()).isBetween(200 * MB, 280 * MB);
    memStores.set(0);
    balance.run();
    assertThat(cache.statistics().capacityBytes()).isEqualTo(shares.cacheBytes());
  }
}
