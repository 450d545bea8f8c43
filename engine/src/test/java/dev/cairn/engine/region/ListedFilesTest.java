package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  private static List<String> storeFiles(RegionHarness harness) throws IOException {
    return harness.memory().list(harness.directory() + "/f").stream()
        .filter(file -> !file.directory())
        .map(Storage.FileInfo::name)
        .toList();
  }
}
