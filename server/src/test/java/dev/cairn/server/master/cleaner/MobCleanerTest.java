package dev.cairn.server.master.cleaner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.server.catalog.TableFiles;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MobCleanerTest {
  private static final TableName TABLE = TableName.parse("t");
  private static final TableName CLONE = TableName.parse("ns:clone");
  private static final StoreDirectory STORE = new StoreDirectory("data", TABLE, "aa", "f");
  private static final MobDirectory MOB = MobDirectory.of("data", TABLE, "f");
  private static final byte[] TAG = {0, 1, 5};

  private final ManualClock clock = new ManualClock();
  private final Storage storage = new MemoryStorage(clock);
  private final MobCleaner cleaner =
      new MobCleaner(new SiteConfig(Map.of("hbase.mob.min.age.archive", "1000")), storage, clock);

  @BeforeEach
  void makeTables() throws IOException {
    for (TableName table : List.of(TABLE, CLONE)) {
      TableSchema schema = TableSchema.of(table, FamilySchema.of("f", Map.of("IS_MOB", "true")));
      new TableFiles(storage).create(schema, List.of());
    }
    storage.writeAll(MOB.file("needed"), new byte[1]);
    storage.writeAll(MOB.file("waste"), new byte[1]);
    clock.advanceMillis(2000);
  }

  @Test
  void whatNoStoreFileRefersToGoesToTheArchive() throws IOException {
    storeFile(STORE.file("01"), Optional.of("t/needed"));
    storeFile(STORE.file("02"), Optional.of("\0"));

    assertThat(cleaner.clean()).isEqualTo(1);
    assertThat(storage.exists(MOB.file("needed"))).isTrue();
    assertThat(storage.exists(MOB.file("waste"))).isFalse();
    assertThat(storage.exists(MOB.place().archivedFile("waste"))).isTrue();
    assertThat(cleaner.clean()).isZero();
  }

  @Test
  void whatIsYoungStays() throws IOException {
    storage.writeAll(MOB.file("fresh"), new byte[1]);

    assertThat(cleaner.clean()).isEqualTo(2);
    assertThat(storage.exists(MOB.file("fresh"))).isTrue();
    clock.advanceMillis(1000);
    assertThat(cleaner.clean()).isEqualTo(1);
  }

  @Test
  void whatACloneRefersToStays() throws IOException {
    storeFile(STORE.inRegion(CLONE, "bb").file("01"), Optional.of("t/needed//ns:clone/waste"));

    assertThat(cleaner.clean()).isEqualTo(1);
    assertThat(storage.exists(MOB.file("needed"))).isTrue();
  }

  @Test
  void linksOfACloneStay() throws IOException {
    storage.writeAll(MOB.file("other=aa-needed_bb"), new byte[0]);
    clock.advanceMillis(2000);

    cleaner.clean();
    assertThat(storage.exists(MOB.file("other=aa-needed_bb"))).isTrue();
  }

  @Test
  void referencesAndLinksOfRegionsAreFollowed() throws IOException {
    storeFile(STORE.file("01"), Optional.of("t/needed"));
    storeFile(STORE.file("02"), Optional.of("t/waste"));
    StoreDirectory daughter = STORE.inRegion(TABLE, "cc");
    StoreFileName half = new StoreFileName.Half(new StoreFileName.Plain("01"), "aa");
    storage.writeAll(daughter.file(half.text()), Reference.top(Bytes.utf8("m")).toFile());
    HFileArchive archive = new HFileArchive(storage);
    archive.link(daughter, new StoreFileName.Link(TABLE, "aa", "02"));
    archive.archive(STORE, "01");
    archive.archive(STORE, "02");

    assertThat(cleaner.clean()).isZero();
  }

  @Test
  void nothingGoesWhileAStoreFileDoesNotSayWhatItNeeds() throws IOException {
    storeFile(STORE.file("01"), Optional.empty());

    assertThatThrownBy(cleaner::clean)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(STORE.file("01"))
        .hasMessageContaining("major compaction of t");
    assertThat(storage.exists(MOB.file("waste"))).isTrue();
  }

  @Test
  void nothingGoesWhileAStoreFileCannotBeRead() throws IOException {
    storage.writeAll(STORE.file("01"), new byte[100]);

    assertThatThrownBy(cleaner::clean).hasMessageContaining(STORE.file("01"));
    assertThat(storage.exists(MOB.file("waste"))).isTrue();
  }

  private void storeFile(String path, Optional<String> refs) throws IOException {
    HFileOptions options = HFileOptions.of(FamilySchema.of("f"), CellComparator.USER);
    try (HFileWriter file = new HFileWriter(storage, path, options, clock)) {
      file.append(
          Cell.of(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.utf8("q"), 1, 4, Bytes.EMPTY, TAG, 1));
      refs.ifPresent(text -> file.putFileInfo(Bytes.utf8("MOB_FILE_REFS"), Bytes.utf8(text)));
      file.finish();
    }
  }
}
