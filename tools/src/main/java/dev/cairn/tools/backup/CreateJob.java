package dev.cairn.tools.backup;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeCursors;
import dev.cairn.engine.changes.ChangePosition;
import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.changes.ChangeStart;
import dev.cairn.engine.changes.ChangesLostException;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.TableDescriptors;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.catalog.TableGeneration;
import dev.cairn.server.snapshot.SnapshotContent;
import dev.cairn.server.snapshot.SnapshotDirectory;
import dev.cairn.server.snapshot.StoredSnapshot;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.SnapshotDescription;

/**
 * Makes a backup of tables while they are written: a full one, or the changes since the newest one
 * of the same chain. A cursor of the changes holds the logs from one backup to the next.
 *
 * <p>A full backup takes its snapshots after it has begun to read the changes. So its changes begin
 * before the snapshots. The earliest ones are in the snapshots already, and a restore applies them
 * again, with all later ones. This has no effect.
 */
public final class CreateJob {
  /** Why a backup cannot continue the last one. */
  private static final String ROWS_WENT =
      "a table was truncated, restored or created anew, or lost a family or the rows of a region,";

  /** The beginning of a cursor's purpose; the folder follows. */
  private static final String PURPOSE = "the backups in ";

  /** The longest time between a write's time and its entry in the log. */
  private static final long SETTLING_MILLIS = Duration.ofSeconds(1).toMillis();

  private final Source source;
  private final BackupFolder folder;
  private final Set<TableName> tables;
  private final ChangeCursor.Limits limits;
  private final Clock clock;
  private final Consumer<String> notice;
  private final String chain;
  private final TableDescriptors descriptors;
  private final ServerClocks clocks;

  /** The cluster whose tables are backed up. */
  public interface Source {
    /** Returns the root directory with its logs. */
    Storage root();

    /** Returns the name of the root directory. */
    String name();

    /** Opens a stream of changes. */
    ChangeReader changes(Set<TableName> tables, ChangeStart start) throws IOException;

    /** Returns the client's view of the cluster. */
    Admin admin() throws IOException;
  }

  /**
   * Returns the tables of a backup whose caller names none: all tables for a full backup, otherwise
   * the tables of the backups in the folder.
   *
   * @throws BackupException if there are none, or backups of different tables
   */
  public static Set<TableName> tables(Extent extent, BackupFolder folder, Admin admin)
      throws IOException {
    if (extent == Extent.FULL) {
      Set<TableName> all = new TreeSet<>();
      for (var table : admin.listTableNames()) {
        all.add(new TableName(table.getNamespaceAsString(), table.getQualifierAsString()));
      }
      if (all.isEmpty()) {
        throw new BackupException("there are no tables");
      }
      return all;
    }
    Set<Set<TableName>> sets = new HashSet<>();
    folder.read().backups().forEach(backup -> sets.add(backup.tables().keySet()));
    if (sets.size() != 1) {
      throw new BackupException(
          folder.name()
              + (sets.isEmpty()
                  ? " has no backup yet: make one with full"
                  : " has backups of different tables: name them with -t"));
    }
    return sets.iterator().next();
  }

  /**
   * Creates a job.
   *
   * @param limits the limits up to which the logs after the backup are held
   * @param clock for waits and the age of the cursor; the moments of the backup come from the
   *     clocks of the servers
   * @param notice receives messages about actions that the caller did not request
   */
  public CreateJob(
      Source source,
      BackupFolder folder,
      Set<TableName> tables,
      ChangeCursor.Limits limits,
      Clock clock,
      Consumer<String> notice)
      throws IOException {
    this.source = source;
    this.folder = folder;
    this.tables = new TreeSet<>(tables);
    this.limits = limits;
    this.clock = clock;
    this.notice = notice;
    this.clocks = new ServerClocks(source.admin(), clock);
    this.descriptors = new TableFiles(source.root()).descriptors();
    this.chain = chain(source.name() + " " + this.tables + " " + folder.name());
  }

  private static String chain(String text) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ b) * 0x100000001b3L;
    }
    return HexFormat.of().toHexDigits(hash);
  }

  /** The contents of a backup. */
  public enum Extent {
    /** The snapshots and the changes. */
    FULL,

    /** The changes; the snapshots, too, if no backup can be continued. */
    FULL_IF_NEEDED,

    /** The changes alone. */
    CHANGES
  }

  /**
   * Makes a backup.
   *
   * @throws BackupException also if {@code extent} is {@link Extent#CHANGES} and no backup can be
   *     continued
   */
  public BackupManifest run(Extent extent) throws IOException {
    boolean isFullWanted = extent == Extent.FULL;
    folder.sweep();
    deleteSnapshots();
    List<BackupManifest> backups = folder.read().backups();
    Optional<BackupManifest> newest = BackupFolder.newest(backups, chain);
    Map<TableName, String> generations = generations();
    Optional<String> gap = newest.flatMap(last -> gap(backups, last, generations));
    Optional<String> moved = newest.isEmpty() ? moved(backups) : Optional.empty();
    Optional<BackupManifest> previous = newest.filter(last -> gap.isEmpty());
    boolean full = isFullWanted || previous.isEmpty();
    if (extent == Extent.CHANGES && previous.isEmpty()) {
      throw new BackupException(
          gap.or(() -> moved)
                  .orElse(folder.name() + " has no backup of exactly these tables: " + tables)
              + ". Make a full backup");
    }
    if (gap.isPresent()) {
      notice.accept(
          gap.get()
              + ": this backup is a full one, and moments between the two cannot be restored");
    }
    if (newest.isEmpty() && !backups.isEmpty()) {
      notice.accept(
          moved.orElse(
                  "the folder has backups of other tables or of another cluster, and none of exactly"
                      + " these tables")
              + ": this backup is a full one, and from now on logs are kept for both");
    }
    Begun begun = begin(previous, isFullWanted);
    try (ChangeReader reader = begun.reader()) {
      if (begun.previous().isEmpty()) {
        hold(reader.position());
      }
      BackupManifest made = make(reader, begun.previous(), full, generations);
      hold(ChangePosition.parse(made.position()));
      return made;
    } finally {
      deleteSnapshots();
    }
  }

  /**
   * Returns a notice if the folder was moved or copied: it has backups of these tables, and the
   * cluster still has their cursor. The notice names the old path and the cursor.
   */
  private Optional<String> moved(List<BackupManifest> backups) throws IOException {
    ChangeCursors cursors = new ChangeCursors(source.root());
    for (BackupManifest backup : backups) {
      Optional<ChangeCursor> cursor =
          backup.tables().keySet().equals(tables)
              ? cursors.find(cursorName(backup.chain()))
              : Optional.empty();
      if (cursor.isPresent()) {
        return Optional.of(
            "the backups of these tables in "
                + folder.name()
                + " were made in "
                + cursor
                    .get()
                    .purpose()
                    .map(purpose -> purpose.replace(PURPOSE, ""))
                    .orElse("another folder")
                + " and moved or copied here, so they can be continued only there (if that folder"
                + " is not used any more, bin/cairn changes --delete-cursor "
                + cursor.get().name()
                + " frees its logs)");
      }
    }
    return Optional.empty();
  }

  /** The stream of the changes, and the backup after which it begins. */
  private record Begun(ChangeReader reader, Optional<BackupManifest> previous) {}

  private Begun begin(Optional<BackupManifest> previous, boolean isFullWanted) throws IOException {
    try {
      return new Begun(source.changes(tables, start(previous)), previous);
    } catch (ChangesLostException e) {
      if (!isFullWanted) {
        throw new BackupException(
            "the changes since the backup "
                + previous.map(BackupManifest::id).orElse("")
                + " are not all there: "
                + e.getMessage()
                + ". Make a full backup (--full)",
            e);
      }
      return new Begun(source.changes(tables, new ChangeStart.Now()), Optional.empty());
    }
  }

  private Map<TableName, String> generations() throws IOException {
    Map<TableName, String> found = new TreeMap<>();
    for (TableName table : tables) {
      if (descriptors.read(table).isEmpty()) {
        throw new BackupException("there is no table " + table);
      }
      found.put(table, TableGeneration.of(source.root(), table));
    }
    return found;
  }

  /** Returns why the next backup cannot continue {@code last}; empty if it can. */
  private Optional<String> gap(
      List<BackupManifest> backups, BackupManifest last, Map<TableName, String> generations) {
    if (!continues(last, generations)) {
      return Optional.of(ROWS_WENT + " since the backup " + last.id());
    }
    return BackupFolder.reachesFull(backups, last)
        ? Optional.empty()
        : Optional.of("a backup that " + last.id() + " continues is lost or damaged");
  }

  private boolean continues(BackupManifest last, Map<TableName, String> generations) {
    return generations.entrySet().stream()
        .allMatch(
            table ->
                last.tables().containsKey(table.getKey())
                    && last.tables().get(table.getKey()).generation().equals(table.getValue()));
  }

  private static ChangeStart start(Optional<BackupManifest> previous) throws IOException {
    if (previous.isEmpty()) {
      return new ChangeStart.Now();
    }
    return new ChangeStart.After(ChangePosition.parse(previous.get().position()));
  }

  private BackupManifest make(
      ChangeReader reader,
      Optional<BackupManifest> previous,
      boolean full,
      Map<TableName, String> generations)
      throws IOException {
    ServerClocks.Reading first = clocks.newest();
    long begin = first.slowest();
    String id = folder.newId(begin);
    String directory = BackupFolder.working(id);
    List<BackupFile> files = new ArrayList<>();
    LoadCopies loaded = new LoadCopies(source.root(), folder.storage(), directory);
    Map<TableName, BackupManifest.TablePart> parts = new TreeMap<>();
    tables.forEach(
        table ->
            parts.put(
                table, new BackupManifest.TablePart(generations.get(table), "", Optional.empty())));
    long changes = 0;
    long end = begin;
    if (previous.isPresent()) {
      try (ChangeFiles before = new ChangeFiles(folder.storage(), directory, BackupFile.BEFORE)) {
        end = drain(reader, before, loaded, begin);
        files.addAll(before.end());
        changes += before.changes();
      }
    }
    Optional<Long> whole = Optional.empty();
    if (full) {
      int number = 0;
      List<String> snapshots = new ArrayList<>();
      for (TableName table : tables) {
        String name = snapshotPrefix() + id.replace(".", "") + "-" + ++number;
        snapshots.add(name);
        LastingSnapshot.take(source.admin(), name, hbase(table));
        parts.put(
            table, new BackupManifest.TablePart(generations.get(table), name, Optional.empty()));
      }
      whole = Optional.of(clocks.read(begin).upperBound(first));
      for (String snapshot : snapshots) {
        copy(snapshot, directory, files);
      }
      try (ChangeFiles after = new ChangeFiles(folder.storage(), directory, BackupFile.AFTER)) {
        end = drain(reader, after, loaded, whole.get());
        files.addAll(after.end());
        changes += after.changes();
      }
    }
    files.addAll(loaded.files());
    for (TableName table : tables) { // After the changes, so that each has all families.
      TableSchema schema = descriptors.require(table);
      parts.computeIfPresent(
          table,
          (name, part) ->
              new BackupManifest.TablePart(
                  part.generation(), part.snapshot(), Optional.of(schema)));
    }
    if (!generations().equals(generations)) {
      throw new BackupException(ROWS_WENT + " during the backup; repeat it");
    }
    BackupManifest manifest =
        new BackupManifest(
            id,
            chain,
            previous.map(BackupManifest::id),
            begin,
            whole,
            end,
            reader.position().text(),
            parts,
            loaded.missing(),
            changes,
            List.of(),
            files);
    folder.publish(manifest);
    return manifest;
  }

  /**
   * Writes all changes that were made before this call. Returns a time by the clocks of the
   * servers; all changes up to it are written.
   *
   * @param millis the returned time is not before this one, unless a server starts meanwhile
   */
  private long drain(ChangeReader reader, ChangeFiles target, LoadCopies loaded, long millis)
      throws IOException {
    ServerClocks.Reading now = clocks.read(millis);
    try {
      clock.await(new CompletableFuture<>(), Duration.ofMillis(SETTLING_MILLIS).toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
    for (int round = 0; round < 2; round++) { // A round returns the changes read by the one before.
      reader.poll();
      while (reader.next()) {
        target.add(reader.change());
        loaded.add(reader.change());
      }
    }
    return now.lowerBound(clocks.newest());
  }

  private void copy(String name, String directory, List<BackupFile> files) throws IOException {
    StoredSnapshot snapshot =
        new SnapshotDirectory(source.root())
            .read(name)
            .orElseThrow(() -> new BackupException("the snapshot " + name + " is gone"));
    for (Storage.FileInfo file : source.root().list(SnapshotDirectory.NAME + "/" + name)) {
      if (!file.directory()) {
        files.add(
            FileCopy.copy(
                source.root(),
                List.of(file.path()),
                folder.storage(),
                directory,
                BackupFile.ROOT + file.path()));
      }
    }
    for (SnapshotContent.HFile file : SnapshotContent.of(snapshot)) {
      String path = BackupFile.ROOT + file.archived();
      if (files.stream().noneMatch(copied -> copied.path().equals(path))) {
        files.add(FileCopy.copy(source.root(), file.places(), folder.storage(), directory, path));
      }
    }
  }

  private void hold(ChangePosition position) throws IOException {
    ChangeCursors cursors = new ChangeCursors(source.root());
    String name = cursorName(chain);
    if (cursors.find(name).filter(cursor -> cursor.lost().isPresent()).isPresent()) {
      cursors.delete(name);
    }
    cursors.save(
        new ChangeCursor(
            name,
            position,
            clock.currentTimeMillis(),
            limits,
            Optional.of(PURPOSE + folder.name().replace('\n', ' ')),
            Optional.empty()));
  }

  private static String cursorName(String chain) {
    return "backup-" + chain;
  }

  private String snapshotPrefix() {
    return "cairn-backup-" + chain + "-";
  }

  private void deleteSnapshots() throws IOException {
    for (SnapshotDescription snapshot : source.admin().listSnapshots()) {
      if (snapshot.getName().startsWith(snapshotPrefix())) {
        source.admin().deleteSnapshot(snapshot.getName());
      }
    }
  }

  static org.apache.hadoop.hbase.TableName hbase(TableName table) {
    return org.apache.hadoop.hbase.TableName.valueOf(table.namespace(), table.qualifier());
  }
}
