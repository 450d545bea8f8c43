package dev.cairn.server.catalog;

import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.MovingFile;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.region.ClosedFiles;
import dev.cairn.engine.region.lifecycle.RegionFamilyTree;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The directories of tables, in HBase's layout. All changes are idempotent.
 *
 * <pre>
 *   data/namespace/table/.tabledesc/                           {@link TableDescriptors}
 *   data/namespace/table/region/.regioninfo                    PBUF, delimited RegionInfo message
 *   data/namespace/table/region/family/
 *   .tmp/staging-epoch/data/namespace/table/                   a table that a master is making
 *   .tmp/data/namespace/table/                                 HBase before 2.3: a removed table
 *   .tmp/deleted/namespace/table/                              a table that is being removed
 * </pre>
 *
 * A table appears and disappears by one rename. Changes by a replaced master have no effect, since
 * they are made in a {@link FencedStorage}. Thread-safe if no two threads change the same table.
 */
public final class TableFiles {
  private static final String DATA = "data";
  private static final String TEMPORARY = MovingFile.FENCES;
  private static final String REGION_INFO = ".regioninfo";

  private final Storage storage;
  private final String staging;
  private final HFileArchive archive;
  private final TableDescriptors descriptors;

  /** Creates a view of the root directory {@code storage}, which only one process changes. */
  public TableFiles(Storage storage) {
    this(storage, TEMPORARY);
  }

  private TableFiles(Storage storage, String staging) {
    this.storage = storage;
    this.staging = staging;
    this.archive = new HFileArchive(storage);
    this.descriptors = new TableDescriptors(storage);
  }

  /** Creates a view of the root directory {@code storage} for its owner, a master. */
  public static TableFiles of(FencedStorage storage) throws FencedException {
    return new TableFiles(storage, storage.staging());
  }

  /**
   * Returns the path of a scratch directory that a master has lent to a region server.
   *
   * @param scratch the master's epoch, and the number of the directory
   */
  public static String lent(FencingToken scratch) {
    return FencedStorage.lent(TEMPORARY, scratch.epoch(), scratch.order());
  }

  /** Returns a fenced view of the root directory {@code storage}, for one master at a time. */
  public static FencedStorage fence(Storage storage) {
    return new FencedStorage(storage, TEMPORARY, "archive");
  }

  /** Returns the tables' descriptors. */
  public TableDescriptors descriptors() {
    return descriptors;
  }

  /** Returns the table's directory. */
  public static String directory(TableName table) {
    return DATA + "/" + table.namespace() + "/" + table.qualifier();
  }

  /** Returns the region's directory. */
  public static String directory(RegionInfo region) {
    return directory(region.table()) + "/" + region.encodedName();
  }

  /**
   * Creates a table's directory with its descriptor and regions, or the missing parts of it: HBase
   * creates one piece by piece, in place, and may have been killed meanwhile.
   *
   * @throws FileAlreadyExistsException if there is one with other regions, because its contents may
   *     be needed
   */
  public void create(TableSchema schema, List<RegionInfo> regions) throws IOException {
    String home = directory(schema.name());
    if (storage.exists(home)) {
      if (!hasOnly(home, regions)) {
        throw new FileAlreadyExistsException(
            home
                + " is there, but hbase:meta has no such table. Move the directory away to create"
                + " the table");
      }
      if (!hasRegions(home)) {
        descriptors.replace(schema);
      } else if (descriptors.newest(schema.name()).isEmpty()) {
        descriptors.write(home, schema, 1);
      }
      for (RegionInfo region : regions) {
        createRegion(home, schema, region);
      }
      return;
    }
    stage(schema, regions, directory -> {});
  }

  /** Writes the contents of a table's directory before the table appears. */
  @FunctionalInterface
  public interface Contents {
    /**
     * Writes the content.
     *
     * @param directory the table's directory, which is not in its place yet
     */
    void write(String directory) throws IOException;
  }

  /**
   * Makes a table's directory with its descriptor, its regions and more. It appears whole.
   *
   * @throws FileAlreadyExistsException if there is one with other regions, because its contents may
   *     be needed
   */
  public void createWith(TableSchema schema, List<RegionInfo> regions, Contents contents)
      throws IOException {
    if (!holds(regions)) {
      stage(schema, regions, contents);
    }
  }

  private void stage(TableSchema schema, List<RegionInfo> regions, Contents contents)
      throws IOException {
    beginStaging(schema);
    stageRegions(schema, regions);
    contents.write(staging(schema.name()));
    endStaging(schema.name());
  }

  /** Tells whether the table's directory exists. */
  public boolean isPresent(TableName table) throws IOException {
    return storage.exists(directory(table));
  }

  /**
   * Begins to create a table's directory in a temporary place. Deletes the remains of an earlier
   * attempt.
   */
  public void beginStaging(TableSchema schema) throws IOException {
    storage.delete(staging(schema.name()));
    descriptors.write(staging(schema.name()), schema, 1);
  }

  /** Creates the directories of some regions in the temporary place. Thread-safe. */
  public void stageRegions(TableSchema schema, List<RegionInfo> regions) throws IOException {
    for (RegionInfo region : regions) {
      createRegion(staging(schema.name()), schema, region);
    }
  }

  /** Moves a complete directory from the temporary place to its own. */
  public void endStaging(TableName table) throws IOException {
    storage.rename(staging(table), directory(table));
  }

  /**
   * Replaces a table's directory by one with new, empty regions; the old one waits for {@link
   * #sweep}.
   */
  public void replace(TableSchema schema, List<RegionInfo> regions) throws IOException {
    if (!holds(regions)) {
      hide(schema.name());
      create(schema, regions);
    }
  }

  /**
   * As {@link #replace}, with regions that are not empty. The present files are in the archive
   * before {@code contents} are written.
   */
  public void replaceWith(TableSchema schema, List<RegionInfo> regions, Contents contents)
      throws IOException {
    if (!holds(regions)) {
      hide(schema.name());
      archive.archiveTable(grave(schema.name()), DATA, schema.name());
      stage(schema, regions, contents);
    }
  }

  /** Removes the files of {@link #create}, complete or not, and nothing else. */
  public void undoCreate(TableName table, List<RegionInfo> regions) throws IOException {
    if (hasOnly(directory(table), regions)) {
      hide(table);
    }
    sweep(table);
  }

  /** Tells whether a table's directory has no region but some of {@code regions}. */
  private boolean hasOnly(String home, List<RegionInfo> regions) throws IOException {
    Set<String> names = regions.stream().map(RegionInfo::encodedName).collect(Collectors.toSet());
    return storage.list(home).stream()
        .filter(entry -> !entry.name().startsWith("."))
        .allMatch(entry -> names.contains(entry.name()));
  }

  /** Returns the names of the directories of the table's regions, in no order. */
  public Set<String> regionDirectories(TableName table) throws IOException {
    return storage.list(directory(table)).stream()
        .filter(entry -> entry.directory() && !entry.name().startsWith("."))
        .map(Storage.FileInfo::name)
        .collect(Collectors.toSet());
  }

  /** Returns the contents of the directories of the table's regions, in no order. */
  public List<RegionContents> regionContents(TableName table) throws IOException {
    List<RegionContents> all = new ArrayList<>();
    for (String name : regionDirectories(table)) {
      all.add(RegionContents.read(storage, table, directory(table) + "/" + name));
    }
    return all;
  }

  /** Creates the missing directories of new regions of a table. */
  public void addRegions(TableSchema schema, List<RegionInfo> regions) throws IOException {
    for (RegionInfo region : regions) {
      if (storage.exists(directory(region))) {
        createRegion(directory(schema.name()), schema, region);
      } else {
        String prepared = staging(schema.name());
        storage.delete(prepared);
        createRegion(prepared, schema, region);
        storage.rename(prepared + "/" + region.encodedName(), directory(region));
        storage.delete(prepared);
      }
    }
  }

  /** Tells whether the table's directory contains regions. */
  public boolean hasRegions(TableName table) throws IOException {
    return hasRegions(directory(table));
  }

  private boolean hasRegions(String home) throws IOException {
    return !hasOnly(home, List.of());
  }

  private boolean holds(List<RegionInfo> regions) throws IOException {
    for (RegionInfo region : regions) {
      if (!storage.exists(directory(region))) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes a table's directory away in one step; {@link #sweep} then removes it. Its MOB files go to
   * the archive.
   */
  public void hide(TableName table) throws IOException {
    String home = directory(table);
    String grave = grave(table);
    if (storage.exists(home)) {
      archive.archiveTable(grave, DATA, table);
      storage.rename(home, grave);
    }
    String mobHome = MobDirectory.ROOT + "/" + home;
    for (Storage.FileInfo region : storage.list(mobHome)) {
      bury(region.path(), table, region.name());
    }
    storage.delete(mobHome);
  }

  /** Moves a directory of a table into its grave, if there is such a directory. */
  private void bury(String directory, TableName table, String place) throws IOException {
    if (storage.exists(directory)) {
      String grave = grave(table) + "/" + place;
      if (storage.exists(grave)) {
        archive.archiveTable(grave(table), DATA, table);
      }
      storage.rename(directory, grave);
    }
  }

  /**
   * Completes the changes of replaced masters: archives the files that they left between two names.
   */
  public void sweepAbandoned(FencedStorage fenced) throws IOException {
    for (String abandoned : fenced.abandoned()) {
      for (String moved : fenced.moving(abandoned)) {
        for (String place : List.of(DATA, "mobdir/data", StoreDirectory.DELETED, "archive/data")) {
          for (TableName table : tablesIn(moved + "/" + place)) {
            archive.archiveTable(
                moved + "/" + place + "/" + table.namespace() + "/" + table.qualifier(),
                DATA,
                table);
          }
        }
      }
      storage.delete(abandoned);
    }
  }

  /**
   * Removes the rest of a table from the temporary directory. Its store files go to the archive,
   * also those of a table whose creation was not finished: HBase before 2.3 moves removed tables
   * there.
   */
  public void sweep(TableName table) throws IOException {
    archive.archiveTable(grave(table), DATA, table);
    archive.archiveTable(TEMPORARY + "/" + directory(table), DATA, table);
    storage.delete(staging(table));
  }

  /** Removes MOB files that HBase was writing when it was killed. */
  public void sweepMobFiles() throws IOException {
    storage.delete(MobDirectory.ROOT + "/" + TEMPORARY);
  }

  /** Returns the tables that have something in the temporary directory. */
  public List<TableName> leftovers() throws IOException {
    List<TableName> tables = new ArrayList<>();
    tables.addAll(tablesIn(TEMPORARY + "/" + DATA));
    tables.addAll(tablesIn(StoreDirectory.DELETED));
    return tables;
  }

  /** Returns the tables that have a directory. */
  public List<TableName> tables() throws IOException {
    return tablesIn(DATA);
  }

  /** Tells whether the table has a directory. */
  public boolean exists(TableName table) throws IOException {
    return storage.exists(directory(table));
  }

  /** Makes a namespace's directory. */
  public void createNamespace(String namespace) throws IOException {
    storage.createDirectories(DATA + "/" + namespace);
  }

  /**
   * Removes a namespace's directory.
   *
   * @return whether it is gone; else it holds directories that may be tables', and stays
   */
  public boolean deleteNamespace(String namespace) throws IOException {
    String directory = DATA + "/" + namespace;
    if (storage.list(directory).stream().anyMatch(Storage.FileInfo::directory)) {
      return false;
    }
    storage.delete(directory);
    return true;
  }

  /**
   * Archives the files of a region that was split and removes its directory, unless other regions
   * have references to them.
   *
   * @return whether it is gone
   */
  public boolean retire(RegionInfo splitParent) throws IOException {
    return new RegionFamilyTree(splitParent.table(), DATA, storage).retire(splitParent);
  }

  /** Removes the directory of a region that was never open. */
  public void deleteRegion(RegionInfo region) throws IOException {
    storage.delete(directory(region));
  }

  /** Makes the directories of families that the descriptor has, in every given region. */
  public void createFamilies(TableSchema schema, List<RegionInfo> regions) throws IOException {
    for (RegionInfo region : regions) {
      for (FamilySchema family : schema.families()) {
        storage.createDirectories(directory(region) + "/" + family.nameAsString());
      }
    }
  }

  /**
   * Ends the {@linkplain TableGeneration generation} of a table, before or after rows disappear
   * without a record in the logs.
   */
  public void endGeneration(TableName table) throws IOException {
    TableGeneration.end(storage, table);
  }

  /** Archives the files of {@code families} of every given region, and their MOB files. */
  public void deleteFamilies(TableName table, List<String> families, List<RegionInfo> regions)
      throws IOException {
    for (RegionInfo region : regions) {
      new ClosedFiles(storage, RegionDirectory.of(DATA, region)).delete();
      for (String family : families) {
        bury(directory(region) + "/" + family, table, region.encodedName() + "/" + family);
      }
    }
    for (String family : families) {
      MobDirectory mob = MobDirectory.of(DATA, table, family);
      bury(mob.path(), table, mob.place().region() + "/" + family);
    }
    archive.archiveTable(grave(table), DATA, table);
  }

  private void createRegion(String tableDirectory, TableSchema schema, RegionInfo region)
      throws IOException {
    String home = tableDirectory + "/" + region.encodedName();
    if (!isRegionInfo(home + "/" + REGION_INFO)) {
      write(storage, home + "/" + REGION_INFO, RegionInfoFormat.toFile(region));
    }
    for (FamilySchema family : schema.families()) {
      storage.createDirectories(home + "/" + family.nameAsString());
    }
  }

  private boolean isRegionInfo(String path) throws IOException {
    if (!storage.exists(path)) {
      return false;
    }
    try {
      RegionInfoFormat.fromFile(storage.readAll(path));
      return true;
    } catch (IllegalArgumentException e) {
      return false; // Torn: its writer was killed.
    }
  }

  /** Writes a small file, also over an incomplete one. */
  static void write(Storage storage, String path, byte[] bytes) throws IOException {
    storage.delete(path);
    try (AppendFile file = storage.create(path)) {
      file.write(bytes, 0, bytes.length);
      file.sync();
    }
  }

  private List<TableName> tablesIn(String directory) throws IOException {
    List<TableName> tables = new ArrayList<>();
    for (Storage.FileInfo namespace : storage.list(directory)) {
      if (!namespace.directory()) {
        continue;
      }
      for (Storage.FileInfo table : storage.list(namespace.path())) {
        if (table.directory()) {
          tables.add(new TableName(namespace.name(), table.name()));
        }
      }
    }
    return tables;
  }

  private String staging(TableName table) {
    return staging + "/" + directory(table);
  }

  private static String grave(TableName table) {
    return StoreDirectory.DELETED + "/" + table.namespace() + "/" + table.qualifier();
  }
}
