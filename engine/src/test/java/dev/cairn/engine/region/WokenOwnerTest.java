package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A region server sleeps, its region is opened elsewhere, and it wakes up: what it does then has no
 * effect on the region's files, at whatever moment it fell asleep.
 */
class WokenOwnerTest {
  private RegionHarness harness;

  private void begin(String tracker) throws IOException {
    harness =
        new RegionHarness(
            TableSchema.of(
                TableName.parse("t"),
                FamilySchema.of(
                    "f", Map.of("hbase.store.file-tracker.impl", tracker, "VERSIONS", "3"))));
  }

  @AfterEach
  void close() throws IOException {
    harness.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void publishesNoFlush(String tracker) throws IOException {
    begin(tracker);
    harness.put("a", "q", "1");
    try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
      List<String> before = files();
      assertThatThrownBy(() -> harness.region().flush()).isInstanceOf(FencedException.class);
      assertThatThrownBy(() -> harness.region().close(false)).isInstanceOf(FencedException.class);
      assertThat(files()).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void publishesNoCompactionAndArchivesNothing(String tracker) throws IOException {
    begin(tracker);
    for (int i = 0; i < 4; i++) {
      harness.put("a", "q", "value " + i);
      harness.region().flush();
    }
    List<String> found = new ArrayList<>();
    try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
      List<String> before = files();
      assertThatThrownBy(() -> harness.region().compact(true)).isInstanceOf(IOException.class);
      assertThat(files()).isEqualTo(before);
      assertThat(harness.memory().exists("archive")).isFalse();
      found.addAll(next.dump());
    }
    assertThat(found).containsExactly("a/f:q=value 3", "a/f:q=value 2", "a/f:q=value 1");
  }

  /** The compaction begins before the region moves, and ends after it. */
  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aCompactionThatSleptInTheMiddleHasNoEffect(String tracker) throws IOException {
    begin(tracker);
    harness.closeCleanly();
    List<RegionHarness.Elsewhere> next = new ArrayList<>();
    harness.listenWith(
        new EngineListener() {
          @Override
          public void compactionBegun(
              String region, String family, int files, long bytes, boolean major) {
            try {
              if (next.isEmpty()) {
                next.add(harness.openElsewhere());
              }
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
        });
    harness.open();
    for (int i = 0; i < 3; i++) {
      harness.put("a", "q", "value " + i);
      harness.region().flush();
    }
    List<String> before = files();
    assertThatThrownBy(() -> harness.region().compact(true)).isInstanceOf(IOException.class);
    assertThat(files().stream().filter(file -> !file.contains(".filelist")))
        .containsAll(before.stream().filter(file -> !file.contains(".filelist")).toList());
    try (RegionHarness.Elsewhere owner = next.get(0)) {
      owner.region().compact(true);
      assertThat(owner.dump()).containsExactly("a/f:q=value 2", "a/f:q=value 1", "a/f:q=value 0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void whatItPublishedBeforeTheNextOwnerClaimedTheRegionCounts(String tracker) throws IOException {
    begin(tracker);
    harness.put("a", "q", "1");
    harness.region().flush();
    harness.put("a", "q", "2");
    try (RegionOpening opening = harness.readElsewhere()) {
      harness.region().flush(); // between the first look at the files and the claim
      harness.region().compact(true);
      try (RegionHarness.Elsewhere next = harness.begin(opening, Optional.empty())) {
        assertThat(next.dump()).containsExactly("a/f:q=2", "a/f:q=1");
        assertThat(next.region().statistics().openSequence())
            .isGreaterThanOrEqualTo(opening.openSequence());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void anOpeningThatSleptDoesNotSweepTheFilesOfALaterOwner(String tracker) throws IOException {
    begin(tracker);
    harness.put("a", "q", "1");
    harness.closeCleanly();
    try (RegionOpening slept = harness.readElsewhere();
        RegionOpening later = harness.readElsewhere();
        RegionHarness.Elsewhere owner = harness.begin(later, Optional.of(new FencingToken(7, 2)))) {
      owner.put("a", "q", "2");
      assertThatThrownBy(() -> slept.begin(Optional.of(new FencingToken(7, 1))))
          .isInstanceOf(FencedException.class);
      owner.region().flush();
      assertThat(owner.dump()).containsExactly("a/f:q=2", "a/f:q=1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void anOpeningChangesNothingBeforeItBegins(String tracker) throws IOException {
    begin(tracker);
    harness.put("a", "q", "1");
    harness.closeCleanly();
    harness.memory().createDirectories(harness.directory() + "/.tmp/f");
    List<String> before = everything(harness.directory());
    try (RegionOpening opening = harness.readElsewhere()) {
      assertThat(opening.openSequence()).isPositive();
      assertThat(everything(harness.directory())).isEqualTo(before);
    }
    assertThat(everything(harness.directory())).isEqualTo(before);
  }

  /** A scan keeps the dropped file in its place until the region is open elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aDroppedFileThatAScanStillReadsIsNotInTheNextOwnersStore(String tracker) throws IOException {
    beginWithExpiredFile(tracker);
    StoreView read = harness.region().stores().get(0).pin();
    harness.region().compact(false);
    try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
      read.release();
      assertThatAllFilesExist(next);
      assertThat(next.dump()).containsExactly("b/f:q=young");
    }
    assertThat(harness.memory().list("archive/" + harness.directory() + "/f")).hasSize(1);
    assertThat(files()).noneMatch(file -> file.contains(".dropped"));
  }

  /** The owner freezes before each operation in turn, and the region opens elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aWokenOwnerArchivesNoFileOfTheNextOwner(String tracker) throws IOException {
    int operations = 0;
    for (boolean slept = true; slept; operations++) {
      AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
      List<RegionHarness.Elsewhere> next = new ArrayList<>();
      beginWithExpiredFile(
          tracker,
          (operation, path) -> {
            if (path.startsWith("data/") && left.getAndDecrement() == 0) {
              next.add(openElsewhere());
            }
            return false;
          });
      left.set(operations);
      try {
        harness.region().compact(false);
      } catch (IOException e) {
        assertThat(next).as("%s before operation %d", e, operations).hasSize(1);
      }
      slept = !next.isEmpty();
      if (slept) {
        try (RegionHarness.Elsewhere owner = next.get(0)) {
          harness.region().close(true);
          assertThatAllFilesExist(owner);
          assertThat(owner.dump()).containsExactly("b/f:q=young");
        }
        harness.close();
      }
    }
    assertThat(operations).isGreaterThan(3);
  }

  private void beginWithExpiredFile(String tracker) throws IOException {
    beginWithExpiredFile(tracker, (operation, path) -> false);
  }

  private void beginWithExpiredFile(String tracker, FaultyStorage.Fault fault) throws IOException {
    harness =
        new RegionHarness(
            TableSchema.of(
                TableName.parse("t"),
                FamilySchema.of(
                    "f", Map.of("hbase.store.file-tracker.impl", tracker, "TTL", "100"))));
    harness.closeCleanly();
    harness.failWith(fault);
    harness.open();
    harness.put("a", "q", "old");
    harness.region().flush();
    harness.clock.advance(200_000);
    harness.put("b", "q", "young");
    harness.region().flush();
  }

  private RegionHarness.Elsewhere openElsewhere() {
    try {
      return harness.openElsewhere();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertThatAllFilesExist(RegionHarness.Elsewhere owner) throws IOException {
    for (StoreFile file : owner.region().stores().get(0).view().files()) {
      assertThat(harness.memory().exists(file.path())).as("%s exists", file).isTrue();
    }
  }

  /** The region's table is dropped between the master's consent and the opening. */
  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void anOpeningOfADroppedRegionMakesNoDirectories(String tracker) throws IOException {
    begin(tracker);
    harness.put("a", "q", "1");
    harness.closeCleanly();
    try (RegionOpening slept = harness.readElsewhere()) {
      drop();
      assertThatThrownBy(() -> slept.begin(Optional.of(new FencingToken(7, 1))))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(NoSuchFileException.class)
          .hasMessageContaining("does not exist any more");
      assertThat(harness.memory().exists(harness.directory())).isFalse();
    }
  }

  /** The opening freezes before each operation in turn. */
  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void anOpeningThatIsFrozenWhileItsRegionIsDroppedMakesNoDirectories(String tracker)
      throws IOException {
    int operations = 0;
    for (boolean slept = true; slept; operations++) {
      begin(tracker);
      harness.put("a", "q", "1");
      harness.put("b", "q", "2");
      AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
      RegionOpening opening =
          harness.readElsewhere(
              (operation, path) -> {
                if (path.startsWith("data/") && left.getAndDecrement() == 0) {
                  drop();
                }
                return false;
              });
      left.set(operations);
      try (opening) {
        harness.begin(opening, Optional.of(new FencingToken(7, 1))).close();
      } catch (IOException e) {
        assertThat(left.get()).as("operations left after %s", e).isNegative();
      }
      slept = left.get() < 0;
      assertThat(harness.memory().exists(harness.directory()))
          .as("the region's directory, dropped before operation %d", operations)
          .isEqualTo(!slept);
      if (slept) {
        harness.close();
      }
    }
    assertThat(operations).isGreaterThan(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void neitherABulkLoadNorAClosingBringsADroppedRegionBack(String tracker) throws IOException {
    begin(tracker);
    harness.put("a", "q", "1");
    harness.region().flush();
    String source = "staging/f/file";
    for (Storage.FileInfo file : harness.memory().list(harness.directory() + "/f")) {
      if (!file.directory()) {
        byte[] content = harness.memory().readAll(file.path());
        harness.memory().writeAll(source, content);
      }
    }
    harness.put("a", "q", "2");
    drop();
    BulkLoadRequest load =
        new BulkLoadRequest(
            "0a",
            List.of(new BulkLoadRequest.File(RegionHarness.F, source)),
            BulkLoadRequest.Sequence.NEW,
            BulkLoadRequest.Check.ENDS);
    assertThatThrownBy(() -> harness.region().bulkLoad(load)).isInstanceOf(IOException.class);
    assertThat(harness.memory().exists(source)).isTrue();
    assertThatThrownBy(() -> harness.region().close(false)).isInstanceOf(IOException.class);
    assertThat(harness.memory().exists(harness.directory())).isFalse();
  }

  private void drop() {
    try {
      harness.memory().delete("data");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> files() throws IOException {
    return everything(harness.directory() + "/f");
  }

  private List<String> everything(String directory) throws IOException {
    List<String> found = new ArrayList<>();
    for (Storage.FileInfo file : harness.memory().list(directory)) {
      found.add(file.path() + " " + file.length());
      if (file.directory()) {
        found.addAll(everything(file.path()));
      }
    }
    return found;
  }
}
