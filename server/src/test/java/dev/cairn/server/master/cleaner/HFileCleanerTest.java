package dev.cairn.server.master.cleaner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.changes.ChangeCursor;
import dev.cairn.engine.changes.ChangeCursors;
import dev.cairn.engine.changes.ChangePosition;
import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.ForwardingStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDataManifest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

class HFileCleanerTest {
  private static final TableName TABLE = TableName.parse("t");
  private static final StoreDirectory STORE = new StoreDirectory("data", TABLE, "aa", "f");
  private static final StoreDirectory OTHER =
      new StoreDirectory("data", TableName.parse("ns:clone"), "bb", "f");

  private final ManualClock clock = new ManualClock();
  private final Storage storage = new MemoryStorage(clock);
  private final HFileCleaner cleaner =
      new HFileCleaner(
          new SiteConfig(Map.of("hbase.master.hfilecleaner.ttl", "1000")),
          storage,
          clock,
          "",
          "MasterData");

  @Test
  void anArchivedFileGoesWhenItsTimeIsOver() throws IOException {
    write(STORE.archivedFile("01"));
    write("MasterData/archive/data/master/store/cc/proc/02");
    write(STORE.file("03"));
    write("archive/data/not a namespace/t/aa/f/04");
    assertThat(cleaner.clean()).isZero();
    clock.advanceMillis(999);
    assertThat(cleaner.clean()).isZero();
    clock.advanceMillis(1);
    assertThat(cleaner.clean()).isEqualTo(2);
    assertThat(storage.exists(STORE.archivedFile("01"))).isFalse();
    assertThat(storage.exists(STORE.file("03"))).isTrue();
  }

  @Test
  void directoriesOfRegionsThatAreGoneGoWhenTheyAreEmpty() throws IOException {
    write(STORE.archivedFile(".01.crc"));
    write(STORE.archivedFile("01"));
    write(OTHER.archivedFile("01"));
    write(OTHER.file("02"));
    lookTwice();
    lookTwice();
    assertThat(storage.exists("archive/data/default/t/aa")).isFalse();
    assertThat(storage.exists(OTHER.archive())).isTrue();
  }

  @Test
  void directoriesOfRegionsThatAreBeingArchivedStay() throws IOException {
    storage.createDirectories(STORE.archive());
    write(".tmp/deleted/default/t/aa/f/01");
    lookTwice();
    lookTwice();
    assertThat(storage.exists(STORE.archive())).isTrue();
    storage.delete(".tmp/deleted");
    lookTwice();
    assertThat(storage.exists(STORE.archive())).isFalse();
  }

  @Test
  void emptyDirectoriesStayWhileASnapshotIsCopiedIntoTheArchive() throws IOException {
    storage.createDirectories(STORE.archive());
    write(SnapshotDirectory.NAME + "/.tmp/copied/.snapshotinfo");
    lookTwice();
    lookTwice();
    assertThat(storage.exists(STORE.archive())).isTrue();
    storage.delete(SnapshotDirectory.NAME + "/.tmp/copied");
    lookTwice();
    assertThat(storage.exists(STORE.archive())).isFalse();
  }

  @Test
  void loadedFilesThatACursorOfTheChangesMayNeedStay() throws IOException {
    long archivedMillis = clock.currentTimeMillis();
    write(STORE.archivedFile("01_SeqId_7_"));
    write(STORE.archivedFile("02"));
    write(OTHER.archivedFile("03_SeqId_7_"));
    saveCursor(archivedMillis);
    lookTwice();
    assertThat(storage.exists(STORE.archivedFile("01_SeqId_7_"))).isTrue();
    assertThat(storage.exists(STORE.archivedFile("02"))).as("not loaded").isFalse();
    assertThat(storage.exists(OTHER.archivedFile("03_SeqId_7_"))).as("other table").isFalse();
    saveCursor(archivedMillis + 120_000);
    lookTwice();
    assertThat(storage.exists(STORE.archivedFile("01_SeqId_7_"))).isFalse();
  }

  private void saveCursor(long listedMillis) throws IOException {
    new ChangeCursors(storage)
        .save(
            new ChangeCursor(
                "backup",
                new ChangePosition(Set.of(TABLE), Map.of(), Map.of(), 0, listedMillis),
                listedMillis,
                new ChangeCursor.Limits(1000, 1000)));
  }

  @Test
  void aLinkKeepsItsFileUntilItIsGone() throws IOException {
    write(STORE.archivedFile("01"));
    StoreFileName.Link link = new StoreFileName.Link(TABLE, "aa", "01");
    new HFileArchive(storage).link(OTHER, link);
    assertThat(storage.exists(STORE.backReferences("01") + "/bb.ns=clone")).isTrue();
    lookTwice();
    assertThat(storage.exists(STORE.archivedFile("01"))).isTrue();

    // As HBase leaves it: the link is archived, its back reference is not removed.
    storage.rename(OTHER.file(link.text()), OTHER.archivedFile(link.text()));
    write(STORE.backReferences("01") + "/.bb.ns=clone.crc");
    lookTwice();
    lookTwice();
    assertThat(storage.exists(STORE.archivedFile("01"))).isFalse();
    assertThat(storage.list(STORE.backReferences("01"))).isEmpty();
  }

  @Test
  void linksAndReferencesKeepTheirFilesEvenWithoutABackReference() throws IOException {
    write(STORE.archivedFile("01"));
    write(STORE.archivedFile("02"));
    write(STORE.archivedFile("03"));
    write(OTHER.file("t=aa-01"));
    write(new StoreDirectory("data", TABLE, "dd", "f").file("02.aa"));
    lookTwice();
    assertThat(storage.exists(STORE.archivedFile("01"))).isTrue();
    assertThat(storage.exists(STORE.archivedFile("02"))).isTrue();
    assertThat(storage.exists(STORE.archivedFile("03"))).isFalse();
  }

  @Test
  void aSnapshotKeepsWhatItNeeds() throws IOException {
    for (String name : new String[] {"01", "02", "03", "04"}) {
      write(STORE.archivedFile(name));
    }
    SnapshotDataManifest manifest =
        SnapshotDataManifest.newBuilder()
            .setTableSchema(TableSchema.of(TABLE).message())
            .addRegionManifests(region("01", "02.ee", "x=ff-03"))
            .build();
    storage.writeAll(".hbase-snapshot/s/.snapshotinfo", new byte[1]);
    storage.writeAll(".hbase-snapshot/s/data.manifest", manifest.toByteArray());
    lookTwice();
    assertThat(storage.list(STORE.archive()))
        .extracting(Storage.FileInfo::name)
        .containsExactly("01", "02", "03");
    storage.delete(".hbase-snapshot/s");
    lookTwice();
    assertThat(storage.list(STORE.archive())).isEmpty();
  }

  @Test
  void aSnapshotThatIsBeingTakenKeepsWhatItNeeds() throws IOException {
    write(STORE.archivedFile("01"));
    storage.writeAll(".hbase-snapshot/.tmp/s/region-manifest.aa", region("01").toByteArray());
    lookTwice();
    assertThat(storage.exists(STORE.archivedFile("01"))).isTrue();
  }

  @Test
  void aSnapshotThatIsCopiedDuringALookKeepsWhatItNeeds() throws IOException {
    write(STORE.archivedFile("01"));
    Storage busy =
        new ForwardingStorage(storage) {
          @Override
          public List<FileInfo> list(String directory) throws IOException {
            if (directory.equals("mobdir/data")) { // after the look has read the snapshots
              storage.writeAll(
                  ".hbase-snapshot/.tmp/s/data.manifest",
                  SnapshotDataManifest.newBuilder()
                      .setTableSchema(TableSchema.of(TABLE).message())
                      .addRegionManifests(region("01"))
                      .build()
                      .toByteArray());
            }
            return super.list(directory);
          }
        };
    HFileCleaner cleaner =
        new HFileCleaner(
            new SiteConfig(Map.of("hbase.master.hfilecleaner.ttl", "0")), busy, clock, "");
    assertThat(cleaner.clean()).isZero();
    assertThat(cleaner.clean()).isZero();
    assertThat(storage.exists(STORE.archivedFile("01"))).isTrue();
  }

  @Test
  void nothingIsDeletedWhileTheFilesOfARunningSnapshotAreUnknown() throws IOException {
    write(STORE.archivedFile("01"));
    SnapshotDirectory.Attempt attempt =
        new SnapshotDirectory(storage)
            .begin(SnapshotDescription.newBuilder().setName("s").setTable("t").build(), 3, 1);
    lookTwice();
    assertThat(storage.exists(STORE.archivedFile("01"))).isTrue();
    attempt.abandon();
    lookTwice();
    assertThat(storage.exists(STORE.archivedFile("01"))).isFalse();
  }

  @Test
  void nothingIsDeletedWhileASnapshotCannotBeRead() throws IOException {
    write(STORE.archivedFile("01"));
    storage.writeAll(".hbase-snapshot/s/.snapshotinfo", new byte[1]);
    assertThat(cleaner.clean()).isZero();
    clock.advanceMillis(1000);
    assertThatThrownBy(cleaner::clean).isInstanceOf(IOException.class).hasMessageContaining("/s");

    byte[] manifest = new byte[20];
    Arrays.fill(manifest, (byte) 0xEE);
    storage.writeAll(".hbase-snapshot/s/data.manifest", manifest);
    assertThatThrownBy(cleaner::clean)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("data.manifest");
    assertThat(storage.exists(STORE.archivedFile("01"))).isTrue();
  }

  private void lookTwice() throws IOException {
    cleaner.clean();
    clock.advanceMillis(1000);
    cleaner.clean();
  }

  private void write(String path) throws IOException {
    storage.writeAll(path, new byte[] {1});
  }

  private static SnapshotRegionManifest region(String... files) {
    SnapshotRegionManifest.FamilyFiles.Builder family =
        SnapshotRegionManifest.FamilyFiles.newBuilder().setFamilyName(ByteString.copyFromUtf8("f"));
    for (String file : files) {
      family.addStoreFiles(SnapshotRegionManifest.StoreFile.newBuilder().setName(file));
    }
    return SnapshotRegionManifest.newBuilder()
        .setRegionInfo(
            RegionInfoFormat.toMessage(new RegionInfo(TABLE, new byte[0], new byte[0], 1)))
        .addFamilyFiles(family)
        .build();
  }
}
