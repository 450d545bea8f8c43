package dev.cairn.interop.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeReader;
import dev.cairn.engine.changes.ChangeStart;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import dev.cairn.tools.backup.BackupFolder;
import dev.cairn.tools.backup.BackupManifest;
import dev.cairn.tools.backup.CreateJob;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The moments of backups come from the clocks of the servers; the clock of the client does not
 * matter.
 */
class BackupClockTest {
  private static final org.apache.hadoop.hbase.TableName TABLE =
      org.apache.hadoop.hbase.TableName.valueOf("t");

  @TempDir Path folder;

  private record Shifted(Duration shift) implements Clock {
    @Override
    public long currentTimeMillis() {
      return SYSTEM.currentTimeMillis() + shift.toMillis();
    }

    @Override
    public long nanoTime() {
      return SYSTEM.nanoTime();
    }

    @Override
    public boolean await(CompletableFuture<?> future, long nanos) throws InterruptedException {
      return SYSTEM.await(future, nanos);
    }
  }

  private record Cluster(BackupSite site, Storage root, Storage scratch, Admin admin, Clock clock)
      implements CreateJob.Source {
    @Override
    public String name() {
      return site.root;
    }

    @Override
    public ChangeReader changes(Set<TableName> tables, ChangeStart start) throws IOException {
      return ChangeReader.open(root, scratch, "held", tables, start, clock);
    }
  }

  private BackupManifest create(BackupSite site, Clock clock) throws IOException {
    try (Storage root = new LocalStorage(Path.of(site.root));
        Storage scratch = new LocalStorage(folder.resolve("scratch"));
        Storage target = new LocalStorage(Path.of(site.backups));
        Admin admin = site.connection().getAdmin()) {
      return new CreateJob(
              new Cluster(site, root, scratch, admin, clock),
              new BackupFolder(target, "backups"),
              Set.of(TableName.parse("t")),
              new ChangeCursor.Limits(1 << 30, 1_000_000_000),
              clock,
              notice -> {})
          .run(CreateJob.Extent.FULL_IF_NEEDED);
    }
  }

  private static void put(BackupSite site, String row) throws IOException {
    try (Table table = site.connection().getTable(TABLE)) {
      table.put(
          new Put(Bytes.toBytes(row))
              .addColumn(BackupSite.F, Bytes.toBytes("q"), Bytes.toBytes("v")));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-40, 40})
  void aClientsClockMovesNoMoment(int shiftSeconds) throws Exception {
    Clock clock = new Shifted(Duration.ofSeconds(shiftSeconds));
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"))) {
      site.createTable(TABLE);
      put(site, "a");
      long before = BackupSite.nextMillis() - 1;
      BackupManifest full = create(site, clock);
      assertThat(full.wholeMillis().orElseThrow())
          .isBetween(before, System.currentTimeMillis())
          .isLessThanOrEqualTo(full.endMillis());
      BackupSite.nextMillis();
      put(site, "b");
      List<String> then = site.visible(TABLE);
      long moment = BackupSite.nextMillis() - 1;
      put(site, "c");
      BackupManifest changes = create(site, clock);
      assertThat(changes.endMillis()).isBetween(moment, System.currentTimeMillis());
      assertThat(changes.id()).isGreaterThan(full.id());
      site.succeed("restore", TABLE, "--as=then", "--to=" + moment);
      assertThat(site.visible(org.apache.hadoop.hbase.TableName.valueOf("then"))).isEqualTo(then);
      site.succeed("restore", TABLE, "--as=whole", "--to=" + full.wholeMillis().orElseThrow());
      assertThat(site.visible(org.apache.hadoop.hbase.TableName.valueOf("whole"))).hasSize(1);
    }
  }

  @Test
  void aNewIdIsLaterThanAllPresentIds() throws Exception {
    try (BackupSite site = new BackupSite(folder, "data", folder.resolve("backups"));
        Storage target = new LocalStorage(Path.of(site.backups))) {
      site.createTable(TABLE);
      target.createDirectories("20991231T235959.999Z");
      assertThat(create(site, Clock.SYSTEM).id()).isEqualTo("21000101T000000.000Z");
    }
  }
}
