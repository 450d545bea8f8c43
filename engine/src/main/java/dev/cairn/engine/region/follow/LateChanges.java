package dev.cairn.engine.region.follow;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.store.Store;

/**
 * Gathers changes below the read point of a replica, in one segment for each store. All become
 * visible to reads at the same moment. For one thread at a time.
 */
final class LateChanges {
  private final RegionStores stores;
  private final MemStoreSegment[] segments;
  private long lastSequence = -1;

  LateChanges(RegionStores stores) {
    this.stores = stores;
    this.segments = new MemStoreSegment[stores.all().size()];
  }

  /** Tells whether no change was begun since the last {@link #show}. */
  boolean isEmpty() {
    return lastSequence < 0;
  }

  /** Begins a change, which may have no cells. */
  void begin(long sequence) {
    lastSequence = sequence;
  }

  /** Adds a cell of the change that was begun last. */
  void add(int store, Cell cell, long nowMillis) {
    if (segments[store] == null) {
      segments[store] = stores.all().get(store).newSegment();
    }
    segments[store].add(cell, lastSequence, nowMillis);
  }

  /**
   * Lets reads see the changes.
   *
   * @return the number of the last change; -1 if there is none
   */
  long show() {
    long last = lastSequence;
    if (last >= 0) {
      stores.publishTogether(this::publish);
      lastSequence = -1;
    }
    return last;
  }

  private void publish() {
    for (int i = 0; i < segments.length; i++) {
      if (segments[i] != null) {
        Store store = stores.all().get(i);
        store.show(segments[i]);
        segments[i] = null;
      }
    }
  }
}
