package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.changes.ChangeStart;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.tools.backup.BackupException;
import dev.cairn.tools.backup.BackupFolder;
import dev.cairn.tools.backup.BackupManifest;
import dev.cairn.tools.backup.CreateJob;
import dev.cairn.tools.backup.DeleteJob;
import dev.cairn.tools.backup.MergeJob;
import dev.cairn.tools.backup.RestoreJob;
import dev.cairn.tools.backup.VerifyJob;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a backup, a restore, and a merge or deletion of backups at each step: a call of the cluster
 * or a change of a file. The result is whole or absent, and the same command succeeds afterwards.
 * The test takes five steps of each command, or all with {@code -Dgroups=long}. It deletes older
 * backups, so that the number of steps does not grow.
 */
@Tag("forms")
class BackupKillTest {
  private static final org.apache.hadoop.hbase.TableName TABLE =
      org.apache.hadoop.hbase.TableName.valueOf("t");
  private static final int KILLS = 5;
  private static final int CHANGES_MAX = 1;

  /** Its long waits end at once. */
  private static final Clock CLOCK =
      new Clock() {
        @Override
        public long currentTimeMillis() {
          return System.currentTimeMillis();
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }

        @Override
        public boolean await(CompletableFuture<?> future, long nanos) throws InterruptedException {
          return nanos < TimeUnit.SECONDS.toNanos(1)
              ? SYSTEM.await(future, nanos)
              : future.isDone();
        }
      };

  @TempDir Path folder;

  /** A process that ends at a step: from then on, each call fails. */
  private static final class Life {
    private int left;

    Life(int steps) {
      this.left = steps;
    }

    boolean hasEnded() {
      return left <= 0;
    }

    /** Returns the distance of the steps to take, after a life that nothing ended. */
    static int stride(Life unharmed) {
      int steps = Integer.MAX_VALUE - unharmed.left;
      return Boolean.getBoolean("cairn.long") ? 1 : Math.max(1, steps / KILLS);
    }

    /** Returns an object whose calls are steps; what they return counts, too. */
    <T> T of(Class<T> type, T real) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> {
                // The job polls the clocks of the servers until they have advanced.
                boolean isStep =
                    method.getDeclaringClass() != Object.class
                        && !method.getName().equals("getClusterMetrics");
                if (isStep && --left <= 0) {
                  throw new IOException("killed before " + method.getName());
                }
                try {
                  Object result = method.invoke(real, arguments);
                  return result instanceof Admin admin ? of(Admin.class, admin) : result;
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }));
    }
  }

  private record Cluster(BackupSite site, Storage root, Storage scratch, Admin admin)
      implements CreateJob.Source {
    @Override
    public String name() {
      return site.root;
    }

    @Override
    public ChangeReader changes(Set<TableName> tables, ChangeStart start) throws IOException {
      return ChangeReader.open(root, scratch, "held", tables, start, CLOCK);
    }
  }

  private static void put(BackupSite site, int number) throws IOException {
    try (Table table = site.connection().getTable(TABLE)) {
      for (int i = 0; i < 5; i++) {
        table.put(
            new Put(Bytes.toBytes("row" + i))
                .addColumn(BackupSite.F, Bytes.toBytes("q"), Bytes.toBytes("v" + number)));
      }
    }
  }

  private BackupManifest create(BackupSite site, Life life, boolean full) throws IOException {
    try (Storage root = new LocalStorage(Path.of(site.root));
        Storage scratch = new LocalStorage(folder.resolve("scratch"));
        Storage target = new LocalStorage(Path.of(site.backups));
        Admin admin = site.connection().getAdmin()) {
      return new CreateJob(
              new Cluster(site, life.of(Storage.class, root), scratch, life.of(Admin.class, admin)),
              new BackupFolder(life.of(Storage.class, target), "backups"),
              Set.of(TableName.parse("t")),
              new ChangeCursor.Limits(1 << 30, 1_000_000),
              CLOCK,
              notice -> {})
          .run(full ? CreateJob.Extent.FULL : CreateJob.Extent.FULL_IF_NEEDED);
    }
  }

  private static void restore(BackupSite site, Life life, String name) throws IOException {
    try (Storage root = new LocalStorage(Path.of(site.root));
        Storage target = new LocalStorage(Path.of(site.backups))) {
      new RestoreJob(
              new BackupFolder(target, "backups"),
              () -> {},
              life.of(Storage.class, root),
              life.of(Connection.class, site.connection()),
              notice -> {})
          .run(TableName.parse("t"), TableName.parse(name), new RestoreJob.Moment.Newest(), true);
    }
  }

  /** Deletes backups, if there are several, so that only a new chain of them is left. */
  private static void prune(BackupSite site) throws IOException {
    try (Storage target = new LocalStorage(Path.of(site.backups))) {
      BackupFolder folder = new BackupFolder(target, "backups");
      List<BackupManifest> backups = folder.read().backups();
      List<BackupManifest> full = backups.stream().filter(BackupManifest::isFull).toList();
      for (int i = 0; i < full.size() - 1; i++) {
        new DeleteJob(folder).run(full.get(i).id(), true);
      }
      int changes = backups.size() - backups.indexOf(full.get(full.size() - 1)) - 1;
      for (int i = 0; i < changes - CHANGES_MAX; i++) {
        new DeleteJob(folder).run(backups.get(backups.size() - 1 - i).id(), true);
      }
    }
  }

  private List<BackupManifest> backups(BackupSite site) throws IOException {
    try (Storage target = new LocalStorage(Path.of(site.backups))) {
      BackupFolder backups = new BackupFolder(target, "backups");
      BackupFolder.Content content = backups.read();
      assertThat(content.damaged()).isEmpty();
      for (BackupManifest backup : content.backups()) {
        assertThat(new VerifyJob(backups).verify(backup)).isEmpty();
      }
      return content.backups();
    }
  }

  @Test
  void aBackupIsWholeOrAbsent() throws IOException {
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"))) {
      site.createTable(TABLE);
      put(site, 0);
      Life unharmed = new Life(Integer.MAX_VALUE);
      create(site, unharmed, true);
      int killed = 0;
      for (int steps = 1; ; steps += Life.stride(unharmed)) {
        put(site, steps);
        prune(site);
        int before = backups(site).size();
        Life life = new Life(steps);
        try {
          create(site, life, killed % 2 == 0);
        } catch (IOException e) {
          assertThat(life.hasEnded()).as(e.toString()).isTrue();
          killed++;
          assertThat(backups(site).size()).isBetween(before, before + 1);
          continue;
        }
        if (!life.hasEnded()) {
          break;
        }
      }
      assertThat(killed).isGreaterThan(3);
      create(site, new Life(Integer.MAX_VALUE), true);
      try (Admin admin = site.connection().getAdmin()) {
        assertThat(admin.listSnapshots()).isEmpty();
      }
      site.succeed("restore", TABLE, "--as=restored");
      assertThat(site.visible(org.apache.hadoop.hbase.TableName.valueOf("restored")))
          .isEqualTo(site.visible(TABLE));
    }
  }

  @Test
  void aRestoredTableIsWholeOrAbsent() throws IOException {
    org.apache.hadoop.hbase.TableName name = org.apache.hadoop.hbase.TableName.valueOf("restored");
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"))) {
      site.createTable(TABLE);
      put(site, 1);
      site.backUp(TABLE);
      put(site, 2);
      site.backUp(TABLE);
      List<String> expected = site.visible(TABLE);
      Life unharmed = new Life(Integer.MAX_VALUE);
      restore(site, unharmed, "unharmed");
      int killed = 0;
      for (int steps = 1; ; steps += Life.stride(unharmed)) {
        Life life = new Life(steps);
        try {
          restore(site, life, "restored");
        } catch (IOException e) {
          assertThat(life.hasEnded()).as(e.toString()).isTrue();
          killed++;
        }
        try (Admin admin = site.connection().getAdmin()) {
          if (admin.tableExists(name)) {
            assertThat(site.visible(name)).isEqualTo(expected);
          }
          if (!life.hasEnded()) {
            assertThat(new ArrayList<>(List.of(admin.listTableNames())))
                .containsExactlyInAnyOrder(
                    TABLE, name, org.apache.hadoop.hbase.TableName.valueOf("unharmed"));
            assertThat(admin.listSnapshots()).isEmpty();
            break;
          }
        }
      }
      assertThat(killed).isGreaterThan(3);
    }
  }

  /** A change of the folder of backups. */
  @FunctionalInterface
  private interface FolderChange {
    void run(BackupFolder folder) throws IOException;
  }

  /**
   * Kills a change of the folder at the current step of {@code life}, then repeats it; returns
   * whether it was killed.
   */
  private boolean killAndRepeat(BackupSite site, Life life, FolderChange change)
      throws IOException {
    try (Storage target = new LocalStorage(Path.of(site.backups))) {
      boolean killed = false;
      try {
        change.run(new BackupFolder(life.of(Storage.class, target), "backups"));
      } catch (IOException e) {
        assertThat(life.hasEnded()).as(e.toString()).isTrue();
        killed = true;
      }
      BackupFolder.Content left = new BackupFolder(target, "backups").read();
      assertThat(left.isWhole()).as(left.toString()).isTrue();
      backups(site);
      try {
        change.run(new BackupFolder(target, "backups"));
      } catch (BackupException e) { // The kill came after the last visible step.
        assertThat(e).hasMessageContaining("has no backup ");
      }
      return killed;
    }
  }

  @Test
  void mergedBackupsAreTheOldOnesOrTheNewOne() throws IOException {
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"))) {
      site.createTable(TABLE);
      String full = create(site, new Life(Integer.MAX_VALUE), true).id();
      int killed = 0;
      Life unharmed = new Life(Integer.MAX_VALUE);
      for (int steps = Integer.MAX_VALUE; ; steps = next(steps, unharmed)) {
        List<BackupManifest> parts = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
          put(site, 1_000 + i);
          parts.add(create(site, new Life(Integer.MAX_VALUE), false));
        }
        Life life = steps == Integer.MAX_VALUE ? unharmed : new Life(steps);
        if (killAndRepeat(
            site, life, to -> new MergeJob(to).run(parts.get(0).id(), parts.get(1).id()))) {
          killed++;
        } else if (life != unharmed) {
          break;
        }
        String merged = parts.get(1).id() + "m";
        assertThat(backups(site)).extracting(BackupManifest::id).containsExactly(full, merged);
        site.succeed("delete", merged); // Keeps the number of steps of a merge constant.
      }
      assertThat(killed).isGreaterThan(3);
    }
  }

  /** Returns the number of steps of the next life, after one that nothing ended. */
  private static int next(int steps, Life unharmed) {
    return steps == Integer.MAX_VALUE ? 1 : steps + Life.stride(unharmed);
  }

  @Test
  void aDeletedBackupIsThereOrNot() throws IOException {
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"))) {
      site.createTable(TABLE);
      int killed = 0;
      Life unharmed = new Life(Integer.MAX_VALUE);
      for (int steps = Integer.MAX_VALUE; ; steps = next(steps, unharmed)) {
        put(site, 1);
        BackupManifest first = create(site, new Life(Integer.MAX_VALUE), true);
        create(site, new Life(Integer.MAX_VALUE), false);
        BackupManifest last = create(site, new Life(Integer.MAX_VALUE), true);
        Life life = steps == Integer.MAX_VALUE ? unharmed : new Life(steps);
        if (killAndRepeat(site, life, to -> new DeleteJob(to).run(first.id(), true))) {
          killed++;
        } else if (life != unharmed) {
          break;
        }
        assertThat(backups(site)).extracting(BackupManifest::id).contains(last.id());
        killAndRepeat(
            site, new Life(Integer.MAX_VALUE), to -> new DeleteJob(to).run(last.id(), true));
      }
      assertThat(killed).isGreaterThan(3);
    }
  }
}
