package dev.cairn.torture.simulation;

import dev.cairn.engine.region.state.FlushPolicy;
import dev.cairn.engine.region.state.FlushSettings;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.schema.CellSizeLimit;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.wal.file.WalCompression;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * The numbers of a simulated server: small ones, so that much happens with few operations.
 *
 * @param rollBytes length at which a log file ends
 * @param logFilesMax number of log files from which regions must be flushed
 * @param cacheBytes the size of the block cache
 * @param logCompression how log files are compressed
 */
public record EngineSettings(
    RegionSettings regions,
    StoreSettings stores,
    long rollBytes,
    int logFilesMax,
    long cacheBytes,
    WalCompression logCompression) {
  /** Draws some. */
  public static EngineSettings random(RandomGenerator random) {
    int minFiles = 2 + random.nextInt(3);
    return new EngineSettings(
        new RegionSettings(
            1L << 20 << random.nextInt(6),
            4,
            60_000,
            CellSizeLimit.of(10L << 20),
            RegionSettings.ANY_TIMESTAMP,
            new FlushSettings(
                random.nextInt(4) == 0 ? FlushPolicy.ALL : FlushPolicy.LARGE,
                1000L << random.nextInt(8),
                OptionalLong.of(random.nextInt(20_000)),
                random.nextInt(3) == 0 ? 10_000 : 0,
                10 + random.nextInt(1000))),
        new StoreSettings(
            minFiles,
            minFiles + random.nextInt(8),
            1.2,
            random.nextInt(3) > 0 ? 1 : 1 << 20,
            Long.MAX_VALUE,
            random.nextInt(3) == 0 ? 5000 : 0),
        random.nextInt(4) == 0 ? 1 << 20 : 2000 + random.nextInt(60_000),
        3 + random.nextInt(5),
        random.nextInt(3) == 0 ? 256 << 10 : 16 << 20,
        random.nextInt(3) > 0
            ? WalCompression.NONE
            : new WalCompression(true, random.nextBoolean(), Optional.empty()));
  }
}
