package dev.cairn.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracking;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A family without {@code BLOCKCACHE} has no data in the cache, whatever is done with it. */
class UncachedFamilyTest {
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final int ROWS = 400;

  /** Parts of an index that are larger than the blocks of data to which they lead. */
  private static final StoreSettings SMALL_INDEXES =
      new StoreSettings(
          3,
          10,
          1.2,
          OffPeakRatio.DEFAULT,
          1 << 20,
          Long.MAX_VALUE,
          StoreSettings.THROTTLE_BYTES,
          0,
          Long.MAX_VALUE,
          0,
          16,
          true,
          StoreSettings.NONCE_MILLIS,
          HFileSettings.DEFAULTS.withChunkSizes(500, 1000),
          StoreFileTracking.DEFAULT);

  private final BlockCache cache = new BlockCache(8 << 20, 0.25, 64 << 10, Runnable::run);

  @Test
  void aCompactionKeepsNothingOfWhatItWrites() throws IOException {
    AtomicLong names = new AtomicLong();
    StoreContext context =
        new StoreContext(
            new MemoryStorage(Clock.SYSTEM),
            cache,
            Clock.SYSTEM,
            () -> "%032x".formatted(names.incrementAndGet()),
            EngineListener.NONE,
            SMALL_INDEXES);
    try (Store store =
        StoreOpening.open(
            new RegionInfo(TableName.parse("t"), Bytes.EMPTY, Bytes.EMPTY, 1),
            FamilySchema.of("f", Map.of("BLOCKCACHE", "false", "BLOCKSIZE", "100")),
            new RegionDirectory("data/default/t/region"),
            context)) {
      for (int i = 0; i < ROWS; i++) {
        byte[] row = Bytes.utf8("row%06d".formatted(i));
        store.add(Cell.put(row, FAMILY, FAMILY, 1, row), i + 1, 0);
      }
      store.freeze();
      store.flush(ROWS, Long.MAX_VALUE);
      assertThat(cellsOf(store)).isEqualTo(ROWS);
      assertThat(cache.statistics().bytes()).as("the index of the file").isPositive();

      store.compact(true, Optional.empty(), Long.MAX_VALUE);

      assertThat(cache.statistics().blocks()).as("blocks of the new file").isZero();
      assertThat(cellsOf(store)).isEqualTo(ROWS);
    }
  }

  private static int cellsOf(Store store) throws IOException {
    StoreView view = store.pin();
    int cells = 0;
    try (CellCursor cursor = view.files().get(0).cursor(false)) {
      boolean more = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
      for (; more; more = cursor.next()) {
        cells++;
      }
    } finally {
      view.release();
    }
    return cells;
  }
}
