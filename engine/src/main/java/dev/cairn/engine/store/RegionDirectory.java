package dev.cairn.engine.store;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;

/**
 * The directory of a region's files, in HBase's layout.
 *
 * @param path the region's directory from the storage's root: {@code
 *     data/namespace/table/encodedName}
 */
public record RegionDirectory(String path) {
  /** Returns a table's directory below {@code dataDirectory}, for example {@code data}. */
  public static String ofTable(String dataDirectory, TableName table) {
    return Storage.join(dataDirectory, table.namespace() + "/" + table.qualifier());
  }

  /** Returns a region's directory below {@code dataDirectory}. */
  public static RegionDirectory of(String dataDirectory, RegionInfo region) {
    return new RegionDirectory(
        Storage.join(ofTable(dataDirectory, region.table()), region.encodedName()));
  }

  /** Returns the directory of a family's store files. */
  public String family(String family) {
    return Storage.join(path, family);
  }

  /**
   * Returns where files are written before they are renamed into their place; swept when the region
   * opens.
   */
  public String temporary() {
    return Storage.join(path, ".tmp");
  }

  /** Returns the file that describes the region. */
  public String regionInfo() {
    return Storage.join(path, ".regioninfo");
  }

  /** Returns the file that becomes {@link #regionInfo} once the region is complete. */
  public String preparedRegionInfo() {
    return Storage.join(path, ".regioninfo.prepared");
  }
}
