package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.WarmUpPace;
import dev.cairn.engine.region.lifecycle.RegionTruncation;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreContext;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Regions whose store files count because a list names them. */
class ListedFilesTest {
  private static final TableSchema LISTED =
      tracked(Map.of("hbase.store.file-tracker.impl", "FILE"));
  private static final TableSchema ALL = tracked(Map.of());

  private static TableSchema tracked(Map<String, String> attributes) {
    return TableSchema.of(TableName.parse("t"), FamilySchema.of("f", attributes));
  }

  private static TableSchema migrating(String from, String to) {
    return tracked(
        Map.of(
            "hbase.store.file-tracker.impl", "MIGRATION",
            "hbase.store.file-tracker.migration.src.impl", from,
            "hbase.store.file-tracker.migration.dst.impl", to));
  }

  private enum Crash {
    KILL,
    POWER_CUT
  }

  /** Fails, from each storage operation on in turn, while files are written and merged. */
  @ParameterizedTest
  @EnumSource
  void noCrashLosesAWriteOrBringsBackADeletedOne(Crash crash) throws IOException {
    Random random = new Random(11);
    boolean whole = false;
    for (int allowed = 0; !whole; allowed++) {
      AtomicLong left = new AtomicLong(Long.MAX_VALUE);
      try (RegionHarness harness = new RegionHarness(LISTED)) {
        harness.failWith((operation, path) -> path.contains("/f") && left.getAndDecrement() <= 0);
        harness.closeCleanly();
        harness.open();
        harness.put("kept", "q", "1");
        harness.put("gone", "q", "1");
        harness.region().flush();
        RegionHarness.done(
            harness.mutate(
                List.of(
                    RegionHarness.deleteOf(
                        "gone", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN))));
        harness.region().flush();
        harness.put("new", "q", "1");
        left.set(allowed);
        whole = work(harness);
        left.set(Long.MAX_VALUE);
        if (crash == Crash.KILL) {
          harness.kill();
        } else {
          harness.powerCut(random);
        }
        for (int opening = 0; opening < 2; opening++) {
          assertThat(harness.dump(ScanRequest.builder().build()))
              .as("after %d operations", allowed)
              .containsExactly("kept/f:q=1", "new/f:q=1");
          harness.region().compact(true);
          assertThat(harness.dump(ScanRequest.builder().build())).hasSize(2);
          harness.closeCleanly();
          harness.open();
        }
        assertThat(storeFiles(harness)).as("no file is left that does not count").hasSize(1);
      }
      assertThat(allowed).as("the work ends").isLessThan(1000);
    }
  }

  /** Fails at each storage operation in turn, and repeats the truncation after it. */
  @ParameterizedTest
  @MethodSource("trackings")
  void aTruncationThatFailedCanBeRepeated(TableSchema table) throws IOException {
    boolean whole = false;
    for (int allowed = 0; !whole; allowed++) {
      try (RegionHarness harness = new RegionHarness(table)) {
        for (String row : List.of("a", "b", "c")) {
          harness.put(row, "q", "1");
          harness.region().flush();
        }
        harness.region().close(false);
        whole = truncate(harness, table, FaultyStorage.Fault.stopAfter(allowed));
        boolean repeated = truncate(harness, table, FaultyStorage.Fault.stopAfter(Long.MAX_VALUE));
        assertThat(repeated).as("repeated after %d operations", allowed).isTrue();
        assertThat(storeFiles(harness)).isEmpty();
        assertThat(archived(harness)).hasSize(3);
        harness.alter(table);
        assertThat(harness.dump(ScanRequest.builder().build())).isEmpty();
        harness.put("d", "q", "1");
        harness.region().flush();
        harness.kill();
        assertThat(harness.dump(ScanRequest.builder().build())).containsExactly("d/f:q=1");
      }
      assertThat(allowed).as("the truncation ends").isLessThan(1000);
    }
  }

  private static List<TableSchema> trackings() {
    return List.of(ALL, LISTED, migrating("DEFAULT", "FILE"), migrating("FILE", "DEFAULT"));
  }

  private static boolean truncate(
      RegionHarness harness, TableSchema table, FaultyStorage.Fault fault) throws IOException {
    try {
      RegionTruncation.run(
          harness.region().info(),
          table,
          "data",
          new StoreContext(
              new FaultyStorage(harness.memory(), fault),
              new BlockCache(0, Runnable::run),
              harness.clock,
              () -> "unused",
              EngineListener.NONE,
              harness.region().context().stores().settings()));
      return true;
    } catch (IOException e) {
      assertThat(e).isNotInstanceOf(DamagedFileException.class);
      return false;
    }
  }

  private static boolean work(RegionHarness harness) {
    try {
      harness.region().flush();
      harness.region().compact(true);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void aTableMigratesThereAndBack() throws IOException {
    try (RegionHarness harness = new RegionHarness(ALL)) {
      harness.put("a", "q", "1");
      harness.alter(migrating("DEFAULT", "FILE"));
      harness.put("b", "q", "1");
      harness.region().flush();
      harness.alter(LISTED);
      harness.put("c", "q", "1");
      harness.region().flush();
      harness.region().compact(true);
      assertThat(storeFiles(harness)).hasSize(1);
      String stray = harness.directory() + "/f/00ff";
      harness.memory().writeAll(stray, new byte[] {1});
      harness.alter(migrating("FILE", "DEFAULT"));
      assertThat(harness.memory().exists(stray)).as("a file that never counted").isFalse();
      harness.put("d", "q", "1");
      harness.region().flush();
      harness.kill();
      harness.alter(ALL);
      assertThat(harness.dump(ScanRequest.builder().build()))
          .containsExactly("a/f:q=1", "b/f:q=1", "c/f:q=1", "d/f:q=1");
    }
  }

  @Test
  void aListThatDoesNotCountAnyMoreGoesWhenTheStoreOpens() throws IOException {
    try (RegionHarness harness = new RegionHarness(LISTED)) {
      harness.put("a", "q", "1");
      harness.region().flush();
      harness.alter(ALL);
      assertThat(harness.memory().exists(harness.directory() + "/f/.filelist")).isFalse();
      harness.put("b", "q", "1");
      harness.region().flush();
      harness.powerCut();
      assertThat(harness.memory().exists(harness.directory() + "/f/.filelist")).isFalse();
      String[] cells = {"a/f:q=1", "b/f:q=1"};
      assertThat(harness.dump(ScanRequest.builder().build())).containsExactly(cells);
      assertThatThrownBy(() -> harness.alter(LISTED)).isInstanceOf(DamagedFileException.class);
      assertThat(storeFiles(harness)).as("no file is archived for an old list").hasSize(2);
      harness.alter(migrating("DEFAULT", "FILE"));
      harness.alter(LISTED);
      assertThat(harness.dump(ScanRequest.builder().build())).containsExactly(cells);
    }
  }

  @Test
  void warmingUpLeavesOutAFileThatIsBeingWritten() throws IOException {
    try (RegionHarness harness = new RegionHarness(LISTED)) {
      harness.put("a", "q", "1");
      harness.region().flush();
      harness.memory().writeAll(harness.directory() + "/f/00ff", new byte[] {1});
      Region region = harness.region();
      WarmUpPace pace = WarmUpPace.unlimited(region.context().stores().clock());
      try (RegionWarmUp warm =
          RegionWarmUp.run(region.info(), LISTED, region.context(), HotBlocks.NONE, pace)) {
        assertThat(warm.files()).isEqualTo(1);
      }
    }
  }

  private static List<String> archived(RegionHarness harness) throws IOException {
    return names(harness, "archive/" + harness.directory() + "/f");
  }

  private static List<String> storeFiles(RegionHarness harness) throws IOException {
    return names(harness, harness.directory() + "/f");
  }

  private static List<String> names(RegionHarness harness, String directory) throws IOException {
    return harness.memory().list(directory).stream()
        .filter(file -> !file.directory())
        .map(Storage.FileInfo::name)
        .toList();
  }
}
