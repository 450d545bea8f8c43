package dev.cairn.engine.region;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.tracking.StoreFileTracker;
import dev.cairn.engine.tracking.StoreFileTracker.TrackedFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the indexes and Bloom filters of a region that another server still serves, so that the
 * operating system has them in memory when this server opens the region. Writes nothing.
 */
public final class RegionWarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(RegionWarmUp.class);

  private RegionWarmUp() {}

  /**
   * Reads the files of all families.
   *
   * @return the number of files that were read
   */
  public static int run(RegionInfo info, TableSchema schema, RegionContext context)
      throws IOException {
    StoreContext stores = context.stores();
    RegionDirectory directory = RegionDirectory.of(context.dataDirectory(), info);
    int read = 0;
    for (FamilySchema family : schema.families()) {
      String home = directory.family(family.nameAsString());
      if (!stores.storage().exists(home)) {
        continue;
      }
      for (TrackedFile file : counted(stores.forFamily(schema, family).tracker(home))) {
        read += read(Storage.join(home, file.name()), info, stores) ? 1 : 0;
      }
    }
    return read;
  }

  /** Returns the files that count; others may be unfinished. */
  private static List<TrackedFile> counted(StoreFileTracker tracker) throws IOException {
    try {
      return tracker.load();
    } catch (FileNotFoundException | NoSuchFileException e) {
      LOG.debug("{} is gone: its server has replaced the list", e.getMessage());
      return List.of();
    }
  }

  private static boolean read(String path, RegionInfo info, StoreContext stores)
      throws IOException {
    StoreFile file;
    try {
      file = StoreFile.open(stores, path, info.comparator());
    } catch (NoSuchFileException e) {
      LOG.debug("{} is gone: its server has compacted it", path);
      return false;
    }
    try {
      file.reader().warmUp();
      return true;
    } finally {
      file.close();
    }
  }
}
