package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.layout.HFileArchive;
import dev.cairn.engine.layout.Reference;
import dev.cairn.engine.layout.StoreDirectory;
import dev.cairn.engine.layout.StoreFileName;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files that lie in a store because HBase put them there. */
class ForeignFilesTest {
  private static final FamilySchema FAMILY = FamilySchema.of("f");
  private static final TableSchema SCHEMA = TableSchema.of(TableName.parse("t"), FAMILY);

  @Test
  void cellsOfABulkLoadedFileCountUnderTheNumberInItsName() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.put("a", F, "q", 5, "put before");
      harness.put("b", F, "q", 5, "put before");
      harness.region().flush();
      long loaded = harness.region().readPoint() + 5;
      harness.closeCleanly();
      write(
          harness,
          harness.directory() + "/f/0a_SeqId_" + loaded + "_",
          List.of(put("a", "loaded"), put("b", "loaded")));
      harness.open();
      assertThat(harness.region().readPoint()).isGreaterThanOrEqualTo(loaded);
      harness.put("b", F, "q", 5, "put after");

      List<String> expected = List.of("a/f:q=loaded", "b/f:q=put after");
      assertThat(harness.dump()).isEqualTo(expected);
      harness.region().flush();
      harness.region().compact(true);
      assertThat(harness.dump()).isEqualTo(expected);
    }
  }

  @Test
  void aClonedTableReadsTheFilesOfAnotherThroughLinksWhereverTheyAre() throws IOException {
    for (String place : List.of("data", "archive/data", ".tmp/data", "mobdir/data")) {
      try (RegionHarness harness = new RegionHarness(SCHEMA)) {
        harness.closeCleanly();
        write(harness, place + "/ns/source/0123/f/0abc", List.of(put("a", "1"), put("b", "2")));
        StoreFileName.Link link =
            new StoreFileName.Link(TableName.parse("ns:source"), "0123", "0abc");
        StoreDirectory store = StoreDirectory.parse(harness.directory() + "/f");
        new HFileArchive(harness.memory()).link(store, link);
        harness.open();
        List<String> expected = List.of("a/f:q=1", "b/f:q=2");
        assertThat(harness.dump()).as(place).isEqualTo(expected);
        harness.region().compact(true);
        assertThat(harness.dump()).as(place).isEqualTo(expected);
        assertThat(harness.memory().exists(place + "/ns/source/0123/f/0abc")).isTrue();
        assertThat(harness.memory().exists(store.file(link.text()))).isFalse();
        assertThat(harness.memory().exists(store.backReference(link))).isFalse();
      }
    }
  }

  @Test
  void aTableMayBeNamedLikeABulkLoadedFile() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.closeCleanly();
      TableName source = TableName.parse("odd_SeqId_1_name");
      write(
          harness,
          "data/default/odd_SeqId_1_name/0123/f/0abc",
          List.of(numbered("a", "older", 7), numbered("b", "v", 8)));
      StoreDirectory store = StoreDirectory.parse(harness.directory() + "/f");
      new HFileArchive(harness.memory())
          .link(store, new StoreFileName.Link(source, "0123", "0abc"));
      write(harness, store.file("0def"), List.of(numbered("a", "oldest", 6)));
      harness.open();
      assertThat(harness.dump()).isEqualTo(List.of("a/f:q=older", "b/f:q=v"));
    }
  }

  @Test
  void aFileThatDoesNotSayUpToWhereItStandsIsSeenAllTheSame() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.closeCleanly();
      write(harness, harness.directory() + "/f/0abc", List.of(numbered("a", "foreign", 5_000)));
      harness.open();
      assertThat(harness.dump()).isEqualTo(List.of("a/f:q=foreign"));
      harness.put("a", F, "q", 5, "later");
      assertThat(harness.dump()).isEqualTo(List.of("a/f:q=later"));
      harness.kill();
      assertThat(harness.dump()).isEqualTo(List.of("a/f:q=later"));
    }
  }

  /**
   * A reader cannot tell a file without a time range from one with a cell of the latest timestamp.
   */
  @Test
  void aFileWhoseNewestTimeIsUnknownMovesNoWriteAheadOfTheClock() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.closeCleanly();
      Cell latest =
          Cell.put(Bytes.utf8("a"), F, Bytes.utf8("q"), Cell.LATEST_TIMESTAMP, Bytes.utf8("v"));
      write(harness, harness.directory() + "/f/0a_SeqId_7_", List.of(latest));
      harness.clock.stop();
      harness.open();
      harness.put("b", "q", "v");
      CellBuffer out = new CellBuffer();
      harness.get(ScanRequest.row(Bytes.utf8("b")).build(), out);
      assertThat(out.get(0).timestamp()).isEqualTo(harness.clock.currentTimeMillis());
    }
  }

  @Test
  void aMergedRegionShowsTheCellsOfAllItsParents() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.closeCleanly();
      StoreDirectory merged = StoreDirectory.parse(harness.directory() + "/f");
      Storage storage = harness.memory();
      // A merged region refers to its parents' files from their start keys on; one parent is in
      // the archive already.
      write(harness, merged.inRegion(merged.table(), "0a").file("01"), List.of(put("a", "1")));
      write(
          harness,
          merged.inRegion(merged.table(), "0b").archivedFile("02"),
          List.of(put("a", "not its own any more"), put("m", "2"), put("z", "3")));
      storage.writeAll(merged.file("01.0a"), Reference.top(Bytes.EMPTY).toFile());
      storage.writeAll(merged.file("02.0b"), Reference.top(Bytes.utf8("m")).toFile());
      harness.open();
      List<String> expected = List.of("a/f:q=1", "m/f:q=2", "z/f:q=3");
      assertThat(harness.dump()).isEqualTo(expected);
      assertThat(harness.region().hasReferences()).isTrue();
      assertThat(harness.get("m", "q")).isEqualTo("2");
      harness.region().compact(false);
      assertThat(harness.region().hasReferences()).isFalse();
      assertThat(harness.dump()).isEqualTo(expected);
    }
  }

  @Test
  void aLinkToNothingIsNamedWithThePlacesThatWereLookedAt() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.closeCleanly();
      harness.memory().writeAll(harness.directory() + "/f/ns=source=0123-0abc", new byte[0]);
      assertThatThrownBy(harness::open)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ns=source=0123-0abc")
          .hasMessageContaining("archive/data/ns/source/0123/f/0abc");
      harness.memory().delete(harness.directory() + "/f/ns=source=0123-0abc");
      harness.open();
    }
  }

  @Test
  void aFileWhoseNameIsTakenInTheArchiveMovesTheOtherAside() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      StoreDirectory store = StoreDirectory.parse(harness.directory() + "/f");
      Storage storage = harness.memory();
      storage.writeAll(store.archivedFile("0a"), new byte[] {1});
      storage.writeAll(store.file("0a"), new byte[] {2});
      new HFileArchive(storage).archive(store, "0a");
      new HFileArchive(storage).archive(store, "0a"); // it is gone: nothing happens
      assertThat(storage.readAll(store.archivedFile("0a"))).containsExactly(2);
      assertThat(storage.list(store.archive())).hasSize(2);

      storage.writeAll(store.file("0a"), new byte[] {3, 3});
      assertThatThrownBy(() -> new HFileArchive(storage).archive(store, "0a"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(store.archivedFile("0a"));
      assertThat(storage.readAll(store.file("0a"))).containsExactly(3, 3);
      storage.delete(store.file("0a"));
    }
  }

  @Test
  void aStoreWithAnUnknownTrackerIsNotOpened() throws IOException {
    TableSchema listed =
        TableSchema.of(
            TableName.parse("t"),
            FamilySchema.of("f", Map.of("hbase.store.file-tracker.impl", "STRIPE")));
    assertThatThrownBy(() -> new RegionHarness(listed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("<STRIPE>")
        .hasMessageContaining("DEFAULT, FILE, MIGRATION");
  }

  private static Cell put(String row, String value) {
    return Cell.put(Bytes.utf8(row), F, Bytes.utf8("q"), 5, Bytes.utf8(value));
  }

  private static Cell numbered(String row, String value, long sequence) {
    Cell cell = put(row, value);
    return Cell.of(
        cell.row(),
        cell.family(),
        cell.qualifier(),
        cell.timestamp(),
        cell.typeCode(),
        cell.value(),
        Bytes.EMPTY,
        sequence);
  }

  private static void write(RegionHarness harness, String path, List<Cell> cells)
      throws IOException {
    try (HFileWriter writer =
        new HFileWriter(
            harness.memory(), path, HFileOptions.of(FAMILY, CellComparator.USER), harness.clock)) {
      for (Cell cell : cells) {
        writer.append(cell);
      }
      writer.finish();
    }
  }
}
