package dev.cairn.engine.layout;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import java.util.List;

/**
 * The directories of one family's MOB files. They belong to the table, not to a region, so a split
 * need not touch them. The region in their paths does not exist: it has the table's name, the start
 * key {@code .mob} and the id 0:
 *
 * <pre>
 *   mobdir/data/namespace/table/region/family/mobfile
 *   archive/data/namespace/table/region/family/mobfile
 * </pre>
 *
 * @param place the family's directory in that region, below the data directory; it has no files
 */
public record MobDirectory(StoreDirectory place) {
  /** The directory of all tables' MOB files, in the parent of the data directory. */
  public static final String ROOT = "mobdir";

  private static final byte[] REGION_START_KEY = Bytes.utf8(".mob");

  /** Returns the place of a family's MOB files. */
  public static MobDirectory of(String dataDirectory, TableName table, String family) {
    return new MobDirectory(new StoreDirectory(dataDirectory, table, region(table), family));
  }

  /** Returns the encoded name of the region in the paths of a table's MOB files. */
  public static String region(TableName table) {
    return regionInfo(table).encodedName();
  }

  /** Returns that region; no server has it. */
  public static RegionInfo regionInfo(TableName table) {
    return new RegionInfo(table, REGION_START_KEY, Bytes.EMPTY, 0);
  }

  /** Returns the directory of files that are in use. */
  public String path() {
    return place.beside(ROOT);
  }

  /** Returns the path of a file in it. */
  public String file(String name) {
    return path() + "/" + name;
  }

  /** Returns the paths at which a file may lie, in the order in which they are tried. */
  public List<String> locations(String name) {
    return List.of(file(name), place.archivedFile(name), place.deletedFile(name));
  }
}
