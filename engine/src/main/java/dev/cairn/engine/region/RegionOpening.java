package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreEnvironment;
import dev.cairn.engine.wal.RecoveredEdits;
import dev.cairn.engine.wal.WalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a region: sweeps what a crash left half-written, opens the stores, applies what a dead
 * server's log left for the region and its files do not hold yet, and writes that to files of its
 * own.
 */
final class RegionOpening {
  private final RegionInfo info;
  private final TableSchema schema;
  private final RegionEnvironment environment;
  private final RegionDirectory directory;
  private long lastSequence;
  private long replayed;

  RegionOpening(RegionInfo info, TableSchema schema, RegionEnvironment environment) {
    this.info = info;
    this.schema = schema;
    this.environment = environment;
    this.directory = RegionDirectory.of(environment.dataDirectory(), info);
  }

  Region open() throws IOException {
    StoreEnvironment shared = environment.stores();
    long begun = shared.clock().nanoTime();
    Storage storage = shared.storage();
    storage.delete(directory.temporary());
    if (!storage.exists(directory.regionInfo())) {
      storage.createDirectories(directory.path());
      storage.writeAll(directory.regionInfo(), RegionInfoFormat.toFile(info));
    }
    List<Store> stores = new ArrayList<>();
    boolean opened = false;
    try {
      for (FamilySchema family : schema.families()) {
        stores.add(Store.open(info.encodedName(), family, info.comparator(), directory, shared));
      }
      replay(stores);
      opened = true;
    } finally {
      if (!opened) {
        stores.forEach(Store::close);
      }
    }
    int files = stores.stream().mapToInt(store -> store.view().files().size()).sum();
    shared
        .listener()
        .regionOpened(info.encodedName(), files, replayed, shared.clock().nanoTime() - begun);
    return new Region(info, schema, environment, new RegionStores(stores), lastSequence);
  }

  private void replay(List<Store> stores) throws IOException {
    RegionStores all = new RegionStores(stores);
    long lowest = Long.MAX_VALUE;
    for (Store store : stores) {
      lowest = Math.min(lowest, store.flushedSequence());
      lastSequence = Math.max(lastSequence, store.flushedSequence());
    }
    Storage storage = environment.stores().storage();
    RecoveredEdits edits = new RecoveredEdits(storage, directory.path());
    if (edits.files().isEmpty()) {
      return;
    }
    long limit = environment.settings().of(schema).memStoreFlushBytes();
    edits.replay(
        lowest,
        entry -> {
          apply(entry, all);
          if (all.memStoreBytes() > limit) {
            flush(stores);
          }
        });
    flush(stores);
    edits.delete();
  }

  private void apply(WalEntry entry, RegionStores stores) {
    CellBuffer cells = entry.cells();
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, entry.sequence());
      Store store = stores.find(cell);
      // No store: a marker that concerns the log alone, or a family that has been removed since.
      if (store != null && entry.sequence() > store.flushedSequence()) {
        store.add(cell, entry.sequence());
      }
    }
    lastSequence = Math.max(lastSequence, entry.sequence());
    replayed++;
  }

  // Entries come in ascending order of their numbers, so everything up to the last one is in the
  // segments.
  private void flush(List<Store> stores) throws IOException {
    for (Store store : stores) {
      store.freeze();
      store.flush(lastSequence, lastSequence);
    }
  }
}
