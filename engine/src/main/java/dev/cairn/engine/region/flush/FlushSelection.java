package dev.cairn.engine.region.flush;

import dev.cairn.engine.region.state.FlushPolicy;
import dev.cairn.engine.region.state.FlushSettings;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * Chooses the stores of a flush, and decides when one is due for age. As in HBase, a store is
 * selected if it is large, if its oldest write has waited long, or if many writes came after it.
 * Thread-safe.
 */
public final class FlushSelection {
  private final RegionStores stores;
  private final Mvcc mvcc;
  private final FlushSettings settings;
  private final long lowerBoundBytes;
  private final Clock clock;

  /**
   * Creates a selection.
   *
   * @param flushBytes the memstore size at which the region is flushed
   */
  public FlushSelection(
      RegionStores stores, Mvcc mvcc, FlushSettings settings, long flushBytes, Clock clock) {
    this.stores = stores;
    this.mvcc = mvcc;
    this.settings = settings;
    this.lowerBoundBytes = settings.lowerBoundBytes(flushBytes, stores.all().size());
    this.clock = clock;
  }

  /** Returns the stores that a flush takes now; those among them that are empty cost nothing. */
  List<Store> select(FlushScope scope) {
    if (scope instanceof FlushScope.Families named) {
      return among(
          store ->
              named.families().stream()
                  .anyMatch(name -> Arrays.equals(name, store.family().name())));
    }
    if (scope instanceof FlushScope.UpTo log) {
      return among(store -> store.oldestUnflushedSequence() <= log.sequence());
    }
    if (scope instanceof FlushScope.Due && settings.policy() == FlushPolicy.LARGE) {
      List<Store> large = among(this::isWorthAFile);
      return large.isEmpty() ? stores.all() : large;
    }
    return stores.all();
  }

  /**
   * Tells whether some write has waited so long for a file that the region should be flushed: not
   * all stores were flushed during the last interval, and a write is as old; or very many came
   * after the last flush.
   *
   * @param flushedSequence up to where everything is in files
   */
  public boolean isOverdue(long flushedSequence) {
    if (mvcc.readPoint() - flushedSequence > settings.changesMax()
        && stores.memStoreDataBytes() > 0) {
      return true;
    }
    long now = clock.currentTimeMillis();
    return settings.intervalMillis() > 0
        && stores.all().stream()
            .anyMatch(store -> now - store.lastFlushMillis() >= settings.intervalMillis())
        && stores.all().stream().anyMatch(this::isOld);
  }

  private boolean isWorthAFile(Store store) {
    return store.memStoreBytes() > lowerBoundBytes
        || mvcc.readPoint() - store.oldestUnflushedSequence() >= settings.changesMax()
        || isOld(store);
  }

  private boolean isOld(Store store) {
    long oldest = store.oldestUnflushedMillis();
    return settings.intervalMillis() > 0
        && oldest != Long.MAX_VALUE
        && clock.currentTimeMillis() - oldest > settings.intervalMillis();
  }

  private List<Store> among(Predicate<Store> chosen) {
    return stores.all().stream().filter(chosen).toList();
  }
}
