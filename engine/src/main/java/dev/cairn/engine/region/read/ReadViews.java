package dev.cairn.engine.region.read;

import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Holds the views of a region's stores for one read after another.
 *
 * <p>Views are <em>pinned</em> or not. The files of pinned views stay open. Views that are not
 * pinned give access to memory, which never changes, and to blocks in the cache. If a file is
 * closed meanwhile, its blocks are no longer in the cache. If pinning fails half-way, the pinned
 * views stay pinned until {@link #unpin}.
 *
 * <p>One thread at a time.
 */
public final class ReadViews {
  private List<Store> stores = List.of();
  private StoreView[] views = {};
  private RegionStores region;
  private int publications;

  /** The number of views, from the first one, that are pinned. */
  private int pinned;

  /** Selects stores of a region; the caller calls {@link #look} or {@link #pin} next. */
  public void of(List<Store> wanted, RegionStores owner) {
    stores = wanted;
    region = owner;
    if (views.length != wanted.size()) {
      views = new StoreView[wanted.size()];
    }
  }

  /** Returns the number of stores. */
  int count() {
    return stores.size();
  }

  Store store(int i) {
    return stores.get(i);
  }

  public StoreView get(int i) {
    return views[i];
  }

  /** Takes the present views without pinning them. */
  void look() {
    publications = region.publications();
    for (int i = 0; i < views.length; i++) {
      views[i] = stores.get(i).view();
    }
  }

  /** Takes the present views and pins them; none may be pinned. */
  public void pin() {
    publications = region.publications();
    for (; pinned < views.length; pinned++) {
      views[pinned] = stores.get(pinned).pin();
    }
  }

  /**
   * Pins the views unless they are pinned.
   *
   * @return false, perhaps with some pinned, if files of a view may be closed already
   */
  boolean tryPin() {
    while (pinned < views.length && views[pinned].tryRetain()) {
      pinned++;
    }
    return pinned == views.length;
  }

  /** Releases the pinned views. That may close and archive files. */
  void unpin() {
    unpin(StoreView::release);
  }

  /** Hands the pinned views over to {@code releaser}, which releases them. */
  void unpin(Consumer<StoreView> releaser) {
    while (pinned > 0) {
      releaser.accept(views[--pinned]);
    }
  }

  /** Releases the views, and drops the references to them and to the stores. */
  public void forget() {
    unpin();
    Arrays.fill(views, null);
    stores = List.of();
    region = null;
  }

  /**
   * Tells whether these views are still the latest ones: no store has since published a view, alone
   * or together with others.
   */
  boolean areCurrent() {
    boolean current = !region.hasPublishedSince(publications);
    for (int i = 0; i < views.length; i++) {
      current &= stores.get(i).view() == views[i];
    }
    return current;
  }

  /** Tells whether the views have all cells that a read at {@code readPoint} sees. */
  boolean areWholeAt(long readPoint) {
    for (StoreView view : views) {
      for (StoreFile file : view.files()) {
        if (!file.isWholeAt(readPoint)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Tells whether no value can lie in a MOB file. */
  boolean haveOwnValues(MobOptions options) {
    boolean own = true;
    for (int i = 0; i < views.length; i++) {
      own &= stores.get(i).hasOwnValues(views[i], options);
    }
    return own;
  }

  /** Tells whether a flush has given a view a successor. */
  boolean haveSuccessors() {
    boolean any = false;
    for (StoreView view : views) {
      any |= view.hasSuccessor();
    }
    return any;
  }

  /** Replaces the pinned views by their last successors. */
  void moveOn() {
    for (int i = 0; i < views.length; i++) {
      views[i] = views[i].latest();
    }
  }
}
