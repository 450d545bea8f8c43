package dev.cairn.engine.region;

import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.cache.CacheContents;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.Storage.BlockLocation;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreFileHook;
import dev.cairn.engine.store.StoreView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The store files of an open region and their blocks in the cache. Any number of threads. */
public class RegionFiles {
  private final List<Store> stores;

  /** Creates the files of the stores of one region. */
  public RegionFiles(List<Store> stores) {
    this.stores = List.copyOf(stores);
  }

  /**
   * A store file and its blocks in the block cache.
   *
   * @param family its family
   * @param name its name
   * @param bytes its length
   * @param blocks its cached blocks
   */
  public record CachedFile(String family, String name, long bytes, CacheContents.Blocks blocks) {}

  /**
   * Returns the files' paths as users of the file system write them ({@link Storage#url}).
   *
   * @param family the family whose files are wanted
   */
  public List<String> urls(byte[] family) throws IOException {
    List<String> urls = new ArrayList<>();
    for (Store store : stores) {
      if (Arrays.equals(store.family().name(), family)) {
        for (StoreFile file : store.view().files()) {
          urls.add(store.storage().url(file.path()));
        }
      }
    }
    return urls;
  }

  /** Returns the files of a family, oldest first. */
  public List<StoreFileHook.Candidate> of(byte[] family) {
    return stores.stream()
        .filter(store -> Arrays.equals(store.family().name(), family))
        .flatMap(store -> store.candidates().stream())
        .toList();
  }

  /** Returns a number that grows whenever the region's files change. Allocates nothing. */
  public long version() {
    long version = 0;
    for (int i = 0; i < stores.size(); i++) {
      version += stores.get(i).filesVersion();
    }
    return version;
  }

  /** Returns all files, each with its cached blocks in {@code contents}. */
  public List<CachedFile> cached(CacheContents contents) {
    List<CachedFile> files = new ArrayList<>();
    for (Store store : stores) {
      String family = store.family().nameAsString();
      for (StoreFile file : store.view().files()) {
        files.add(
            new CachedFile(family, file.name(), file.length(), file.reader().cached(contents)));
      }
    }
    return files;
  }

  /**
   * Returns the names of the files whose data blocks are all in the cache. The file that a link or
   * a reference leads to has its own name.
   */
  public List<String> cached() throws IOException {
    List<String> names = new ArrayList<>();
    for (Store store : stores) {
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
   * Returns the data blocks that are in the cache. Not a use of them.
   *
   * @param max the number of blocks after which further files are left out
   */
  public HotBlocks hotBlocks(int max) {
    Map<HotBlocks.File, long[]> offsets = new LinkedHashMap<>();
    int left = max;
    for (Store store : stores) {
      String family = store.family().nameAsString();
      StoreView view = store.pin();
      try {
        for (StoreFile file : view.files()) {
          long[] cached = file.reader().cachedData();
          if (cached.length > 0 && cached.length <= left) {
            offsets.put(new HotBlocks.File(family, file.name()), cached);
            left -= cached.length;
          }
        }
      } finally {
        view.release();
      }
    }
    return new HotBlocks(offsets);
  }

  /**
   * Returns the paths of the HFiles, each once. Links and references are replaced by the HFiles
   * that they point to.
   */
  public List<String> paths() {
    Set<String> paths = new LinkedHashSet<>();
    for (Store store : stores) {
      StoreView view = store.pin();
      try {
        view.files().forEach(file -> paths.add(file.reader().path()));
      } finally {
        view.release();
      }
    }
    return List.copyOf(paths);
  }

  /**
   * Returns where the blocks of one of the {@link #paths} lie; empty if the storage is not
   * distributed. May wait for another machine.
   */
  public List<BlockLocation> locations(String path) throws IOException {
    return stores.isEmpty() ? List.of() : stores.get(0).storage().blockLocations(path);
  }

  /** Removes the blocks of all files from the cache. */
  public BlockCache.Eviction clearCache() {
    BlockCache.Eviction removed = BlockCache.Eviction.NONE;
    for (Store store : stores) {
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
