package dev.cairn.engine.region;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.storage.BlockLocation;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The store files of an open region and their blocks in the cache. Any number of threads. */
public record RegionFiles(Region region) {
  /**
   * Returns the files' paths as users of the file system write them ({@link Storage#url}).
   *
   * @param families the families whose files are wanted
   * @throws NoSuchFamilyException if the region has no such family
   */
  public List<String> urls(List<byte[]> families) throws IOException {
    Storage storage = region.environment().stores().storage();
    List<String> urls = new ArrayList<>();
    for (byte[] family : families) {
      for (StoreFile file : region.store(family).view().files()) {
        urls.add(storage.url(file.path()));
      }
    }
    return urls;
  }

  /**
   * Returns the names of the files whose data blocks are all in the cache. The file that a link or
   * a reference leads to has its own name.
   */
  public List<String> cached() throws IOException {
    List<String> names = new ArrayList<>();
    for (Store store : region.stores()) {
      StoreView view = store.pin();
      try {
        for (StoreFile file : view.files()) {
          if (file.reader().isCached()) {
            names.add(Storage.name(file.reader().path()));
          }
        }
      } finally {
        view.release();
      }
    }
    return names;
  }

  /**
   * Returns the paths of the HFiles, each once. Links and references are replaced by the HFiles
   * that they point to.
   */
  public List<String> paths() {
    Set<String> paths = new LinkedHashSet<>();
    for (Store store : region.stores()) {
      StoreView view = store.pin();
      try {
        view.files().forEach(file -> paths.add(file.reader().path()));
      } finally {
        view.release();
      }
    }
    return List.copyOf(paths);
  }

  /** Returns where the blocks of one of the {@link #paths} lie. */
  public List<BlockLocation> locations(String path) throws IOException {
    return region.environment().stores().storage().blockLocations(path);
  }

  /** Removes the blocks of all files from the cache. */
  public BlockCache.Eviction clearCache() {
    BlockCache.Eviction removed = BlockCache.Eviction.NONE;
    for (Store store : region.stores()) {
      StoreView view = store.pin();
      try {
        for (StoreFile file : view.files()) {
          removed = removed.plus(file.reader().clearCache());
        }
      } finally {
        view.release();
      }
    }
    return removed;
  }
}
