package dev.cairn.engine.layout;

import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import java.util.List;

/**
 * The directory of one store (one family of one region), and the other directories of the same root
 * in which HBase looks for its files:
 *
 * <pre>
 *   data/namespace/table/region/family/hfile
 *   archive/data/namespace/table/region/family/hfile
 *   archive/data/namespace/table/region/family/.links-hfile/region.[namespace=]table
 *                                    a back reference: an empty file, named by who links to hfile
 *   .tmp/data/…, mobdir/data/…       other places that a link may lead to
 *   .tmp/deleted/namespace/…         the files of a deleted table that are not archived yet
 * </pre>
 *
 * @param dataDirectory where namespaces lie, from the storage's root: {@code data}, or {@code
 *     MasterData/data}
 * @param table the table
 * @param region the region's encoded name
 * @param family the family's name
 */
public record StoreDirectory(String dataDirectory, TableName table, String region, String family) {
  /** The directory of the stores of deleted tables that are not archived yet. */
  public static final String DELETED = ".tmp/deleted";

  private static final String LINKS_PREFIX = ".links-";

  /** Checks that no part is missing. */
  public StoreDirectory {
    if (dataDirectory.isEmpty() || region.isEmpty() || family.isEmpty()) {
      throw new IllegalArgumentException(
          "No store's directory: <%s/%s/%s/%s>".formatted(dataDirectory, table, region, family));
    }
  }

  /**
   * Reads a directory's path.
   *
   * @throws IllegalArgumentException if it has too few parts or an impossible table
   */
  public static StoreDirectory parse(String path) {
    String region = parent(path);
    String table = parent(region);
    String namespace = parent(table);
    return new StoreDirectory(
        parent(namespace),
        new TableName(Storage.name(namespace), Storage.name(table)),
        Storage.name(region),
        Storage.name(path));
  }

  /** Returns the directory's path. */
  public String path() {
    return below(dataDirectory);
  }

  /** Returns the path of a file in it. */
  public String file(String name) {
    return path() + "/" + name;
  }

  /** Returns the directory of the store's archived files. */
  public String archive() {
    return beside("archive");
  }

  /** Returns the path of a file in the archive. */
  public String archivedFile(String name) {
    return archive() + "/" + name;
  }

  /** Returns the directory of the same family of another region, maybe of another table. */
  public StoreDirectory inRegion(TableName otherTable, String otherRegion) {
    return new StoreDirectory(dataDirectory, otherTable, otherRegion, family);
  }

  /**
   * Returns the paths at which a link to a file of this store finds it: first HBase's, in HBase's
   * order.
   */
  public List<String> linkTargets(String name) {
    return List.of(
        file(name),
        archivedFile(name),
        beside(".tmp") + "/" + name,
        beside("mobdir") + "/" + name,
        deletedFile(name));
  }

  /** Returns the path of a file after its table was deleted, before it is archived. */
  public String deletedFile(String name) {
    return below(Storage.join(parent(dataDirectory), DELETED)) + "/" + name;
  }

  /**
   * Returns the possible paths of the HFile to which a file of this store leads, in HBase's order:
   * the file's own path, if it is an HFile itself.
   */
  public List<String> targets(StoreFileName name) {
    StoreFileName target = name instanceof StoreFileName.Half half ? half.target() : name;
    if (target instanceof StoreFileName.Link link) {
      return inRegion(link.table(), link.region()).linkTargets(link.hfile());
    }
    if (name instanceof StoreFileName.Half half) {
      StoreDirectory there = inRegion(table, half.region());
      return List.of(
          there.file(target.text()),
          there.archivedFile(target.text()),
          there.deletedFile(target.text()));
    }
    return List.of(file(name.text()));
  }

  /** Returns the directory of the back references to a file of this store. */
  public String backReferences(String name) {
    return archive() + "/" + LINKS_PREFIX + name;
  }

  /** Returns the path of the back reference of a link in this store. */
  public String backReference(StoreFileName.Link link) {
    return inRegion(link.table(), link.region()).backReferences(link.hfile())
        + "/"
        + region
        + "."
        + table.toString().replace(':', '=');
  }

  /**
   * Returns the directory that this store has in another tree with the same parent as the data
   * directory.
   */
  String beside(String place) {
    return below(
        Storage.join(Storage.join(parent(dataDirectory), place), Storage.name(dataDirectory)));
  }

  private String below(String directory) {
    return directory
        + "/"
        + table.namespace()
        + "/"
        + table.qualifier()
        + "/"
        + region
        + "/"
        + family;
  }

  private static String parent(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('/')));
  }
}
