package dev.cairn.engine.store;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.memory.MemoryAccount;
import dev.cairn.engine.mob.MobFileCache;
import dev.cairn.engine.mob.MobSettings;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.ScratchDirectory;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.tracking.StoreFileTracker;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The context that the stores of a server share.
 *
 * @param storage storage of the files
 * @param cache the cache of blocks
 * @param clock the time
 * @param fileNames returns a unique name for every new store file: 32 hexadecimal digits
 * @param listener receives events about compactions and damaged files
 * @param currentSettings returns the current numbers; never blocks
 * @param helpers run parts of a task in parallel with its thread: compress blocks of files that are
 *     being written, and write the files of new regions
 * @param mobSettings the numbers for MOB files
 * @param mobFiles the MOB files that are open
 * @param paces write rates of flushes and compactions
 * @param memory lends flushes and compactions the memory for very large cells
 * @param hook sees flushes and compactions
 * @param warm files that are open ahead of their region
 * @param indexed the indexed columns of the store's family
 */
public record StoreContext(
    Storage storage,
    BlockCache cache,
    Clock clock,
    Supplier<String> fileNames,
    EngineListener listener,
    Supplier<StoreSettings> currentSettings,
    Optional<Executor> helpers,
    MobSettings mobSettings,
    MobFileCache mobFiles,
    Paces paces,
    MemoryAccount memory,
    StoreFileHook hook,
    WarmFiles warm,
    IndexedColumns indexed) {
  /**
   * The write rates of store files.
   *
   * @param flushes rate of flushes, except those of regions that are opened or closed
   * @param compactions rate of compactions
   */
  public record Paces(ThroughputController flushes, ThroughputController compactions) {
    /** No limits. */
    public static final Paces UNLIMITED =
        new Paces(ThroughputController.UNLIMITED, ThroughputController.UNLIMITED);
  }

  /**
   * Creates a context whose MOB files are opened through {@code storage}, and whose flushes and
   * compactions write as fast as they can.
   */
  public StoreContext(
      Storage storage,
      BlockCache cache,
      Clock clock,
      Supplier<String> fileNames,
      EngineListener listener,
      Supplier<StoreSettings> currentSettings,
      Optional<Executor> helpers,
      MobSettings mobSettings) {
    this(
        storage,
        cache,
        clock,
        fileNames,
        listener,
        currentSettings,
        helpers,
        mobSettings,
        new MobFileCache(storage, cache, clock, mobSettings, listener),
        Paces.UNLIMITED,
        MemoryAccount.unlimited(),
        StoreFileHook.NONE,
        new WarmFiles(),
        IndexedColumns.NONE);
  }

  /** Creates a context whose settings never change. */
  public StoreContext(
      Storage storage,
      BlockCache cache,
      Clock clock,
      Supplier<String> fileNames,
      EngineListener listener,
      StoreSettings settings,
      Optional<Executor> helpers,
      MobSettings mobSettings) {
    this(storage, cache, clock, fileNames, listener, () -> settings, helpers, mobSettings);
  }

  /** Creates a context in which one thread alone writes each file. */
  public StoreContext(
      Storage storage,
      BlockCache cache,
      Clock clock,
      Supplier<String> fileNames,
      EngineListener listener,
      StoreSettings settings) {
    this(
        storage,
        cache,
        clock,
        fileNames,
        listener,
        settings,
        Optional.empty(),
        MobSettings.DEFAULTS);
  }

  /** Returns the numbers that hold now. */
  public StoreSettings settings() {
    return currentSettings.get();
  }

  /**
   * Returns this context with the settings of a table and one of its families.
   *
   * @throws IllegalArgumentException naming the key whose value is impossible
   */
  public StoreContext forFamily(TableSchema table, FamilySchema family) {
    return with(cache, new FamilySettings(currentSettings, table, family), paces, memory)
        .indexing(table.indexes().columns(family.name()));
  }

  /** Returns the same for a family with these indexed columns. */
  public StoreContext indexing(IndexedColumns columns) {
    return columns.equals(indexed)
        ? this
        : new StoreContext(
            storage,
            cache,
            clock,
            fileNames,
            listener,
            currentSettings,
            helpers,
            mobSettings,
            mobFiles,
            paces,
            memory,
            hook,
            warm,
            columns);
  }

  /** Returns the tracker of the files in a store's directory. */
  public StoreFileTracker tracker(String directory) {
    return StoreFileTracker.of(settings().tracking(), storage, clock, directory);
  }

  /**
   * Returns a store's tracker, as {@link #tracker(String)} does, for the owner of an open region.
   */
  public StoreFileTracker tracker(String directory, ScratchDirectory scratch) {
    return StoreFileTracker.of(
        settings().tracking(), storage, clock, directory, Optional.of(scratch));
  }

  /** Returns the same with other write rates of flushes and compactions. */
  public StoreContext pacedBy(Paces changed) {
    return with(cache, currentSettings, changed, memory);
  }

  /** Returns a copy with other helpers. */
  public StoreContext helpedBy(Executor others) {
    return with(storage, cache, currentSettings, paces, memory, Optional.of(others), hook);
  }

  /**
   * Returns the same for another view of the storage. MOB files are still opened through the first
   * one.
   */
  public StoreContext in(Storage view) {
    return with(view, cache, currentSettings, paces, memory, helpers, hook);
  }

  /** Returns the same for stores whose flushes and compactions {@code hook} sees. */
  public StoreContext hooked(StoreFileHook hook) {
    return with(storage, cache, currentSettings, paces, memory, helpers, hook);
  }

  /** Returns the same with an account for the memory that very large cells take. */
  public StoreContext borrowingFrom(MemoryAccount account) {
    return with(cache, currentSettings, paces, account);
  }

  /** Returns the same for stores whose blocks are to stay in memory. */
  StoreContext inMemory() {
    return with(cache.inMemory(), currentSettings, paces, memory);
  }

  private StoreContext with(
      BlockCache otherCache,
      Supplier<StoreSettings> otherSettings,
      Paces otherPaces,
      MemoryAccount otherMemory) {
    return with(storage, otherCache, otherSettings, otherPaces, otherMemory, helpers, hook);
  }

  private StoreContext with(
      Storage otherStorage,
      BlockCache otherCache,
      Supplier<StoreSettings> otherSettings,
      Paces otherPaces,
      MemoryAccount otherMemory,
      Optional<Executor> otherHelpers,
      StoreFileHook otherHook) {
    return new StoreContext(
        otherStorage,
        otherCache,
        clock,
        fileNames,
        listener,
        otherSettings,
        otherHelpers,
        mobSettings,
        mobFiles,
        otherPaces,
        otherMemory,
        otherHook,
        warm,
        indexed);
  }

  /** Returns the time before which changes with nonces are forgotten, milliseconds since 1970. */
  long oldestNonceMillis() {
    return clock.currentTimeMillis() - settings().nonceMillis();
  }
}
