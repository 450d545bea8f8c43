package dev.cairn.interop;

import static dev.cairn.interop.waiting.Eventually.holds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.testing.CairnExtension;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaTableUtil;
import org.apache.hadoop.hbase.quotas.SpaceQuotaSnapshotView;
import org.apache.hadoop.hbase.quotas.SpaceViolationPolicy;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Limits on the space of tables and namespaces, through HBase's client. */
class SpaceQuotaTest {
  private static final String FAST = "100";
  private static final byte[] F = Bytes.toBytes("f");
  private static final int BYTES = 100_000;
  private static final long LITTLE = 10_000;
  private static final long MUCH = 1 << 30;

  @RegisterExtension
  static final CairnExtension CAIRN =
      new CairnExtension(
          CairnServer.builder()
              .setting("hbase.quota.enabled", "true")
              .setting("hbase.master.quotas.observer.chore.period", FAST)
              .setting("hbase.master.quotas.snapshot.chore.period", FAST)
              .setting("hbase.regionserver.quotas.fs.utilization.chore.period", FAST)
              .setting("hbase.regionserver.quotas.policy.refresher.chore.period", FAST));

  @TempDir private Path files;
  private final Admin admin = CAIRN.admin();

  private TableName create(String name) throws IOException {
    TableName table = TableName.valueOf(name);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
    fill(table);
    return table;
  }

  /** Adds a store file to the table. */
  private void fill(TableName table) throws IOException {
    try (Table open = CAIRN.connection().getTable(table)) {
      open.put(new Put(F).addColumn(F, F, value()));
    }
    admin.flush(table);
  }

  private static byte[] value() {
    byte[] value = new byte[BYTES];
    new Random(1).nextBytes(value);
    return value;
  }

  private void limit(TableName table, long bytes, SpaceViolationPolicy policy) throws IOException {
    admin.setQuota(QuotaSettingsFactory.limitTableSpace(table, bytes, policy));
  }

  private String refusal(TableName table, boolean delete) {
    try (Table open = CAIRN.connection().getTable(table)) {
      if (delete) {
        open.delete(new Delete(Bytes.toBytes("nosuch")));
      } else {
        open.put(new Put(Bytes.toBytes("little")).addColumn(F, F, F));
      }
      return "";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private void putIsRefused(TableName table, SpaceViolationPolicy policy) throws Exception {
    holds(
        () -> refusal(table, false).contains(policy + " Puts are disallowed due to a space quota"),
        policy + " holds for " + table);
  }

  @Test
  void insertsAreRefusedAndDeletesAreNot() throws Exception {
    TableName table = create("no_inserts");
    limit(table, LITTLE, SpaceViolationPolicy.NO_INSERTS);
    putIsRefused(table, SpaceViolationPolicy.NO_INSERTS);
    assertThat(refusal(table, true)).isEmpty();

    assertThat(admin.getSpaceQuotaTableSizes().get(table)).isBetween((long) BYTES, BYTES + LITTLE);
    SpaceQuotaSnapshotView view = admin.getCurrentSpaceQuotaSnapshot(table);
    assertThat(view.getLimit()).isEqualTo(LITTLE);
    assertThat(view.getUsage()).isGreaterThan(BYTES);
    assertThat(view.getQuotaStatus().getPolicy()).contains(SpaceViolationPolicy.NO_INSERTS);
    ServerName server = admin.getRegionServers().iterator().next();
    assertThat(
            admin
                .getRegionServerSpaceQuotaSnapshots(server)
                .get(table)
                .getQuotaStatus()
                .isInViolation())
        .isTrue();
    assertThat(QuotaTableUtil.getSnapshots(CAIRN.connection()).get(table).getUsage())
        .isEqualTo(view.getUsage());
    assertThat(admin.getQuota(null).toString()).contains("no_inserts");

    limit(table, MUCH, SpaceViolationPolicy.NO_INSERTS);
    holds(() -> refusal(table, false).isEmpty(), "writes go on below the limit");
  }

  @Test
  void writesAreRefused() throws Exception {
    TableName table = create("no_writes");
    limit(table, LITTLE, SpaceViolationPolicy.NO_WRITES);
    putIsRefused(table, SpaceViolationPolicy.NO_WRITES);
    assertThat(refusal(table, true)).contains("Deletes are disallowed due to a space quota");
    admin.setQuota(QuotaSettingsFactory.removeTableSpaceLimit(table));
    holds(() -> refusal(table, false).isEmpty(), "writes go on without a limit");
    holds(() -> admin.getCurrentSpaceQuotaSnapshot(table) == null, "the limit is forgotten");
  }

  @Test
  void writesAndCompactionsAreRefused() throws Exception {
    TableName table = create("no_compactions");
    fill(table);
    limit(table, LITTLE, SpaceViolationPolicy.NO_WRITES_COMPACTIONS);
    putIsRefused(table, SpaceViolationPolicy.NO_WRITES_COMPACTIONS);
    assertThat(refusal(table, true)).contains("Deletes are disallowed due to a space quota");
    admin.majorCompact(table);
    assertThat(admin.getCompactionState(table)).isEqualTo(CompactionState.NONE);
    assertThat(storeFiles(table)).isEqualTo(2);
    admin.setQuota(QuotaSettingsFactory.removeTableSpaceLimit(table));
    holds(
        () -> {
          admin.majorCompact(table);
          return storeFiles(table) == 1;
        },
        "compactions continue without a limit");
  }

  private int storeFiles(TableName table) throws IOException {
    ServerName server = admin.getRegionServers().iterator().next();
    return admin.getRegionMetrics(server, table).get(0).getStoreFileCount();
  }

  @Test
  void bulkLoadsThatWouldExceedTheLimitAreRefused() throws Exception {
    TableName table = create("no_loads");
    limit(table, LITTLE, SpaceViolationPolicy.NO_INSERTS);
    putIsRefused(table, SpaceViolationPolicy.NO_INSERTS);
    Path file = writeStoreFile();
    assertThatThrownBy(() -> load(table))
        .hasStackTraceContaining("NO_INSERTS Bulk loads are disallowed due to a space quota");
    assertThat(file).exists();

    long room = BYTES * 3 / 2;
    limit(table, room, SpaceViolationPolicy.NO_INSERTS);
    holds(() -> refusal(table, false).isEmpty(), "there is room for little writes");
    assertThatThrownBy(() -> load(table))
        .hasStackTraceContaining("the file(s) exceed the limits of a space quota");
    assertThat(file).exists();

    limit(table, MUCH, SpaceViolationPolicy.NO_INSERTS);
    holds(() -> limitAtServer(table) == MUCH, "there is room for the file");
    load(table);
    try (Table open = CAIRN.connection().getTable(table)) {
      assertThat(open.exists(new Get(Bytes.toBytes("loaded")))).isTrue();
    }
  }

  private long limitAtServer(TableName table) throws IOException {
    ServerName server = admin.getRegionServers().iterator().next();
    return admin.getRegionServerSpaceQuotaSnapshots(server).get(table).getLimit();
  }

  private Path writeStoreFile() throws IOException {
    Path file = Files.createDirectories(files.resolve("f")).resolve("1");
    Configuration settings = CAIRN.connection().getConfiguration();
    try (HFile.Writer writer =
        HFile.getWriterFactory(settings, new CacheConfig(settings))
            .withPath(FileSystem.getLocal(settings), new org.apache.hadoop.fs.Path(file.toUri()))
            .withFileContext(new HFileContextBuilder().withColumnFamily(F).build())
            .create()) {
      writer.append(new KeyValue(Bytes.toBytes("loaded"), F, F, 7, value()));
    }
    return file;
  }

  private void load(TableName table) throws IOException {
    BulkLoadHFiles.create(CAIRN.connection().getConfiguration())
        .bulkLoad(table, new org.apache.hadoop.fs.Path(files.toUri()));
  }

  @Test
  void aTableIsDisabledAndEnabledAgain() throws Exception {
    TableName table = create("disabled");
    limit(table, LITTLE, SpaceViolationPolicy.DISABLE);
    holds(() -> admin.isTableDisabled(table), "the table is disabled");
    assertThatThrownBy(() -> admin.enableTable(table))
        .hasMessageContaining(
            "Enabling the table 'disabled' is disallowed due to a violated space quota.");
    limit(table, MUCH, SpaceViolationPolicy.DISABLE);
    holds(() -> admin.isTableEnabled(table), "the table is enabled again");
    holds(() -> refusal(table, false).isEmpty(), "and can be written");
  }

  @Test
  void theTablesOfANamespaceCountTogether() throws Exception {
    admin.createNamespace(NamespaceDescriptor.create("spacious").build());
    TableName one = create("spacious:one");
    TableName two = create("spacious:two");
    admin.setQuota(
        QuotaSettingsFactory.limitNamespaceSpace(
            "spacious", BYTES * 3 / 2, SpaceViolationPolicy.NO_WRITES));
    putIsRefused(one, SpaceViolationPolicy.NO_WRITES);
    putIsRefused(two, SpaceViolationPolicy.NO_WRITES);
    assertThat(admin.getCurrentSpaceQuotaSnapshot("spacious").getUsage()).isGreaterThan(2L * BYTES);
    admin.disableTable(two);
    admin.deleteTable(two);
    holds(() -> refusal(one, false).isEmpty(), "one table is below the limit");
  }

  @Test
  void filesThatOnlySnapshotsNeedCount() throws Exception {
    TableName table = create("pictured");
    admin.snapshot("picture", table);
    limit(table, MUCH, SpaceViolationPolicy.NO_INSERTS);
    holds(
        () ->
            Long.valueOf(0)
                .equals(QuotaTableUtil.getObservedSnapshotSizes(CAIRN.connection()).get("picture")),
        "the table has the files itself");
    admin.disableTable(table);
    admin.truncateTable(table, false);
    holds(
        () ->
            QuotaTableUtil.getObservedSnapshotSizes(CAIRN.connection()).getOrDefault("picture", 0L)
                > BYTES,
        "the snapshot keeps them");
    holds(
        () ->
            // Nothing is known of the truncated table before its region is reported.
            Optional.ofNullable(admin.getCurrentSpaceQuotaSnapshot(table))
                .filter(state -> state.getUsage() > BYTES)
                .isPresent(),
        "and they count for the table");
    limit(table, LITTLE, SpaceViolationPolicy.NO_INSERTS);
    putIsRefused(table, SpaceViolationPolicy.NO_INSERTS);
    admin.deleteSnapshot("picture");
    holds(() -> refusal(table, false).isEmpty(), "without the snapshot the table is small");
  }

  @Test
  void limitsWithoutMeaningAreRefused() {
    QuotaSettings ofSystemTable =
        QuotaSettingsFactory.limitTableSpace(
            TableName.valueOf("hbase:quota"), MUCH, SpaceViolationPolicy.DISABLE);
    assertThatThrownBy(() -> admin.setQuota(ofSystemTable))
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("A limit on space is for a table or a namespace of users");
  }
}
