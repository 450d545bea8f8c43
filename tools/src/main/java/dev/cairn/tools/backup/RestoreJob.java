package dev.cairn.tools.backup;

import dev.cairn.engine.changes.Change;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Restores a table as it was at a moment. Checks all files that it needs, clones the full backup's
 * snapshot under a working name, and writes the changes up to the moment to the clone. Then takes a
 * snapshot of the clone, and clones that under the table's name, so the table appears whole. After
 * a stop, the same command starts over and removes the remains.
 */
public final class RestoreJob {
  private static final int CLONES_MAX = 5;

  private final BackupFolder folder;
  private final BackupFolder.Ownership ownership;
  private final Storage root;
  private final Connection connection;
  private final Consumer<String> notice;

  /**
   * Creates a job.
   *
   * @param ownership the right to restore the table's name; {@link #lease} gives it
   * @param root the root directory of the cluster that gets the table
   * @param connection to that cluster; its codec decides whether tags of cells are restored
   * @param notice receives messages about damage to files that the restore does not need
   */
  public RestoreJob(
      BackupFolder folder,
      BackupFolder.Ownership ownership,
      Storage root,
      Connection connection,
      Consumer<String> notice) {
    this.notice = notice;
    this.folder = folder;
    this.ownership = ownership;
    this.root = root;
    this.connection = connection;
  }

  /**
   * Takes the lease of the name of the restored table.
   *
   * @param root the root directory of the cluster that gets the table
   * @throws BackupException if another process restores a table under that name
   */
  public static FolderLease lease(Storage root, TableName name, Clock clock) throws IOException {
    return FolderLease.take(
        new FolderLease.Place(root, RestoreNames.path(name) + ".", "the restored table " + name),
        "restore",
        FolderOwner.current(),
        FolderOwner::hasEnded,
        clock);
  }

  /** The result of a restore: its full backup, and the number of changes after it. */
  public record Restored(String full, long changes) {}

  /** A moment as the user names it. */
  public sealed interface Moment {
    /** The newest that the backups have. */
    record Newest() implements Moment {}

    /** A time, milliseconds since 1970. */
    record Time(long millis) implements Moment {}

    /** The newest moment of a backup and those before it. */
    record EndOf(BackupManifest backup) implements Moment {}

    /** A change of the stream; included or not. */
    record AtChange(String region, long sequence, boolean isIncluded) implements Moment {}
  }

  /**
   * Restores a table.
   *
   * @param table as it is called in the backup
   * @param name of the restored table
   * @param isReplacing whether a table of that name is deleted, once the restored one is ready
   */
  public Restored run(TableName table, TableName name, Moment moment, boolean isReplacing)
      throws IOException {
    List<BackupManifest> backups = backups(folder, moment);
    Bound bound = bound(folder, backups, table, moment);
    RestorePlan plan = plan(folder, backups, table, bound, notice);
    org.apache.hadoop.hbase.TableName target = CreateJob.hbase(name);
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(target) && !isReplacing) {
        throw new BackupException(
            "table " + name + " exists: choose another name (--as), or replace it (--replace)");
      }
      ownership.require();
      RestoreNames.sweep(root, admin, name);
      RestoreNames names = RestoreNames.choose(root, admin, name);
      cloneImported(admin, plan.full(), table, names);
      TableDescriptor declared = admin.getDescriptor(names.working());
      // The changes were acknowledged once; the table may have had other constraints then.
      TableDescriptor unchecked = withoutConstraints(declared);
      if (!unchecked.equals(declared)) {
        admin.modifyTable(unchecked);
      }
      long changes = apply(plan, table, bound, names.working());
      if (!unchecked.equals(declared)) {
        admin.modifyTable(declared);
      }
      LastingSnapshot.take(admin, names.ready(), names.working());
      ownership.require(); // Otherwise another process may have removed the snapshot.
      drop(admin, target);
      admin.cloneSnapshot(names.ready(), target);
      names.remove(root, admin);
      return new Restored(plan.full().id(), changes);
    }
  }

  private static TableDescriptor withoutConstraints(TableDescriptor table) {
    TableDescriptorBuilder unchecked = TableDescriptorBuilder.newBuilder(table);
    for (Bytes key : table.getValues().keySet()) {
      String name = Bytes.toString(key.get(), key.getOffset(), key.getLength());
      if (name.startsWith(ColumnRules.PREFIX)) {
        unchecked.removeValue(name);
      }
    }
    return unchecked.build();
  }

  /**
   * Checks that the backups have a moment of a table, and that all files that its restoration needs
   * are whole.
   *
   * @param notice receives messages about damage to other files
   * @throws BackupException if the table cannot be restored
   */
  public static RestorePlan check(
      BackupFolder folder, TableName table, Moment moment, Consumer<String> notice)
      throws IOException {
    List<BackupManifest> backups = backups(folder, moment);
    return plan(folder, backups, table, bound(folder, backups, table, moment), notice);
  }

  private void cloneImported(Admin admin, BackupManifest full, TableName table, RestoreNames names)
      throws IOException {
    SnapshotImport files = new SnapshotImport(folder, full, table, root, names.imported());
    files.run();
    for (int attempt = 1; ; attempt++) {
      try {
        admin.cloneSnapshot(names.imported(), names.working());
        return;
      } catch (IOException e) {
        if (attempt == CLONES_MAX || !files.repair()) {
          throw e;
        }
      }
    }
  }

  private static List<BackupManifest> backups(BackupFolder folder, Moment moment)
      throws IOException {
    List<BackupManifest> all = folder.read().backups();
    if (!(moment instanceof Moment.EndOf end)) {
      return all;
    }
    return all.stream()
        .filter(backup -> backup.chain().equals(end.backup().chain()))
        .filter(backup -> backup.id().compareTo(end.backup().id()) <= 0)
        .toList();
  }

  private static Bound bound(
      BackupFolder folder, List<BackupManifest> backups, TableName table, Moment moment)
      throws IOException {
    if (moment instanceof Moment.Time time) {
      return new Bound.Until(time.millis());
    }
    return moment instanceof Moment.AtChange change
        ? find(folder, backups, table, change)
        : new Bound.Latest();
  }

  /** Looks for a change, and for its time. */
  private static Bound find(
      BackupFolder folder, List<BackupManifest> backups, TableName table, Moment.AtChange change)
      throws IOException {
    for (BackupManifest backup : backups) {
      for (BackupFile file : backup.files()) {
        if (!file.isChanges()) {
          continue;
        }
        try (WalReader reader = WalReader.open(folder.storage(), backup.id() + "/" + file.path())) {
          while (reader.next()) {
            if (reader.entry().sequence() == change.sequence()
                && reader.entry().region().equals(change.region())
                && reader.entry().table().equals(table)) {
              long last = change.isIncluded() ? change.sequence() : change.sequence() - 1;
              return new Bound.UpTo(change.region(), last, reader.entry().writeTimeMillis());
            }
          }
        }
      }
    }
    throw new BackupException(
        "no backup has the change " + change.region() + ":" + change.sequence() + " of " + table);
  }

  /** Returns a plan whose files are all whole. */
  private static RestorePlan plan(
      BackupFolder folder,
      List<BackupManifest> backups,
      TableName table,
      Bound bound,
      Consumer<String> notice)
      throws IOException {
    VerifyJob verification = new VerifyJob(folder);
    Optional<Long> moment = moment(bound);
    RestorePlan first = RestorePlan.of(backups, table, moment);
    RestorePlan plan = first;
    List<BackupManifest> usable = backups;
    List<Finding> findings = new ArrayList<>();
    while (true) {
      List<Finding> found = verify(verification, plan, table);
      if (found.isEmpty()) {
        break;
      }
      findings.addAll(found);
      usable = Finding.usable(usable, found);
      try {
        plan = RestorePlan.of(usable, table, moment);
      } catch (BackupException e) {
        throw damaged(findings, e.getMessage());
      }
      if (!plan.last().id().equals(first.last().id())) {
        throw damaged(
            findings,
            "Without it, table "
                + table
                + " can be restored to "
                + RestorePlan.momentsOf(RestorePlan.spans(usable, table)));
      }
    }
    findings.forEach(finding -> notice.accept(finding + "; another full backup is used"));
    return plan;
  }

  private static List<Finding> verify(VerifyJob verification, RestorePlan plan, TableName table)
      throws IOException {
    List<Finding> found = new ArrayList<>(verification.verifySnapshot(plan.full(), table));
    for (RestorePlan.LogFile log : plan.logs()) {
      found.addAll(verification.verify(log.backup(), table, List.of(log.file())));
    }
    for (RestorePlan.LogFile loaded : plan.loadedInto(table)) {
      found.addAll(verification.verify(loaded.backup(), table, List.of(loaded.file())));
    }
    return found;
  }

  private static BackupException damaged(List<Finding> findings, String rest) {
    return new BackupException(
        "nothing was restored: "
            + String.join("; ", findings.stream().map(Finding::toString).toList())
            + ". "
            + rest);
  }

  private static Optional<Long> moment(Bound bound) {
    if (bound instanceof Bound.Until until) {
      return Optional.of(until.millis());
    }
    return bound instanceof Bound.UpTo upTo ? Optional.of(upTo.millis()) : Optional.empty();
  }

  private long apply(
      RestorePlan plan, TableName table, Bound bound, org.apache.hadoop.hbase.TableName working)
      throws IOException {
    long changes = 0;
    try (Table target = connection.getTable(working);
        Admin admin = connection.getAdmin()) {
      AddedFamilies families =
          new AddedFamilies(admin, working, plan.last().tables().get(table).schema());
      ChangeApplier applier = new ChangeApplier(target, families);
      LoadReplay loads = LoadReplay.of(folder, plan, table, bound);
      for (RestorePlan.LogFile log : plan.logs()) {
        try (WalReader reader =
            WalReader.open(folder.storage(), log.backup().id() + "/" + log.file().path())) {
          while (reader.next()) {
            WalEntry entry = reader.entry();
            if (entry.table().equals(table) && bound.has(entry)) {
              loads.before(entry, applier);
              if (!Change.isBulkLoad(entry.cells())) {
                applier.add(entry.cells());
              }
              changes++;
            }
          }
        }
      }
      applier.send();
    }
    return changes;
  }

  static void drop(Admin admin, org.apache.hadoop.hbase.TableName table) throws IOException {
    if (admin.tableExists(table)) {
      if (!admin.isTableDisabled(table)) {
        admin.disableTable(table);
      }
      admin.deleteTable(table);
    }
  }
}
