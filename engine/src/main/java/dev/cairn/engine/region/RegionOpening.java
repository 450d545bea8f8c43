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
import dev.cairn.engine.wal.Nonce;
import dev.cairn.engine.wal.RecoveredEdits;
import dev.cairn.engine.wal.Wal;
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
  private final RecoveredNonces nonces;
  private final List<Numbered> numbered = new ArrayList<>();
  private long lastSequence;
  private long replayed;

  private record Numbered(Nonce nonce, long writeTimeMillis) {}

  RegionOpening(
      RegionInfo info, TableSchema schema, RegionEnvironment environment, RecoveredNonces nonces) {
    this.info = info;
    this.schema = schema;
    this.environment = environment;
    this.nonces = nonces;
    this.directory = RegionDirectory.of(environment.dataDirectory(), info);
  }

  Region open() throws IOException {
    StoreEnvironment shared = environment.stores();
    long begun = shared.clock().nanoTime();
    Storage storage = shared.storage();
    schema.families().forEach(family -> shared.of(schema, family)); // refuses unknown settings
    storage.delete(directory.temporary());
    if (!isDescribed(storage)) {
      storage.createDirectories(directory.path());
      storage.writeAll(directory.regionInfo(), RegionInfoFormat.toFile(info));
    }
    ClosedFiles closed = new ClosedFiles(storage, directory);
    closed.check(schema);
    RecoveredHFiles recovered = new RecoveredHFiles(shared, directory, info, schema);
    if (recovered.exist()) {
      // With them the stores would take older entries of other logs for flushed: those come first.
      openStores().forEach(Store::close);
      recovered.takeIn();
    }
    List<Store> stores = openStores();
    boolean deleted = false;
    try {
      closed.delete();
      deleted = true;
    } finally {
      if (!deleted) {
        stores.forEach(Store::close);
      }
    }
    int files = stores.stream().mapToInt(store -> store.view().files().size()).sum();
    shared
        .listener()
        .regionOpened(info.encodedName(), files, replayed, shared.clock().nanoTime() - begun);
    return new Region(info, schema, environment, new RegionStores(stores), lastSequence);
  }

  /**
   * Tells whether the region's description exists and is valid. If not, the caller writes it anew.
   */
  private boolean isDescribed(Storage storage) throws IOException {
    if (!storage.exists(directory.regionInfo())) {
      return false;
    }
    try {
      RegionInfoFormat.fromFile(storage.readAll(directory.regionInfo()));
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private List<Store> openStores() throws IOException {
    StoreEnvironment shared = environment.stores();
    List<Store> stores = new ArrayList<>();
    boolean opened = false;
    try {
      for (FamilySchema family : schema.families()) {
        stores.add(Store.open(info, family, directory, shared.of(schema, family)));
      }
      replay(stores);
      opened = true;
    } finally {
      if (!opened) {
        stores.forEach(Store::close);
      }
    }
    return stores;
  }

  private void replay(List<Store> stores) throws IOException {
    RegionStores all = new RegionStores(stores);
    long lowest = Long.MAX_VALUE;
    for (Store store : stores) {
      lowest = Math.min(lowest, store.flushedSequence());
      // What a foreign file has above what it stands for has to be seen, too.
      lastSequence = Math.max(lastSequence, store.maxCellSequence());
    }
    Storage storage = environment.stores().storage();
    RecoveredEdits edits = new RecoveredEdits(storage, directory.path());
    long marked = edits.flushedSequence();
    lowest = Math.max(lowest, marked);
    lastSequence = Math.max(lastSequence, marked);
    // Not the numbers of what is logged again below: that is in no file.
    long flushed = lastSequence;
    if (!edits.files().isEmpty()) {
      // What the files hold is not replayed, and the edits go. So no power cut may take back the
      // name of a file that the last process could not make safe before it ended.
      for (Store store : stores) {
        storage.syncDirectory(directory.family(store.family().nameAsString()));
      }
      flushed = replay(edits, lowest, stores, all);
    }
    if (!all.haveFlushed(flushed)) {
      edits.markFlushed(flushed);
    }
  }

  /** Applies what the log left, and returns the number up to which everything is in files. */
  private long replay(RecoveredEdits edits, long after, List<Store> stores, RegionStores all)
      throws IOException {
    long limit = environment.settings().of(schema).memStoreFlushBytes();
    edits.replay(
        after,
        entry -> {
          apply(entry, all);
          if (all.memStoreBytes() > limit) {
            // Not lastSequence: a store whose last flush the crash cut off may lack entries up to
            // that one, which another store has in a file.
            flush(stores, entry.sequence());
          }
        });
    flush(stores, lastSequence);
    long flushed = lastSequence;
    carryOnNonces();
    edits.delete();
    return flushed;
  }

  /**
   * Logs the numbers again, in entries of their own: the files with them go, and a client may come
   * back only after another crash.
   */
  private void carryOnNonces() throws IOException {
    Wal wal = environment.wal();
    long ticket = 0;
    for (Numbered change : numbered) {
      ticket =
          wal.append(
              new WalEntry(
                  info.encodedName(),
                  info.table(),
                  ++lastSequence,
                  change.writeTimeMillis(),
                  new CellBuffer(0, 0),
                  change.nonce()));
    }
    if (ticket > 0) {
      wal.sync(ticket);
    }
  }

  private void apply(WalEntry entry, RegionStores stores) {
    CellBuffer cells = entry.cells();
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, entry.sequence());
      Store store = stores.find(cell);
      // No store: a marker that concerns the log alone, or a family that has been removed since.
      if (store != null && entry.sequence() > store.flushedSequence()) {
        store.add(cell, entry.sequence(), environment.stores().clock().currentTimeMillis());
      }
    }
    if (entry.nonce().isPresent() && nonces.recovered(entry.nonce(), entry.writeTimeMillis())) {
      numbered.add(new Numbered(entry.nonce(), entry.writeTimeMillis()));
    }
    lastSequence = Math.max(lastSequence, entry.sequence());
    replayed++;
  }

  /**
   * Writes what has been applied to files.
   *
   * @param applied entries come in ascending order of their numbers: all up to this one have been
   */
  private void flush(List<Store> stores, long applied) throws IOException {
    for (Store store : stores) {
      store.freeze();
      store.flush(applied, lastSequence);
    }
  }
}
