package dev.cairn.engine.store;

import dev.cairn.engine.hfile.reader.WarmUpPace;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the files of a store that another server owns, and reads their indexes, Bloom filters and
 * hot blocks into the cache. The store that opens here later takes the files over. Writes nothing.
 * Not thread-safe.
 */
public final class StoreWarmUp implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreWarmUp.class);

  private final StoreContext context;
  private final List<StoreFile> files = new ArrayList<>();

  private StoreWarmUp(StoreContext context) {
    this.context = context;
  }

  /** Opens the files of a family that count; others may be unfinished. Reads no data. */
  public static StoreWarmUp open(
      RegionInfo region, FamilySchema family, RegionDirectory directory, StoreContext context)
      throws IOException {
    StoreWarmUp store = new StoreWarmUp(family.inMemory() ? context.inMemory() : context);
    String home = directory.family(family.nameAsString());
    if (!context.storage().exists(home)) {
      return store;
    }
    boolean complete = false;
    try {
      for (TrackedFile file : counted(context.tracker(home))) {
        store.open(Storage.join(home, file.name()), region);
      }
      complete = true;
      return store;
    } finally {
      if (!complete) {
        store.done();
        store.close();
      }
    }
  }

  private static List<TrackedFile> counted(StoreFileTracker tracker) throws IOException {
    try {
      return tracker.load();
    } catch (FileNotFoundException | NoSuchFileException e) {
      LOG.debug("{} is gone: its server has replaced the list", e.getMessage());
      return List.of();
    }
  }

  private void open(String path, RegionInfo region) throws IOException {
    WarmFiles warm = context.warm();
    StoreFile file = warm.use(path).orElse(null);
    if (file == null) {
      try {
        file = StoreFile.open(context, path, region.comparator());
      } catch (NoSuchFileException e) {
        LOG.debug("{} is gone: its server has compacted it", path);
        return;
      }
      file.retain();
      if (!warm.add(file)) {
        file.release();
      }
    }
    files.add(file);
  }

  /**
   * Reads all indexes and Bloom filters, and then the hot blocks, as far as {@code pace} allows.
   *
   * @param hot returns the offsets of the hot blocks of a file, by its name, ascending
   * @return the number of hot blocks that are in the cache
   */
  public int read(Function<String, long[]> hot, WarmUpPace pace) throws IOException {
    for (StoreFile file : files) {
      file.reader().warmUp();
    }
    int blocks = 0;
    for (StoreFile file : files) {
      blocks += file.reader().warmUp(hot.apply(file.name()), pace);
    }
    return blocks;
  }

  /** Returns the number of open files. */
  public int files() {
    return files.size();
  }

  /** Ends the use of the files. They stay open for the store until they are dropped. */
  public void done() {
    files.forEach(StoreFile::release);
  }

  /** Closes the files that no store has taken over. */
  @Override
  public void close() {
    files.forEach(context.warm()::drop);
  }
}
