package dev.cairn.engine.region.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreOpening;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.store.StoreView;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.Waiting;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that repeated reads keep no memstore and no file that the store has released. */
class RowReadingMemoryTest {
  private static final byte[] ROW = Bytes.utf8("row");
  private static final byte[] FAMILY = Bytes.utf8("f");

  @Test
  @Timeout(60)
  void aViewThatWasReadIsGoneWhenTheStoreHasAnother() throws IOException {
    AtomicLong names = new AtomicLong();
    StoreContext context =
        new StoreContext(
            new MemoryStorage(Clock.SYSTEM),
            new BlockCache(1 << 20, Runnable::run),
            Clock.SYSTEM,
            () -> "%032x".formatted(names.incrementAndGet()),
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
    try (Store store =
        StoreOpening.open(
            new RegionInfo(TableName.parse("t"), Bytes.EMPTY, Bytes.EMPTY, 1),
            FamilySchema.of("f", Map.of()),
            new RegionDirectory("data/default/t/region"),
            context)) {
      store.add(Cell.put(ROW, FAMILY, FAMILY, 1, FAMILY), 1, 0);
      RowReading reading = new RowReading(CellComparator.USER, Clock.SYSTEM);
      read(store, reading);
      WeakReference<StoreView> read = new WeakReference<>(store.view());
      store.freeze();
      store.flush(1, Long.MAX_VALUE);
      Waiting.untilCollected(read);
      read(store, reading);
      Reference.reachabilityFence(reading);
    }
  }

  private static void read(Store store, RowReading reading) throws IOException {
    CellBuffer out = new CellBuffer();
    reading.views().of(List.of(store), new RegionStores(List.of(store)));
    reading.views().look();
    reading.setMayWait(true);
    reading.begin(ScanRequest.row(ROW).build(), Long.MAX_VALUE);
    reading.scanner().next(out, ReadBudget.WHOLE_ROWS);
    reading.close();
    reading.views().forget();
    assertThat(out.size()).isOne();
  }
}
