package dev.cairn.coprocessor.facade;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * Where the files of regions lie, as users of the file system write it.
 *
 * @param storage the storage of the files
 * @param dataDirectory the directory of tables below the storage's root
 * @param settings returns those of file systems, which Hadoop copies
 */
public record StoragePaths(
    Storage storage, String dataDirectory, Supplier<Configuration> settings) {
  private static final Path ROOT = new Path("/");

  /** Returns the path of a file below the root. In a storage in memory, it begins with a slash. */
  public Path of(String inRoot) {
    return new Path(ROOT, storage.url(inRoot));
  }

  /** Returns the folder of a family of a region, which its replicas share. */
  Path folder(RegionInfo region, String family) {
    return of(RegionDirectory.of(dataDirectory, region.replica(0)).family(family));
  }
}
