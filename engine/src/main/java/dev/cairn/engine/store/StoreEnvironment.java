package dev.cairn.engine.store;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.BlockCache;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What the stores of a server share.
 *
 * @param storage where the files lie
 * @param cache the cache of blocks
 * @param clock the time
 * @param fileNames gives every new store file a name that no other has: 32 hexadecimal digits
 * @param listener is told of compactions
 * @param settings the numbers
 * @param helpers compress blocks of files that are being written beside the threads that write them
 */
public record StoreEnvironment(
    Storage storage,
    BlockCache cache,
    Clock clock,
    Supplier<String> fileNames,
    EngineListener listener,
    StoreSettings settings,
    Optional<Executor> helpers) {
  /** As the other one, where every file is written by one thread alone. */
  public StoreEnvironment(
      Storage storage,
      BlockCache cache,
      Clock clock,
      Supplier<String> fileNames,
      EngineListener listener,
      StoreSettings settings) {
    this(storage, cache, clock, fileNames, listener, settings, Optional.empty());
  }

  /** Returns the same for stores whose blocks are to stay in memory. */
  StoreEnvironment inMemory() {
    return new StoreEnvironment(
        storage, cache.inMemory(), clock, fileNames, listener, settings, helpers);
  }
}
