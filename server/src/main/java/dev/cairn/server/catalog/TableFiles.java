package dev.cairn.server.catalog;

import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.region.ClosedFiles;
import dev.cairn.engine.region.RegionFamilyTree;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The directories and descriptors of tables, in HBase's layout. All changes can be made twice.
 *
 * <pre>
 *   data/namespace/table/.tabledesc/.tableinfo.0000000001.417   PBUF, TableSchema message;
 *                                                              generation and length in the name;
 *                                                              older ones lack the length or both
 *   data/namespace/table/region/.regioninfo                    PBUF, delimited RegionInfo message
 *   data/namespace/table/region/family/
 *   .tmp/data/namespace/table/                                 a table that is being made
 *   .tmp/deleted/namespace/table/                              a table that is being removed
 * </pre>
 *
 * A table appears and disappears by one rename. Thread-safe as far as no two threads change the
 * same table.
 */
public final class TableFiles {
  private static final String DATA = "data";
  private static final String TEMPORARY = ".tmp";
  private static final String DESCRIPTORS = ".tabledesc";
  private static final String REGION_INFO = ".regioninfo";
  private static final String SET_ASIDE = "corrupt";
  private static final Pattern DESCRIPTOR =
      Pattern.compile("\\.tableinfo(?:\\.(\\d{10})(?:\\.(\\d+))?)?");

  private final Storage storage;
  private final HFileArchive archive;

  /** Creates a view of the root directory {@code storage}. */
  public TableFiles(Storage storage) {
    this.storage = storage;
    this.archive = new HFileArchive(storage);
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
   * Makes a table's directory with its descriptor and regions, or what is missing of it: HBase
   * makes one piece by piece, in its place, and may have been killed while it did.
   *
   * @throws FileAlreadyExistsException if there is one with other regions: what it holds belongs to
   *     somebody
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
        replaceDescriptor(schema);
      } else if (newestDescriptor(schema.name()).isEmpty()) {
        writeDescriptor(home, schema, 1);
      }
      for (RegionInfo region : regions) {
        createRegion(home, schema, region);
      }
      return;
    }
    String staging = staging(schema.name());
    storage.delete(staging);
    writeDescriptor(staging, schema, 1);
    for (RegionInfo region : regions) {
      createRegion(staging, schema, region);
    }
    storage.rename(staging, home);
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

  /** Removes what {@link #create} made, whole or in part, and nothing else. */
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
    archive.archiveTable(MobDirectory.ROOT + "/" + home, DATA, table);
    String grave = grave(table);
    if (storage.exists(home)) {
      archive.archiveTable(grave, DATA, table);
      storage.rename(home, grave);
    }
  }

  /**
   * Removes what is left of a table in the temporary directory. Its store files go to the archive,
   * also those of a table that was to be made: HBase before 2.3 puts tables there that are removed.
   */
  public void sweep(TableName table) throws IOException {
    archive.archiveTable(grave(table), DATA, table);
    archive.archiveTable(staging(table), DATA, table);
  }

  /** Removes MOB files that HBase was writing when it was killed. */
  public void sweepMobFiles() throws IOException {
    storage.delete(MobDirectory.ROOT + "/" + TEMPORARY);
  }

  /** Returns the tables that have something in the temporary directory. */
  public List<TableName> leftovers() throws IOException {
    List<TableName> tables = new ArrayList<>();
    tables.addAll(tablesIn(TEMPORARY + "/" + DATA));
    tables.addAll(tablesIn(TEMPORARY + "/deleted"));
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
   * Returns the table's newest complete descriptor; empty if there is no descriptor file.
   *
   * @throws DamagedFileException if it is damaged, or if all descriptor files are incomplete
   */
  public Optional<TableSchema> readDescriptor(TableName table) throws IOException {
    Optional<TableSchema> schema = readDescriptor(storage, directory(table));
    if (schema.isPresent() && !schema.get().name().equals(table)) {
      throw new DamagedFileException(
          directory(table) + "/" + DESCRIPTORS,
          0,
          "expected the descriptor of " + table + ", found that of " + schema.get().name());
    }
    return schema;
  }

  /**
   * Returns the newest complete descriptor of the table whose directory is {@code directory}, below
   * any root directory; empty if there is no descriptor file.
   *
   * @throws DamagedFileException if it is damaged, or if all descriptor files are incomplete
   */
  public static Optional<TableSchema> readDescriptor(Storage storage, String directory)
      throws IOException {
    List<Storage.FileInfo> all = descriptors(storage, directory);
    Optional<Storage.FileInfo> newest = newest(all).or(() -> all.stream().findFirst());
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    String path = newest.get().path();
    return Optional.of(descriptor(storage.readAll(path), path));
  }

  /**
   * Returns the table's newest complete descriptor.
   *
   * @throws DamagedFileException also if there is no descriptor file
   */
  public TableSchema requireDescriptor(TableName table) throws IOException {
    Optional<TableSchema> schema = readDescriptor(table);
    if (schema.isEmpty()) {
      throw DamagedFileException.missing(
          directory(table) + "/" + DESCRIPTORS + "/.tableinfo.*", "expected a table's descriptor");
    }
    return schema.get();
  }

  /**
   * Rewrites the descriptor of one of the server's own tables if it is damaged or missing; its
   * content is known. The damaged file is moved to {@code corrupt}.
   *
   * @return the reason, if the descriptor was rewritten
   */
  public Optional<String> repairDescriptor(TableSchema known) throws IOException {
    String reason;
    try {
      requireDescriptor(known.name());
      return Optional.empty();
    } catch (DamagedFileException e) {
      reason = e.getMessage();
    }
    int generation = 0;
    for (Storage.FileInfo file : descriptors(known.name())) {
      generation = Math.max(generation, generation(file.name()));
      storage.rename(file.path(), SET_ASIDE + "/" + known.name().namespace() + "." + file.name());
    }
    writeDescriptor(directory(known.name()), known, generation + 1);
    return Optional.of(reason);
  }

  /**
   * Reads the content of a file in {@code .tabledesc}.
   *
   * @param path the file's path; the file name may contain the length
   * @throws DamagedFileException if the content is incomplete or not a descriptor
   */
  public static TableSchema descriptor(byte[] content, String path) throws DamagedFileException {
    if (!isWhole(Storage.name(path), content.length)) {
      throw new DamagedFileException(
          path,
          content.length,
          lengthInName(Storage.name(path))
                  .map(length -> "expected " + length + " bytes, the length in the file's name")
                  .orElse("expected a table's descriptor")
              + ", found "
              + content.length
              + " bytes");
    }
    try {
      return TableSchema.parse(Messages.fromFile(content, path));
    } catch (IOException | IllegalArgumentException e) {
      throw new DamagedFileException(
          path, 0, "expected a table's descriptor; " + Messages.withoutPath(e, path));
    }
  }

  /** Replaces the table's descriptor, unless it is the same already. */
  public void replaceDescriptor(TableSchema schema) throws IOException {
    Optional<Storage.FileInfo> newest = newestDescriptor(schema.name());
    if (newest.isPresent() && readDescriptor(schema.name()).filter(schema::equals).isPresent()) {
      return;
    }
    int generation = newest.map(file -> generation(file.name())).orElse(0) + 1;
    writeDescriptor(directory(schema.name()), schema, generation);
    for (Storage.FileInfo file : storage.list(directory(schema.name()) + "/" + DESCRIPTORS)) {
      if (generation(file.name()) < generation) {
        storage.delete(file.path());
      }
    }
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

  /** Archives the files of {@code families} of every given region, and their MOB files. */
  public void deleteFamilies(TableName table, List<String> families, List<RegionInfo> regions)
      throws IOException {
    for (RegionInfo region : regions) {
      new ClosedFiles(storage, RegionDirectory.of(DATA, region)).delete();
      for (String family : families) {
        archive.archiveFamily(
            directory(region) + "/" + family,
            new StoreDirectory(DATA, region.table(), region.encodedName(), family));
      }
    }
    for (String family : families) {
      MobDirectory mob = MobDirectory.of(DATA, table, family);
      archive.archiveFamily(mob.path(), mob.place());
    }
  }

  private void createRegion(String tableDirectory, TableSchema schema, RegionInfo region)
      throws IOException {
    String home = tableDirectory + "/" + region.encodedName();
    if (!isRegionInfo(home + "/" + REGION_INFO)) {
      write(home + "/" + REGION_INFO, RegionInfoFormat.toFile(region));
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
      return false; // Torn: whoever wrote it was killed.
    }
  }

  private void writeDescriptor(String tableDirectory, TableSchema schema, int generation)
      throws IOException {
    byte[] bytes = Messages.toFile(schema.message());
    write(
        tableDirectory
            + "/"
            + DESCRIPTORS
            + "/.tableinfo."
            + "%010d.%d".formatted(generation, bytes.length),
        bytes);
  }

  private void write(String path, byte[] bytes) throws IOException {
    storage.delete(path);
    try (AppendFile file = storage.create(path)) {
      file.write(bytes, 0, bytes.length);
      file.sync();
    }
  }

  private List<Storage.FileInfo> descriptors(TableName table) throws IOException {
    return descriptors(storage, directory(table));
  }

  private static List<Storage.FileInfo> descriptors(Storage storage, String directory)
      throws IOException {
    return storage.list(directory + "/" + DESCRIPTORS).stream()
        .filter(file -> DESCRIPTOR.matcher(file.name()).matches())
        .toList();
  }

  private Optional<Storage.FileInfo> newestDescriptor(TableName table) throws IOException {
    return newest(descriptors(table));
  }

  private static Optional<Storage.FileInfo> newest(List<Storage.FileInfo> descriptors) {
    return descriptors.stream()
        .filter(file -> isWhole(file.name(), file.length()))
        .max(Comparator.comparingInt(file -> generation(file.name())));
  }

  private static boolean isWhole(String name, long length) {
    return length > 0
        && lengthInName(name).map(expected -> expected.equals(Long.toString(length))).orElse(true);
  }

  /** Returns the decimal length in a descriptor file's name. */
  private static Optional<String> lengthInName(String name) {
    Matcher matcher = DESCRIPTOR.matcher(name);
    return matcher.matches() ? Optional.ofNullable(matcher.group(2)) : Optional.empty();
  }

  private static int generation(String name) {
    Matcher matcher = DESCRIPTOR.matcher(name);
    return matcher.matches() && matcher.group(1) != null ? Integer.parseInt(matcher.group(1)) : 0;
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

  private static String staging(TableName table) {
    return TEMPORARY + "/" + directory(table);
  }

  private static String grave(TableName table) {
    return TEMPORARY + "/deleted/" + table.namespace() + "/" + table.qualifier();
  }
}
