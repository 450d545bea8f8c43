package dev.cairn.server.master.cleaner;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.MovingFile;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.mob.MobFileRefs;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Archives MOB files without references from store files: major compactions and dropped cells leave
 * them behind, and so does a crash between a MOB file and its store file.
 *
 * <p>Servers write meanwhile. So MOB files are listed first, then store files; if a store file
 * disappears before it is read, or a repeated listing differs, the run ends without a change. Files
 * younger than {@code hbase.mob.min.age.archive} stay, since their store file may be about to get
 * its name. Thread-safe: one run at a time, others do nothing.
 */
public final class MobCleaner {
  /** The time between two looks. */
  public static final ConfigKey<Long> PERIOD_SECONDS =
      ConfigKey.number(
              "hbase.master.mob.cleaner.period",
              86_400,
              0,
              Integer.MAX_VALUE,
              "Time between two checks for MOB files without a reference from a store file,"
                  + " in seconds; 0 means none.")
          .formerly("hbase.master.mob.ttl.cleaner.period");

  /** The minimum age of a file. */
  public static final ConfigKey<Long> MIN_AGE_MILLIS =
      ConfigKey.number(
          "hbase.mob.min.age.archive",
          3_600_000,
          0,
          Long.MAX_VALUE,
          "Minimum age of a MOB file that may be archived, in milliseconds.");

  private static final Logger LOG = LoggerFactory.getLogger(MobCleaner.class);
  private static final String DATA = "data";
  private static final int ATTEMPTS = 3;
  private static final byte[] LONGEST_TAGS = Bytes.utf8("hfile.MAX_TAGS_LEN");
  private static final byte[] BULK_LOAD_TIME = Bytes.utf8("BULKLOAD_TIMESTAMP");

  private final Storage storage;
  private final Clock clock;
  private final long minAgeMillis;
  private final TableFiles tables;
  private final HFileArchive archive;
  private final AtomicBoolean running = new AtomicBoolean();

  /** Creates a cleaner of the root directory {@code storage}. */
  public MobCleaner(SiteConfig config, Storage storage, Clock clock) {
    this.storage = storage;
    this.clock = clock;
    this.minAgeMillis = config.get(MIN_AGE_MILLIS);
    this.tables = new TableFiles(storage);
    this.archive = new HFileArchive(storage);
  }

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(PERIOD_SECONDS, MIN_AGE_MILLIS);
  }

  /** One file of a table's MOB directory that may go. */
  private record Candidate(TableName table, MobDirectory directory, String name) {}

  /**
   * Looks once.
   *
   * @return how many files were archived
   * @throws IOException also if a store file cannot be read; then nothing is archived
   */
  public int clean() throws IOException {
    if (!running.compareAndSet(false, true)) {
      return 0;
    }
    try {
      List<Candidate> candidates = candidates();
      if (candidates.isEmpty()) {
        return 0;
      }
      Optional<Map<TableName, Set<String>>> needed = Optional.empty();
      for (int i = 0; i < ATTEMPTS && needed.isEmpty(); i++) {
        needed = needed();
      }
      return needed.isPresent() ? archive(candidates, needed.get()) : 0;
    } finally {
      running.set(false);
    }
  }

  private int archive(List<Candidate> candidates, Map<TableName, Set<String>> needed)
      throws IOException {
    if (SnapshotDirectory.isAnyBeingTaken(storage, "")) {
      return 0; // It lists MOB files last, and needs those of the store files that it has listed.
    }
    int archived = 0;
    for (Candidate candidate : candidates) {
      if (!needed.getOrDefault(candidate.table(), Set.of()).contains(candidate.name())) {
        archive.archiveMobFile(candidate.directory(), candidate.name());
        archived++;
      }
    }
    if (archived > 0) {
      LOG.info("Archived {} MOB files to which no store file refers", archived);
    }
    return archived;
  }

  /** Returns the files that are old enough, of all families of all tables. */
  private List<Candidate> candidates() throws IOException {
    long now = clock.currentTimeMillis();
    List<Candidate> candidates = new ArrayList<>();
    for (TableName table : tables.tables()) {
      String home = MobDirectory.ROOT + "/" + TableFiles.directory(table);
      for (Storage.FileInfo family : storage.list(home + "/" + MobDirectory.region(table))) {
        if (family.directory()) {
          MobDirectory directory = MobDirectory.of(DATA, table, family.name());
          for (Storage.FileInfo file : storage.list(family.path())) {
            boolean link = file.name().indexOf('=') >= 0; // of a table that is a clone
            if (isFile(file) && !link && now - file.modifiedMillis() >= minAgeMillis) {
              candidates.add(new Candidate(table, directory, file.name()));
            }
          }
        }
      }
    }
    return candidates;
  }

  /** Returns the files that store files refer to, by table; empty if that is unknown now. */
  private Optional<Map<TableName, Set<String>>> needed() throws IOException {
    Set<String> storeFiles = storeFiles();
    Map<TableName, Set<String>> needed = new HashMap<>();
    for (String path : storeFiles) {
      Optional<MobFileRefs> refs;
      try {
        refs = refs(path);
      } catch (NoSuchFileException e) {
        LOG.debug("{} went away while MOB files were looked through", path);
        return Optional.empty();
      }
      refs.orElse(MobFileRefs.NONE)
          .files()
          .forEach(
              (table, names) -> needed.computeIfAbsent(table, t -> new HashSet<>()).addAll(names));
    }
    // Files that both listings have existed together in between.
    return storeFiles.equals(storeFiles()) ? Optional.of(needed) : Optional.empty();
  }

  /**
   * Reads the references of a store file, or of the file that it leads to.
   *
   * @throws IOException if there is no entry although its family is a MOB family: HBase before 2.3
   *     wrote it, and its cells may refer to any MOB file
   */
  private Optional<MobFileRefs> refs(String path) throws IOException {
    StoreDirectory store = StoreDirectory.parse(path.substring(0, path.lastIndexOf('/')));
    return new MovingFile(store.targets(StoreFileName.parse(Storage.name(path))))
        .open(storage, target -> refs(path, target, store))
        .orElseThrow(() -> new NoSuchFileException(path));
  }

  private Optional<MobFileRefs> refs(String path, String target, StoreDirectory store)
      throws IOException {
    try (HFileReader reader =
        HFileReader.open(storage, target, new BlockCache(0, Runnable::run), CellComparator.USER)) {
      Optional<MobFileRefs> refs = MobFileRefs.of(target, reader.info());
      if (refs.isEmpty() && reader.info().entryCount() > 0 && mayRefer(reader, store)) {
        throw new IOException(
            path
                + " does not say to which MOB files it refers; no MOB file is archived before a"
                + " major compaction of "
                + store.table()
                + " has replaced it");
      }
      return refs;
    }
  }

  /** Without tags there are no references; nor are there any in files made for bulk loading. */
  private boolean mayRefer(HFileReader reader, StoreDirectory store) throws IOException {
    SortedMap<byte[], byte[]> info = reader.info().fileInfo();
    byte[] longestTags = info.get(LONGEST_TAGS);
    return (longestTags == null
            || longestTags.length != Integer.BYTES
            || Bytes.getInt(longestTags, 0) > 0)
        && !info.containsKey(BULK_LOAD_TIME)
        && tables
            .descriptors()
            .read(store.table())
            .flatMap(schema -> family(schema, store.family()))
            .map(FamilySchema::isMob)
            .orElse(false);
  }

  private static Optional<FamilySchema> family(TableSchema schema, String name) {
    return schema.families().stream()
        .filter(family -> family.nameAsString().equals(name))
        .findFirst();
  }

  /** Returns the paths of all store files of tables that have or had a MOB family. */
  private Set<String> storeFiles() throws IOException {
    Set<String> paths = new TreeSet<>();
    for (TableName table : tables.tables()) {
      if (!hasMobFiles(table)) {
        continue;
      }
      for (Storage.FileInfo region : directories(TableFiles.directory(table))) {
        for (Storage.FileInfo family : directories(region.path())) {
          for (Storage.FileInfo file : storage.list(family.path())) {
            if (isFile(file)) {
              paths.add(file.path());
            }
          }
        }
      }
    }
    return paths;
  }

  private boolean hasMobFiles(TableName table) throws IOException {
    return storage.exists(MobDirectory.ROOT + "/" + TableFiles.directory(table))
        || tables
            .descriptors()
            .read(table)
            .map(schema -> schema.families().stream().anyMatch(FamilySchema::isMob))
            .orElse(false);
  }

  private List<Storage.FileInfo> directories(String path) throws IOException {
    return storage.list(path).stream()
        .filter(file -> file.directory() && !file.name().startsWith("."))
        .filter(file -> !file.name().equals("recovered.edits"))
        .toList();
  }

  private static boolean isFile(Storage.FileInfo file) {
    return !file.directory() && !file.name().startsWith(".") && !file.name().startsWith("_");
  }
}
