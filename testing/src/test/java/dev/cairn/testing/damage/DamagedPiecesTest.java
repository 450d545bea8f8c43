package dev.cairn.testing.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.cairn.engine.storage.Finding;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.health.HealthResult;
import dev.cairn.server.health.HealthStatus;
import dev.cairn.server.process.CairnProcess;
import dev.cairn.server.verify.FolderVerifier;
import dev.cairn.server.verify.FolderVerifier.VerifyListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A damaged file harms only the requests that need it, and their errors name the remedy. */
class DamagedPiecesTest {
  private static final TableName PLAIN = SampleFolder.PLAIN;
  private static final TableName OTHER = SampleFolder.OTHER;
  private static final long SEED = 7;

  /** Lies in the first block of a store file, after its header. */
  private static final int FIRST_BLOCK_BYTE = 40;

  @TempDir private static Path samples;
  @TempDir private Path directory;
  private Path folder;

  @BeforeAll
  static void makeSamples() throws IOException {
    SampleFolder.make(samples.resolve("stopped"), false);
    SampleFolder.make(samples.resolve("killed"), true);
  }

  @BeforeEach
  void place() {
    folder = directory.resolve("data");
  }

  @Test
  void aTableWithADamagedDescriptorRefusesAndServesAgainOnceItIsRepaired() throws Exception {
    use("stopped");
    String descriptor = find("data/default/plain/.tabledesc/");
    byte[] whole = Files.readAllBytes(folder.resolve(descriptor));
    Damage.FLIPPED.apply(folder.resolve(descriptor), new Random(SEED));
    int cells = 0;
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server);
        Admin admin = connection.getAdmin()) {
      assertThatThrownBy(() -> SampleFolder.read(connection, PLAIN))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContainingAll(descriptor, "at byte 0", "Restore the file");
      assertThatThrownBy(() -> admin.getDescriptor(PLAIN))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(descriptor);
      assertThatThrownBy(() -> admin.disableTable(PLAIN)).hasMessageContaining(descriptor);
      assertThatThrownBy(() -> create(admin, PLAIN)).hasMessageContaining(descriptor);
      assertThatThrownBy(() -> admin.split(PLAIN)).isInstanceOf(IOException.class);
      assertThat(admin.listTableNames()).contains(PLAIN, OTHER);
      assertThat(admin.listTableDescriptors()).noneMatch(one -> one.getTableName().equals(PLAIN));
      for (String check : List.of("tables", "regions")) {
        HealthResult result =
            server.health().checks().stream()
                .filter(entry -> entry.name().equals(check))
                .findAny()
                .orElseThrow()
                .result();
        assertThat(result.status()).isEqualTo(HealthStatus.WARN);
        assertThat(result.message())
            .contains(descriptor)
            .containsOnlyOnce("The table plain cannot be served");
      }
      assertThat(SampleFolder.read(connection, OTHER)).isNotEmpty();
      create(admin, TableName.valueOf("fresh"));
    }
    Files.write(folder.resolve(descriptor), whole);
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server)) {
      cells = SampleFolder.read(connection, PLAIN).size();
      assertThat(server.health().text()).doesNotContain(descriptor);
    }
    assertThat(cells).isEqualTo(198);
  }

  @Test
  void aDisabledTableWithADamagedDescriptorIsShownLikeAnEnabledOne() throws Exception {
    use("stopped");
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server);
        Admin admin = connection.getAdmin()) {
      admin.disableTable(PLAIN);
    }
    String descriptor = find("data/default/plain/.tabledesc/");
    Damage.FLIPPED.apply(folder.resolve(descriptor), new Random(SEED));
    try (CairnProcess server = SampleFolder.start(folder)) {
      assertThat(server.health().status()).isEqualTo(HealthStatus.WARN);
      assertThat(server.health().problems())
          .containsOnlyOnce("The table plain cannot be served")
          .contains(descriptor, "Restore the file from a backup");
    }
  }

  @Test
  void aDamagedBlockIsLoggedOnceAndShownUntilItsRegionCloses() throws Exception {
    use("stopped");
    String file = find("data/default/plain/", "/f/");
    Path path = folder.resolve(file);
    byte[] whole = Files.readAllBytes(path);
    byte[] damaged = whole.clone();
    damaged[FIRST_BLOCK_BYTE] ^= 1;
    Files.write(path, damaged);
    Logger logger = (Logger) LoggerFactory.getLogger("dev.cairn.server.process.event.EventLog");
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server);
        Admin admin = connection.getAdmin()) {
      assertThat(server.health().text()).doesNotContain(file);
      for (int read = 0; read < 2; read++) {
        assertThatThrownBy(() -> SampleFolder.read(connection, PLAIN))
            .isInstanceOf(DoNotRetryIOException.class)
            .hasMessageContainingAll(file, "at byte 0");
      }
      assertThat(SampleFolder.read(connection, OTHER)).isNotEmpty();
      assertThat(log.list)
          .filteredOn(event -> event.getLevel() == Level.ERROR)
          .singleElement()
          .extracting(ILoggingEvent::getFormattedMessage, STRING)
          .contains(file, "of table plain", "at byte 0", "checksum", "restore the file");
      assertThat(server.health().status()).isEqualTo(HealthStatus.WARN);
      assertThat(server.health().problems()).contains(file, "of table plain", "restore the file");
      assertThat(server.health().json()).contains(file);
      admin.disableTable(PLAIN);
      Files.write(path, whole);
      admin.enableTable(PLAIN);
      assertThat(server.health().text()).doesNotContain(file);
      assertThat(SampleFolder.read(connection, PLAIN)).hasSize(198);
      assertThat(server.health().text()).doesNotContain(file);
    } finally {
      logger.detachAppender(log);
    }
  }

  @Test
  void aDamagedLogEndsTheStartAtOnceWithItsCauseAndTheKeyThatGoesOn() throws Exception {
    use("killed");
    String log = find("WALs/");
    byte[] bytes = Files.readAllBytes(folder.resolve(log));
    bytes[bytes.length / 2] ^= 1;
    Files.write(folder.resolve(log), bytes);
    String name = log.substring(log.lastIndexOf('/') + 1);
    for (int start = 1; start <= 2; start++) {
      assertThatThrownBy(() -> SampleFolder.start(folder))
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(
              name, "is damaged at offset", "hbase.hlog.split.skip.errors=true");
    }
    bytes[bytes.length / 2] ^= 1;
    Files.write(folder.resolve(find("WALs/", "/" + name)), bytes);
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server)) {
      assertThat(SampleFolder.read(connection, PLAIN)).hasSize(198);
    }
  }

  @Test
  void aDamagedFileOfTheCatalogEndsTheStartAtOnce() throws Exception {
    use("stopped");
    String file = find("data/hbase/meta/1588230740/info/");
    Damage.FLIPPED.apply(folder.resolve(file), new Random(SEED));
    assertThatThrownBy(() -> SampleFolder.start(folder))
        .hasMessageContainingAll(file, "damaged at byte", "Restore the file from a backup");
  }

  @Test
  void aDamagedZooKeeperFolderIsSetAsideAndMadeAgain() throws Exception {
    use("stopped");
    for (String file : SampleFolder.files(folder.resolve("zookeeper"))) {
      Damage.TRUNCATED.apply(folder.resolve("zookeeper").resolve(file), new Random(SEED));
      Damage.FLIPPED.apply(folder.resolve("zookeeper").resolve(file), new Random(SEED));
    }
    assertServed();
    assertThat(folder.resolve("zookeeper.damaged")).isDirectory();
    assertServed();
  }

  @Test
  void anAdministratorsSwitchesAreNotLostWithZooKeeper() throws Exception {
    use("stopped");
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server);
        Admin admin = connection.getAdmin()) {
      admin.balancerSwitch(false, true);
      admin.splitSwitch(false, true);
      admin.disableTable(OTHER);
    }
    for (String file : SampleFolder.files(folder.resolve("zookeeper"))) {
      Files.delete(folder.resolve("zookeeper").resolve(file));
    }
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server);
        Admin admin = connection.getAdmin()) {
      assertThat(admin.isBalancerEnabled()).isFalse();
      assertThat(admin.isSplitEnabled()).isFalse();
      assertThat(admin.isTableDisabled(OTHER)).isTrue();
    }
  }

  @Test
  void aRegionWhoseFolderIsMissingRefusesAndIsNotTakenForEmpty() throws Exception {
    use("stopped");
    Path region = folder.resolve(find("data/space/other/", "/.regioninfo")).getParent();
    Files.move(region, directory.resolve("elsewhere"));
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server)) {
      assertThatThrownBy(() -> SampleFolder.read(connection, OTHER))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(region.getFileName().toString());
      assertThat(SampleFolder.read(connection, PLAIN)).hasSize(198);
    }
    Files.move(directory.resolve("elsewhere"), region);
    assertServed();
  }

  @Test
  void aStoreFileThatWasDeletedIsMissedUntilSomebodyGivesItUp() throws Exception {
    use("stopped");
    String file = find("data/space/other/", "/f/");
    Files.delete(folder.resolve(file));
    Path region = folder.resolve(file).getParent().getParent();
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server)) {
      assertThatThrownBy(() -> SampleFolder.read(connection, OTHER))
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(file + " is missing: the region had this file when it was closed.")
          .hasMessageContaining(
              " Restore the file from a backup and start again. Only if the file is lost for good,"
                  + " delete "
                  + folder.relativize(region.resolve(".cairn.files"))
                  + " and start again: the region is then served without the file's cells")
          .hasMessageNotContaining("until then");
    }
    assertThat(findings()).anyMatch(finding -> finding.path().equals(file));
    Files.delete(region.resolve(".cairn.files"));
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server)) {
      assertThat(SampleFolder.read(connection, OTHER)).isNotEmpty();
    }
  }

  @Test
  void tablesAreServedThoughTheNamespacesCannotBeRead() throws Exception {
    use("stopped");
    String file = find("data/hbase/namespace/", "/info/");
    Damage.EMPTY.apply(folder.resolve(file), new Random(SEED));
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server);
        Admin admin = connection.getAdmin()) {
      assertThat(SampleFolder.read(connection, OTHER)).isNotEmpty();
      assertThatThrownBy(admin::listNamespaces)
          .isInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining(file);
      create(admin, TableName.valueOf("fresh"));
      assertThatThrownBy(() -> create(admin, TableName.valueOf("space:fresh")))
          .hasMessageContaining(file);
    }
  }

  @Test
  void verifyFindsDamageInZooKeepersFilesAndMissesThoseAtTheTop() throws Exception {
    use("stopped");
    assertThat(findings()).isEmpty();
    List<String> snapshots = zooKeepersSnapshots();
    String snapshot = snapshots.get(snapshots.size() - 1);
    Damage.FLIPPED.apply(folder.resolve(snapshot), new Random(SEED));
    String log = find("zookeeper/version-2/log.");
    byte[] bytes = Files.readAllBytes(folder.resolve(log));
    bytes[40] ^= 1;
    Files.write(folder.resolve(log), bytes);
    Files.delete(folder.resolve("hbase.id"));
    Files.delete(folder.resolve("hbase.version"));
    assertThat(findings())
        .extracting(Finding::path)
        .containsExactlyInAnyOrder(snapshot, log, "hbase.id", "hbase.version");
  }

  @Test
  void aDamagedSnapshotOfZooKeeperIsNoDamageOnceAStartHasMadeANewerOne() throws Exception {
    use("stopped");
    SampleFolder.start(folder).close();
    List<String> snapshots = zooKeepersSnapshots();
    assertThat(snapshots).hasSizeGreaterThan(1);
    String newest = snapshots.get(snapshots.size() - 1);
    Damage.FLIPPED.apply(folder.resolve(newest), new Random(SEED));
    assertThat(findings()).extracting(Finding::path).containsExactly(newest);

    assertServed();

    assertThat(folder.resolve(newest)).exists();
    assertThat(findings()).isEmpty();
  }

  /** Returns the snapshots in the order of their names, which is that of time. */
  private List<String> zooKeepersSnapshots() throws IOException {
    return SampleFolder.files(folder).stream()
        .filter(file -> file.startsWith("zookeeper/version-2/snapshot."))
        .sorted()
        .toList();
  }

  private void use(String sample) throws IOException {
    SampleFolder.copy(samples.resolve(sample), folder);
  }

  private void assertServed() throws IOException {
    try (CairnProcess server = SampleFolder.start(folder);
        Connection connection = connect(server)) {
      for (TableName table : SampleFolder.TABLES) {
        assertThat(SampleFolder.read(connection, table)).isNotEmpty();
      }
    }
  }

  private static void create(Admin admin, TableName name) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build());
  }

  private static Connection connect(CairnProcess server) throws IOException {
    return ConnectionFactory.createConnection(SampleFolder.client(server));
  }

  /** Returns the first file whose path starts with the prefix and contains all other parts. */
  private String find(String begin, String... parts) throws IOException {
    return SampleFolder.files(folder).stream()
        .filter(file -> file.startsWith(begin))
        .filter(file -> List.of(parts).stream().allMatch(file::contains))
        .findFirst()
        .orElseThrow();
  }

  private List<Finding> findings() throws Exception {
    List<Finding> findings = new ArrayList<>();
    new FolderVerifier(
            new LocalStorage(folder),
            Runnable::run,
            new VerifyListener() {
              @Override
              public void begun(long files, long bytes) {}

              @Override
              public void checked(String path, long bytes) {}

              @Override
              public void found(Finding finding) {
                findings.add(finding);
              }

              @Override
              public void failed(String path, String reason) {
                throw new AssertionError(path + ": " + reason);
              }

              @Override
              public void noted(String path, String what) {}
            },
            StoreFileTracking.Kind.DEFAULT)
        .verify("");
    return findings;
  }
}
