package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.RegionInfoFormat;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the files that remain when a table, or a part of it, is removed. */
class TableArchiveTest {
  private static final TableName NAME = TableName.parse("ns:t");
  private static final TableSchema SCHEMA =
      TableSchema.of(NAME, FamilySchema.of("f"), FamilySchema.of("g"));
  private static final RegionInfo REGION = new RegionInfo(NAME, new byte[0], new byte[0], 1);
  private static final String HOME = "data/ns/t/" + REGION.encodedName();

  private final Storage storage = new MemoryStorage(Clock.SYSTEM);
  private final TableFiles files = new TableFiles(storage);

  @BeforeEach
  void createTable() throws IOException {
    files.create(SCHEMA, List.of(REGION));
    storage.writeAll(HOME + "/f/01", new byte[] {1});
    storage.writeAll(HOME + "/g/02", new byte[] {2});
    storage.writeAll(HOME + "/recovered.edits/3.seqid", new byte[0]);
  }

  @Test
  void theStoreFilesOfADroppedTableGoToTheArchive() throws IOException {
    files.hide(NAME);
    files.sweep(NAME);
    files.sweep(NAME);
    assertThat(files.exists(NAME)).isFalse();
    assertThat(files.leftovers()).isEmpty();
    assertThat(storage.readAll("archive/" + HOME + "/f/01")).containsExactly(1);
    assertThat(storage.readAll("archive/" + HOME + "/g/02")).containsExactly(2);
  }

  @Test
  void aTableThatIsDroppedTwiceLosesNothingOfTheFirst() throws IOException {
    files.hide(NAME); // and a crash
    files.create(SCHEMA, List.of(REGION));
    storage.writeAll(HOME + "/f/03", new byte[] {3});
    files.hide(NAME);
    files.sweep(NAME);
    assertThat(storage.list("archive/" + HOME + "/f"))
        .extracting(Storage.FileInfo::name)
        .containsExactly("01", "03");
  }

  @Test
  void theStoreFilesOfATruncatedTableGoToTheArchive() throws IOException {
    RegionInfo fresh = new RegionInfo(NAME, new byte[0], new byte[0], 2);
    files.replace(SCHEMA, List.of(fresh));
    files.sweep(NAME);
    assertThat(storage.list(TableFiles.directory(fresh) + "/f")).isEmpty();
    assertThat(storage.exists("archive/" + HOME + "/f/01")).isTrue();
  }

  @Test
  void theStoreFilesOfARemovedFamilyGoToTheArchive() throws IOException {
    MobDirectory mob = MobDirectory.of("data", NAME, "g");
    storage.writeAll(mob.file("05"), new byte[] {5});
    files.deleteFamilies(NAME, List.of("g"), List.of(REGION));
    files.deleteFamilies(NAME, List.of("g"), List.of(REGION));
    assertThat(storage.exists(HOME + "/g")).isFalse();
    assertThat(storage.exists("archive/" + HOME + "/g/02")).isTrue();
    assertThat(storage.exists(mob.path())).isFalse();
    assertThat(storage.exists(mob.place().archivedFile("05"))).isTrue();
    assertThat(storage.exists(HOME + "/f/01")).isTrue();
  }

  @Test
  void whatOlderHBaseHadSetAsideOfADroppedTableGoesToTheArchive() throws IOException {
    storage.rename("data/ns/t", ".tmp/data/ns/t");
    files.sweep(NAME);
    assertThat(files.leftovers()).isEmpty();
    assertThat(storage.readAll("archive/" + HOME + "/f/01")).containsExactly(1);
  }

  @Test
  void theLargeValuesOfADroppedTableGoToTheArchive() throws IOException {
    storage.writeAll("mobdir/data/ns/t/00ff/f/large", new byte[] {4});
    files.hide(NAME);
    assertThat(storage.exists("mobdir/data/ns/t")).isFalse();
    files.sweep(NAME);
    assertThat(storage.readAll("archive/data/ns/t/00ff/f/large")).containsExactly(4);
  }

  @Test
  void mobFilesThatHBaseWasWritingGo() throws IOException {
    storage.writeAll("mobdir/.tmp/data/ns/t/00ff/f/half", new byte[] {4});
    storage.writeAll("mobdir/data/ns/t/00ff/f/large", new byte[] {4});
    files.sweepMobFiles();
    assertThat(storage.exists("mobdir/.tmp")).isFalse();
    assertThat(storage.exists("mobdir/data/ns/t/00ff/f/large")).isTrue();
  }

  @Test
  void aTableOfWhichHBaseMadeHalfIsCompleted() throws IOException {
    RegionInfo second = new RegionInfo(NAME, new byte[] {5}, new byte[0], 1);
    RegionInfo third = new RegionInfo(NAME, new byte[] {6}, new byte[0], 1);
    storage.delete("data/ns/t/.tabledesc");
    String torn = TableFiles.directory(second) + "/.regioninfo";
    storage.writeAll(torn, new byte[] {'P', 'B'});
    files.create(SCHEMA, List.of(REGION, second, third));
    assertThat(files.descriptors().read(NAME)).hasValue(DescriptorDefaults.complete(SCHEMA));
    assertThat(RegionInfoFormat.fromFile(storage.readAll(torn))).isEqualTo(second);
    assertThat(storage.exists(TableFiles.directory(third) + "/g")).isTrue();
    assertThat(storage.readAll(HOME + "/f/01")).containsExactly(1);
  }

  @Test
  void aTableThatIsThereKeepsItsDescriptor() throws IOException {
    files.create(TableSchema.of(NAME, FamilySchema.of("f")), List.of(REGION));
    assertThat(files.descriptors().read(NAME)).hasValue(DescriptorDefaults.complete(SCHEMA));
    assertThat(storage.list("data/ns/t/.tabledesc")).hasSize(1);
  }

  @Test
  void aDirectoryWithOtherRegionsIsLeftAlone() throws IOException {
    RegionInfo other = new RegionInfo(NAME, new byte[0], new byte[0], 2);
    assertThatThrownBy(() -> files.create(SCHEMA, List.of(other)))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("data/ns/t");
    files.undoCreate(NAME, List.of(other));
    assertThat(storage.readAll(HOME + "/f/01")).containsExactly(1);
  }

  @Test
  void aNamespacesDirectoryGoesOnlyIfItHoldsNoTable() throws IOException {
    assertThat(files.deleteNamespace("ns")).isFalse();
    assertThat(storage.readAll(HOME + "/f/01")).containsExactly(1);
    files.hide(NAME);
    assertThat(files.deleteNamespace("ns")).isTrue();
    assertThat(storage.exists("data/ns")).isFalse();
  }
}
