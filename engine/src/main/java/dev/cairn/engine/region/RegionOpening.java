package dev.cairn.engine.region;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.bulkload.BulkLoadJournal;
import dev.cairn.engine.region.bulkload.BulkLoadMarker;
import dev.cairn.engine.region.flush.UnflushedEdits;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreOpening;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.file.Nonce;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a region in two steps. {@link #read} opens the store files and changes nothing, because
 * another server may own the region. {@link #begin} makes the caller the owner, once the master has
 * agreed: it sweeps unfinished files of earlier owners, lists the store files again, and replays
 * the recovered edits that the files do not hold yet. The region serves at once, and its recovered
 * edits stay until its next flush ({@link UnflushedEdits}). {@link #follow} leaves the region to
 * its owner, for reads alone.
 *
 * <p>An earlier owner that pauses and resumes has no effect: it publishes files from its {@link
 * ScratchDirectory}, which is gone. An opener that pauses has no effect either: {@link #begin}
 * fails if there is a later owner, or if the region's directory has been deleted since {@link
 * #read}. It deletes only recovered edits that it has listed before.
 *
 * <p>Not thread-safe. The caller must close it.
 */
public final class RegionOpening implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RegionOpening.class);

  private final RegionInfo info;
  private final TableSchema schema;
  private final RegionContext context;
  private final RegionDirectory directory;
  private final RecoveredNonces nonces;
  private final boolean described;
  private final boolean exists;
  private final long openSequence;
  private List<StoreOpening> openings;
  private long lastSequence;
  private long replayed;
  private UnflushedEdits unflushed;

  /** The location of recovered edits once the region is open. */
  private enum EditsIn {
    /** In memory, if there is room, until the next flush. */
    MEMORY,
    FILES
  }

  private RegionOpening(
      RegionInfo info, TableSchema schema, RegionContext context, RecoveredNonces nonces)
      throws IOException {
    this.info = info;
    this.schema = schema;
    this.context = context;
    this.nonces = nonces;
    this.directory = RegionDirectory.of(context.dataDirectory(), info.replica(0));
    StoreContext shared = context.stores();
    schema
        .families()
        .forEach(family -> shared.forFamily(schema, family)); // refuses unknown settings
    warnOfIndexes();
    this.described = isDescribed(shared.storage());
    this.exists = described || shared.storage().exists(directory.path());
    new ClosedFiles(shared.storage(), directory).check(schema);
    RecoveredEdits edits = new RecoveredEdits(shared.storage(), directory.path());
    RecoveredEdits.Present present = edits.present();
    long recovered = Math.max(present.flushedSequence(), present.highestSequence());
    this.openings = readStores();
    this.openSequence =
        openings.stream().mapToLong(StoreOpening::maxCellSequence).reduce(recovered, Math::max);
  }

  private void warnOfIndexes() {
    try {
      schema.checkIndexes();
    } catch (IllegalArgumentException e) {
      LOG.warn("{} opens without an index that cannot be used: {}", info, e.getMessage());
    }
  }

  /**
   * Opens the region's store files; those of a replica are the files of the region that it
   * replicates. Changes nothing.
   *
   * @param nonces receives the nonces of earlier owners' changes from {@link #begin}
   * @throws IllegalArgumentException if the schema asks for something that is not supported
   */
  public static RegionOpening read(
      RegionInfo info, TableSchema schema, RegionContext context, RecoveredNonces nonces)
      throws IOException {
    return new RegionOpening(info, schema, context, nonces);
  }

  /** Returns a sequence number below those of all writes that the region will take. */
  public long openSequence() {
    return openSequence;
  }

  /**
   * Opens the region as its owner. May be called again if it fails.
   *
   * @param token orders the region's owners; if empty, the caller is the latest one
   * @throws FencedException if there is a later owner; the caller must give up
   * @throws IOException also if the region has been deleted since {@link #read}
   */
  public Region begin(Optional<FencingToken> token) throws IOException {
    return begin(token, EditsIn.MEMORY);
  }

  /** As {@link #begin(Optional)}, with all recovered edits in store files. */
  Region beginFlushed(Optional<FencingToken> token) throws IOException {
    return begin(token, EditsIn.FILES);
  }

  private Region begin(Optional<FencingToken> token, EditsIn place) throws IOException {
    if (info.replicaId() != 0) {
      throw new IllegalStateException(info + " is a replica, which owns no files");
    }
    StoreContext shared = context.stores();
    long begun = shared.clock().nanoTime();
    Storage storage = shared.storage();
    lastSequence = openSequence;
    replayed = 0;
    if (!exists) {
      storage.createDirectories(directory.path());
    }
    ScratchDirectory scratch = ScratchDirectory.claim(storage, directory.temporary(), token);
    if (!described) {
      scratch.writeAll(directory.regionInfo(), RegionInfoFormat.toFile(info));
    }
    BulkLoadJournal journal = new BulkLoadJournal(shared, directory, scratch);
    List<BulkLoadJournal.Committed> loads = journal.recover(schema);
    RecoveredHFiles recovered = new RecoveredHFiles(shared, directory, info, schema);
    if (recovered.exist()) {
      // With them the stores would take older entries of other logs for flushed: those come first.
      List<Store> older = openStores(scratch, EditsIn.FILES);
      older.forEach(Store::close);
      recovered.takeIn(scratch);
    }
    List<Store> stores = openStores(scratch, place);
    boolean deleted = false;
    try {
      readNonces(stores);
      new ClosedFiles(storage, directory).delete(scratch);
      log(loads, journal);
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
    return new Region(
        info, schema, context, new RegionStores(stores), scratch, lastSequence, unflushed);
  }

  /**
   * Opens the region for reads alone, while another server may own it. Changes nothing: does not
   * sweep, replay or make directories.
   */
  public ReadOnlyRegion follow() throws IOException {
    List<StoreOpening> ready = openings.isEmpty() ? readStores() : openings;
    openings = List.of();
    ReadOnlyRegion region =
        new ReadOnlyRegion(
            info,
            schema,
            ready.stream().map(StoreOpening::follow).toList(),
            context.room(),
            context.feeds().hasFeeds() && schema.replicatesMemStore(),
            context.stores().clock());
    boolean complete = false;
    try {
      region.refresh(); // finds what a listing may have missed while the owner moved files
      complete = true;
      return region;
    } finally {
      if (!complete) {
        region.close();
      }
    }
  }

  /** Closes the files, unless {@link #begin} or {@link #follow} has taken them over. */
  @Override
  public void close() {
    openings.forEach(StoreOpening::close);
    openings = List.of();
  }

  /**
   * Tells whether the region's description exists and is valid. If not, the owner writes it anew.
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

  private List<StoreOpening> readStores() throws IOException {
    List<StoreOpening> read = new ArrayList<>();
    boolean complete = false;
    try {
      for (FamilySchema family : schema.families()) {
        StoreContext own = context.stores().forFamily(schema, family);
        read.add(StoreOpening.read(info, family, directory, own));
      }
      complete = true;
    } finally {
      if (!complete) {
        read.forEach(StoreOpening::close);
      }
    }
    return read;
  }

  private List<Store> openStores(ScratchDirectory scratch, EditsIn place) throws IOException {
    List<StoreOpening> ready = openings.isEmpty() ? readStores() : openings;
    openings = List.of();
    List<Store> stores = new ArrayList<>();
    boolean opened = false;
    try {
      for (StoreOpening opening : ready) {
        stores.add(opening.begin(scratch));
      }
      replay(stores, scratch, place);
      opened = true;
    } finally {
      if (!opened) {
        ready.forEach(StoreOpening::close);
        stores.forEach(Store::close);
      }
    }
    return stores;
  }

  private void readNonces(List<Store> stores) throws IOException {
    for (Store store : stores) {
      store.readNonces(
          (group, number, millis) -> nonces.recovered(new Nonce(group, number), millis));
    }
  }

  private void replay(List<Store> stores, ScratchDirectory scratch, EditsIn place)
      throws IOException {
    RegionStores all = new RegionStores(stores);
    long lowest = Long.MAX_VALUE;
    for (Store store : stores) {
      lowest = Math.min(lowest, store.flushedSequence());
      // Cells of a foreign file above its own sequence number must be visible, too.
      lastSequence = Math.max(lastSequence, store.maxCellSequence());
    }
    Storage storage = context.stores().storage();
    RecoveredEdits edits = new RecoveredEdits(storage, directory.path());
    RecoveredEdits.Present present = edits.present();
    long marked = present.flushedSequence();
    lowest = Math.max(lowest, marked);
    lastSequence = Math.max(lastSequence, marked);
    if (present.files().isEmpty()) {
      unflushed = new UnflushedEdits(edits, scratch, lastSequence, List.of());
      if (!all.haveFlushed(lastSequence)) {
        edits.markFlushed(lastSequence);
      }
      return;
    }
    // Edits that are in store files are not replayed, and are deleted. So make the files' names
    // durable first: the last process may have ended before it did so.
    for (Store store : stores) {
      storage.syncDirectory(directory.family(store.family().nameAsString()));
    }
    List<String> files = present.files().stream().map(Storage.FileInfo::path).toList();
    context.replayHook().begins(info, files);
    replay(edits, lowest, stores, all);
    context.replayHook().ends(info, files);
    unflushed = new UnflushedEdits(edits, scratch, lastSequence, present.all());
    long bytes = all.memStoreBytes();
    if (place == EditsIn.FILES || bytes == 0 || !context.room().tryReserve(bytes)) {
      flushEdits(stores);
    }
  }

  /** Replays the recovered edits. */
  private void replay(RecoveredEdits edits, long after, List<Store> stores, RegionStores all)
      throws IOException {
    long limit = context.settings().forTable(schema).memStoreFlushBytes();
    edits.replay(
        after,
        entry -> {
          apply(entry, all);
          if (all.memStoreBytes() > limit) {
            // Not lastSequence: a store whose last flush was interrupted by the crash may lack
            // entries up to that one, which another store has in a file.
            flush(stores, entry.sequence());
          }
        });
  }

  /** Flushes all replayed edits to store files. */
  private void flushEdits(List<Store> stores) throws IOException {
    flush(stores, lastSequence);
    unflushed.flushed(lastSequence, new RegionStores(stores));
  }

  /** Logs the bulk loads that the previous owner committed. */
  private void log(List<BulkLoadJournal.Committed> loads, BulkLoadJournal journal)
      throws IOException {
    Wal wal = context.wal();
    for (BulkLoadJournal.Committed load : loads) {
      long now = context.stores().clock().currentTimeMillis();
      CellBuffer marker = BulkLoadMarker.of(info, load.names(), now);
      wal.sync(
          wal.append(new WalEntry(info.encodedName(), info.table(), ++lastSequence, now, marker)));
      journal.forget(load.id());
    }
  }

  private void apply(WalEntry entry, RegionStores stores) throws IOException {
    ReplayHook hook = context.replayHook();
    Optional<CellBuffer> restored = hook.restores(entry);
    if (restored.isPresent()) {
      addCells(entry, restored.get(), stores);
      hook.restored(entry, restored.get());
    }
    Nonce nonce = entry.nonce();
    if (nonce.isPresent()) {
      nonces.recovered(nonce, entry.writeTimeMillis());
    }
    lastSequence = Math.max(lastSequence, entry.sequence());
    replayed++;
  }

  private void addCells(WalEntry entry, CellBuffer cells, RegionStores stores) {
    Nonce nonce = entry.nonce();
    Cell cell = new Cell();
    Store last = null;
    for (int i = 0; i < cells.size(); i++) {
      cells.get(i, cell, entry.sequence());
      Store store = stores.find(cell);
      // No store: a marker that concerns the log alone, or a family that has been removed since.
      if (store != null && entry.sequence() > store.flushedSequence()) {
        store.add(cell, entry.sequence(), context.stores().clock().currentTimeMillis());
        if (nonce.isPresent() && store != last) {
          store.addNonce(nonce.group(), nonce.number(), entry.writeTimeMillis());
          last = store;
        }
      }
    }
  }

  /**
   * Flushes the applied edits to files.
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
