package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage.Fault;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.wal.split.RecoveredEdits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class RegionSplitTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("BLOCKSIZE", "256")),
          FamilySchema.of("g", Map.of("BLOOMFILTER", "ROWCOL")));

  @Test
  void daughtersShowTheParentsCellsAndTakeWritesAndCompactTheReferencesAway() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      List<String> before = table.dump();
      long parentsLast = table.regions().get(0).readPoint();

      RegionSplit split = table.split("r50");

      assertThat(table.dump()).isEqualTo(before);
      assertThat(table.regions()).allMatch(Region::hasReferences);
      assertThat(table.regions()).allMatch(region -> region.readPoint() > parentsLast - 1);
      assertThat(table.row("r49")).hasSize(2).allMatch(cell -> cell.startsWith("r49/"));
      assertThat(table.tree().retire(split.parent())).isFalse();

      table.put("r10", F, "q", "new");
      table.put("r90", F, "q", "new");
      assertThat(table.row("r10")).contains("r10/f:q=new");
      List<String> written = table.dump();
      for (Region region : table.regions()) {
        region.flush();
        assertThat(region.needsCompaction()).isTrue();
        region.compact(false);
        assertThat(region.hasReferences()).isFalse();
      }
      assertThat(table.dump()).isEqualTo(written);
      assertThat(table.retireParents()).isZero();
      assertThat(table.memory().exists(directory(split.parent()))).isFalse();
      table.restart();
      assertThat(table.dump()).isEqualTo(written);
    }
  }

  @Test
  void theLayoutIsTheOneOfHBase() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      table.put("a", F, "q", "1");
      table.put("z", F, "q", "1");
      table.put("z", G, "q", "1");
      table.regions().get(0).flush();
      RegionInfo parent = table.regions().get(0).info();
      String inF = only(table, directory(parent) + "/f");
      String inG = only(table, directory(parent) + "/g");

      RegionSplit split = table.split("m");

      String parentName = parent.encodedName();
      assertThat(names(table, directory(split.lower()) + "/f"))
          .containsExactly(inF + "." + parentName);
      assertThat(names(table, directory(split.lower()) + "/g")).isEmpty();
      assertThat(names(table, directory(split.upper()) + "/f"))
          .containsExactly(inF + "." + parentName);
      String link = "t=" + parentName + "-" + inG;
      assertThat(names(table, directory(split.upper()) + "/g")).containsExactly(link);
      assertThat(names(table, "archive/" + directory(parent) + "/g/.links-" + inG))
          .containsExactly(split.upper().encodedName() + ".t");
      assertThat(split.lower().endKey()).isEqualTo(Bytes.utf8("m"));
      assertThat(split.upper().startKey()).isEqualTo(Bytes.utf8("m"));
      assertThat(split.lower().regionId())
          .isEqualTo(split.upper().regionId())
          .isGreaterThan(parent.regionId());
    }
  }

  @Test
  void aSnapshotOfTheParentIsWholeThoughALogSplitLaterHasItsEdits() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      RegionInfo parent = table.split("r50").parent().asSplit();
      table.put("r10", F, "q", "not flushed"); // so that the log is needed
      table.recover(table.memory());
      assertThat(new RecoveredEdits(table.memory(), directory(parent)).files()).isNotEmpty();

      RegionSnapshot snapshot =
          RegionSnapshot.read(parent, SCHEMA, TableHarness.DATA, table.stores());

      assertThat(snapshot.families()).hasSize(2).noneMatch(family -> family.files().isEmpty());
      assertThatThrownBy(
              () ->
                  RegionSnapshot.read(
                      parent.asServing(), SCHEMA, TableHarness.DATA, table.stores()))
          .hasMessageContaining("edits that are in no store file");
    }
  }

  @Test
  void aLinkFindsItsFileInTheArchiveAndItsBackReferenceGoesWithIt() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      table.put("z", F, "q", "1");
      table.regions().get(0).flush();
      RegionInfo parent = table.regions().get(0).info();
      String file = only(table, directory(parent) + "/f");
      RegionSplit split = table.split("m");

      // A link is no reference: the parent may go.
      assertThat(table.retireParents()).isZero();
      assertThat(table.memory().exists("archive/" + directory(parent) + "/f/" + file)).isTrue();
      table.restart();
      assertThat(table.dump()).containsExactly("z/f:q=1");

      table.regionOf("z").compact(true);
      assertThat(table.dump()).containsExactly("z/f:q=1");
      assertThat(names(table, "archive/" + directory(parent) + "/f/.links-" + file)).isEmpty();
      assertThat(names(table, "archive/" + directory(split.upper()) + "/f")).hasSize(1);
    }
  }

  @Test
  void aScanThatHoldsAReferenceGoesOnWhenThatIsCompactedAndTheParentArchived() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      table.split("r50");
      List<String> before = table.dump();
      try (RegionRead scanner =
          table
              .regions()
              .get(0)
              .read(ScanRequest.builder().cacheBlocks(false).build(), ReadBudget.WHOLE_ROWS)) {
        for (Region region : table.regions()) {
          region.compact(true);
        }
        // The reference is still there, for the scan.
        assertThat(table.retireParents()).isEqualTo(1);
        List<String> seen = new ArrayList<>();
        TableHarness.read(scanner, seen);
        assertThat(seen).isEqualTo(before.subList(0, seen.size())).isNotEmpty();
      }
      assertThat(table.retireParents()).isZero();
      assertThat(table.dump()).isEqualTo(before);
    }
  }

  @Test
  void aRegionWithReferencesIsNotSplit() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      table.split("r50");
      assertThat(table.regionOf("r10").splitPoint()).isEmpty();
      assertThatThrownBy(() -> table.split("r10"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("compact it");
      table.regionOf("r10").compact(true);
      table.split("r10");
      assertThat(table.regions()).hasSize(3);
    }
  }

  @Test
  void rowsThatDivideNothingAreRefused() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      table.split("r50");
      Region upper = table.regionOf("r60");
      upper.compact(true);
      for (String row : List.of("", "r50", "r49")) {
        assertThatThrownBy(() -> RegionSplit.plan(upper, Bytes.utf8(row)))
            .as(row)
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void theSplitPointIsARowInTheMiddleOfTheLargestFile() throws IOException {
    // The largest file has rows 00 to 60.
    try (TableHarness table = new TableHarness(SCHEMA)) {
      assertThat(table.regions().get(0).splitPoint()).isEmpty();
      fill(table);
      byte[] row = table.regions().get(0).splitPoint().orElseThrow();
      assertThat(Bytes.utf8(row)).isBetween("r20", "r40");
    }
  }

  @Test
  void aKillOrPowerCutAtAnyStepLeavesTheParentOrBothDaughters() throws IOException {
    long seed = Long.getLong("cairn.seed", new Random().nextLong());
    Random random = new Random(seed);
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      table.put("r33", F, "q", "not flushed");
      List<String> before = table.dump();
      MemoryStorage prepared = table.memory().afterKill();
      boolean done = false;
      for (int steps = 0; !done; steps++) {
        table.recover(prepared.afterKill());
        // What follows runs on a storage that stops; opening on it takes no part in the count.
        MemoryStorage start = table.memory().afterKill();
        done = stopsAfter(table, start, steps);
        MemoryStorage after =
            random.nextBoolean()
                ? table.memory().afterKill()
                : table.memory().afterPowerCut(random);
        table.recover(after);
        String context = "seed %d, stopped after %d operations".formatted(seed, steps);
        assertThat(table.regions().size()).as(context).isIn(1, 2);
        assertThat(table.dump()).as(context).isEqualTo(before);
        if (table.regions().size() == 1) {
          assertThat(names(table, "data/default/t")).as(context).hasSize(1);
          table.split("r50");
        }
        for (Region region : table.regions()) {
          region.compact(true);
        }
        assertThat(table.retireParents()).as(context).isZero();
        assertThat(table.dump()).as(context).isEqualTo(before);
        assertThat(names(table, "data/default/t")).as(context).hasSize(2);
      }
    }
  }

  @Test
  void aPowerCutDoesNotUndoACommitThatAnEarlierRecoveryHasSeen() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      table
          .restart(); // with a new log, so that recovery does not write into the parent's directory
      Region parent = table.regions().get(0);
      RegionSplit split = RegionSplit.plan(parent, Bytes.utf8("r50"));
      parent.close(false);
      split.writeDaughters(SCHEMA, TableHarness.DATA, table.stores());
      split.commit(TableHarness.DATA, table.memory().unsynced());

      table.recover(table.memory().afterKill());
      table.put("r10", F, "q", "written to a daughter");
      table.regionOf("r10").flush();
      List<String> before = table.dump();

      table.recover(table.memory().afterPowerCut());
      assertThat(table.regions()).hasSize(2);
      assertThat(table.dump()).isEqualTo(before);
    }
  }

  @Test
  void aPowerCutDoesNotTakeAwayWhatTheDaughtersReferTo() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      List<String> before = table.dump();
      Region parent = table.regions().get(0);
      RegionSplit split = RegionSplit.plan(parent, Bytes.utf8("r50"));
      parent.close(false);
      table.unsyncFiles(split.parent(), "f");
      split.writeDaughters(SCHEMA, TableHarness.DATA, table.stores());
      split.commit(TableHarness.DATA, table.memory());

      table.recover(table.memory().afterPowerCut());
      assertThat(table.regions()).hasSize(2);
      assertThat(table.dump()).isEqualTo(before);
    }
  }

  @Test
  void daughtersThatWerePreparedBeforeTheParentClosedAreCompletedAfterwards() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      Region parent = table.regions().get(0);
      RegionSplit split = RegionSplit.plan(parent, Bytes.utf8("r50"));
      split.prepareDaughters(SCHEMA, TableHarness.DATA, table.stores());
      table.put("r33", F, "q", "written after the preparation");
      parent.flush();
      table.put("r77", F, "q", "flushed when the parent closes");
      List<String> before = table.dump();

      parent.close(false);
      split.writeDaughters(SCHEMA, TableHarness.DATA, table.stores());
      split.commit(TableHarness.DATA, table.memory());

      table.recover(table.memory().afterPowerCut());
      assertThat(table.regions()).hasSize(2);
      assertThat(table.dump()).isEqualTo(before);
      for (Region daughter : table.regions()) {
        assertThat(names(table, directory(daughter.info())))
            .contains(".regioninfo", "f", "g", "recovered.edits")
            .doesNotContain(".regioninfo.prepared");
      }
    }
  }

  @Test
  void whatAnEarlierProcessPreparedIsMadeAnewSinceAPowerCutMayTakeItAway() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      List<String> before = table.dump();
      Region parent = table.regions().get(0);
      RegionSplit killed = RegionSplit.plan(parent, Bytes.utf8("r50"));
      StoreContext unsynced = on(table.memory().unsynced(), table.stores());
      killed.prepareDaughters(SCHEMA, TableHarness.DATA, unsynced);

      RegionSplit resumed = RegionSplit.planned(killed.parent(), killed.upper());
      parent.close(false);
      resumed.writeDaughters(SCHEMA, TableHarness.DATA, table.stores());
      resumed.commit(TableHarness.DATA, table.memory());

      table.recover(table.memory().afterPowerCut());
      assertThat(table.regions()).hasSize(2);
      assertThat(table.dump()).isEqualTo(before);
    }
  }

  @Test
  void helpersWriteBothDaughters() throws Exception {
    ExecutorService helpers = Executors.newFixedThreadPool(3);
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      List<String> before = table.dump();
      Region parent = table.regions().get(0);
      RegionSplit split = RegionSplit.plan(parent, Bytes.utf8("r50"));
      parent.close(false);
      split.writeDaughters(SCHEMA, TableHarness.DATA, table.stores().helpedBy(helpers));
      split.commit(TableHarness.DATA, table.memory());
      table.recover(table.memory().afterPowerCut());
      assertThat(table.dump()).isEqualTo(before);
      assertThat(table.regions()).hasSize(2);
    } finally {
      helpers.shutdownNow();
    }
  }

  @Test
  void aSplitThatCannotCloseTheParentLeavesNothing() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      fill(table);
      Region parent = table.regions().get(0);
      RegionSplit split = RegionSplit.plan(parent, Bytes.utf8("r50"));
      parent.close(false);
      assertThatThrownBy(() -> split.run(parent)).isInstanceOf(RegionClosedException.class);
      assertThat(names(table, "data/default/t")).containsExactly(parent.info().encodedName());
    }
  }

  private static StoreContext on(Storage storage, StoreContext context) {
    return new StoreContext(
        storage,
        context.cache(),
        context.clock(),
        context.fileNames(),
        context.listener(),
        context.settings());
  }

  private static boolean stopsAfter(TableHarness table, MemoryStorage start, long steps)
      throws IOException {
    Switch fault = new Switch();
    table.recover(start, fault);
    fault.next = Fault.stopAfter(steps);
    try {
      table.split("r50");
      for (Region region : table.regions()) {
        region.compact(false);
      }
      table.retireParents();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A fault that begins when it is told to. */
  private static final class Switch implements Fault {
    volatile Fault next = Fault.stopAfter(Long.MAX_VALUE);

    @Override
    public boolean fails(dev.cairn.engine.storage.StorageOperation operation, String path) {
      return next.fails(operation, path);
    }
  }

  private static void fill(TableHarness table) throws IOException {
    for (int i = 0; i < 100; i++) {
      table.put("r%02d".formatted(i), F, "q", "value " + i);
      table.put("r%02d".formatted(i), G, "q", "value " + i);
      if (i == 60) {
        table.regions().get(0).flush();
      }
    }
    table.regions().get(0).flush();
  }

  private static String directory(RegionInfo region) {
    return RegionDirectory.of(TableHarness.DATA, region).path();
  }

  private static String only(TableHarness table, String directory) throws IOException {
    List<String> names = names(table, directory);
    assertThat(names).hasSize(1);
    return names.get(0);
  }

  private static List<String> names(TableHarness table, String directory) throws IOException {
    return table.memory().list(directory).stream().map(Storage.FileInfo::name).toList();
  }
}
