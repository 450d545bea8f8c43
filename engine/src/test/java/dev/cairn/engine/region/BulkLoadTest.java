package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.hfile.format.ChecksumType;
import dev.cairn.engine.hfile.format.HFileFormat;
import dev.cairn.engine.hfile.format.HFileSettings;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.region.bulkload.BulkLoadOutcome;
import dev.cairn.engine.region.bulkload.BulkLoadRequest;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FencedException;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.LoadableFile.UnloadableFileException;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreSettings;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads files in bulk: all of them or none, whatever fails when. */
class BulkLoadTest {
  private static final String SOURCE_F = "staging/token/f/1";
  private static final String SOURCE_G = "staging/token/g/1";

  private static RegionHarness harness(String tracker) throws IOException {
    Map<String, String> attributes = Map.of("hbase.store.file-tracker.impl", tracker);
    return new RegionHarness(
        TableSchema.of(
            TableName.parse("t"),
            FamilySchema.of("f", attributes),
            FamilySchema.of("g", attributes)),
        Bytes.utf8("a"),
        Bytes.utf8("p"));
  }

  private static void write(RegionHarness harness, String path, byte[] family, String... rows)
      throws IOException {
    write(harness, path, family, 5, "loaded", rows);
  }

  /** Writes a file with one cell of each row. */
  static void write(
      RegionHarness harness,
      String path,
      byte[] family,
      long timestamp,
      String value,
      String... rows)
      throws IOException {
    HFileOptions options =
        HFileOptions.of(FamilySchema.of(Bytes.utf8(family)), CellComparator.USER);
    write(harness, path, family, options, timestamp, value, rows);
  }

  private static void write(
      RegionHarness harness,
      String path,
      byte[] family,
      HFileOptions options,
      long timestamp,
      String value,
      String... rows)
      throws IOException {
    try (HFileWriter writer = new HFileWriter(harness.memory(), path, options, harness.clock)) {
      for (String row : rows) {
        writer.append(
            Cell.put(Bytes.utf8(row), family, Bytes.utf8("q"), timestamp, Bytes.utf8(value)));
      }
      writer.finish();
    }
  }

  private static BulkLoadRequest request(BulkLoadRequest.Check check) {
    return new BulkLoadRequest(
        "0a",
        List.of(new BulkLoadRequest.File(F, SOURCE_F), new BulkLoadRequest.File(G, SOURCE_G)),
        BulkLoadRequest.Sequence.NEW,
        check);
  }

  private static final BulkLoadRequest TWO = request(BulkLoadRequest.Check.ALL);

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void loadedCellsAreNewerThanThoseWrittenBeforeAndOlderThanThoseAfter(String tracker)
      throws IOException {
    try (RegionHarness harness = harness(tracker)) {
      harness.put("b", F, "q", 5, "before");
      harness.put("c", F, "q", 5, "before");
      write(harness, SOURCE_F, F, "b", "d");
      write(harness, SOURCE_G, G, "b");
      assertThat(harness.region().bulkLoad(TWO)).isInstanceOf(BulkLoadOutcome.Loaded.class);
      harness.put("d", F, "q", 5, "after");

      List<String> expected =
          List.of("b/f:q=loaded", "b/g:q=loaded", "c/f:q=before", "d/f:q=after");
      assertThat(harness.dump()).isEqualTo(expected);
      assertThat(harness.memory().exists(SOURCE_F)).isFalse();
      harness.kill();
      assertThat(harness.dump()).isEqualTo(expected);
      harness.region().flush();
      harness.region().compact(true);
      assertThat(harness.dump()).isEqualTo(expected);
    }
  }

  @Test
  void aStoreFileThatAFlushMadeCanBeLoaded() throws IOException {
    try (RegionHarness harness = harness("DEFAULT")) {
      harness.put("b", F, "q", 5, "flushed");
      harness.put("c", F, "q", 5, "flushed");
      harness.region().flush();
      byte[] bytes = harness.memory().readAll(onlyFile(harness, F));
      try (AppendFile copy = harness.memory().create(SOURCE_F)) {
        copy.write(bytes, 0, bytes.length);
        copy.sync();
      }
      harness.put("b", F, "q", 5, "after");
      BulkLoadRequest load =
          new BulkLoadRequest(
              "0b",
              List.of(new BulkLoadRequest.File(F, SOURCE_F)),
              BulkLoadRequest.Sequence.NEW,
              BulkLoadRequest.Check.ALL);
      assertThat(harness.region().bulkLoad(load)).isInstanceOf(BulkLoadOutcome.Loaded.class);
      assertThat(harness.dump()).containsExactly("b/f:q=flushed", "c/f:q=flushed");
    }
  }

  private static String onlyFile(RegionHarness harness, byte[] family) {
    return harness.region().stores().stream()
        .filter(store -> Arrays.equals(store.family().name(), family))
        .flatMap(store -> store.view().files().stream())
        .map(StoreFile::path)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aStopAtAnyStepLeavesAllOrNothingAndTheLoadCanBeRepeated(String tracker) throws IOException {
    boolean stopped = true;
    for (int operations = 0; stopped; operations++) {
      try (RegionHarness harness = harness(tracker)) {
        harness.put("b", F, "q", 5, "before");
        write(harness, SOURCE_F, F, "b");
        write(harness, SOURCE_G, G, "b");
        harness.closeCleanly();
        int allowed = operations;
        boolean[] counting = new boolean[1];
        FaultyStorage.Fault stop = FaultyStorage.Fault.stopAfter(allowed);
        harness.failWith((operation, path) -> counting[0] && stop.fails(operation, path));
        harness.open();
        counting[0] = true;
        try {
          harness.region().bulkLoad(TWO);
          stopped = false;
        } catch (IOException e) {
          stopped = true;
        }
        counting[0] = false;
        if (operations % 2 == 0) {
          harness.kill();
        } else {
          harness.powerCut(new Random(operations));
        }
        List<String> all = List.of("b/f:q=loaded", "b/g:q=loaded");
        boolean loaded = harness.dump().equals(all);
        if (!loaded) {
          assertThat(stopped).as("stop after %d operations", operations).isTrue();
          assertThat(harness.dump()).containsExactly("b/f:q=before");
          assertThat(harness.memory().exists(SOURCE_F)).isTrue();
          assertThat(harness.memory().exists(SOURCE_G)).isTrue();
        }
        assertThat(harness.region().bulkLoad(TWO)).isInstanceOf(BulkLoadOutcome.Loaded.class);
        assertThat(harness.dump()).isEqualTo(all);
        assertThat(harness.region().stores())
            .allSatisfy(
                store ->
                    assertThat(store.view().files())
                        .filteredOn(file -> file.name().contains("_SeqId_"))
                        .hasSize(1));
        assertThat(harness.memory().exists(SOURCE_F)).isFalse();
        assertThat(harness.memory().list(harness.directory() + "/.bulkload")).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aLoadThatCouldNotBeUndoneCanBeRepeatedInTheOpenRegion(String tracker) throws IOException {
    boolean stopped = true;
    for (int operations = 0; stopped; operations++) {
      try (RegionHarness harness = harness(tracker)) {
        harness.put("b", F, "q", 5, "before");
        write(harness, SOURCE_F, F, "b");
        write(harness, SOURCE_G, G, "b");
        harness.closeCleanly();
        boolean[] counting = new boolean[1];
        FaultyStorage.Fault stop = FaultyStorage.Fault.stopAfter(operations);
        harness.failWith(
            (operation, path) ->
                counting[0] && !path.startsWith("WALs/") && stop.fails(operation, path));
        harness.open();
        counting[0] = true;
        try {
          harness.region().bulkLoad(TWO);
          stopped = false;
        } catch (IOException e) {
          stopped = true;
        }
        counting[0] = false;
        harness.put("c", F, "q", 5, "after");
        List<String> all = List.of("b/f:q=loaded", "b/g:q=loaded");
        boolean loaded = harness.dump().containsAll(all);
        harness.region().compact(false);
        if (!loaded) {
          assertThat(harness.memory().exists(SOURCE_F)).isTrue();
          assertThat(harness.memory().exists(SOURCE_G)).isTrue();
        }
        assertThat(harness.region().bulkLoad(TWO)).isInstanceOf(BulkLoadOutcome.Loaded.class);
        assertThat(harness.dump()).containsAll(all);
      }
    }
  }

  @Test
  void aRegionWithALoadThatCouldNotBeUndoneIsNotSplit() throws IOException {
    try (RegionHarness harness = harness("DEFAULT")) {
      harness.put("a", F, "q", 5, "before");
      write(harness, SOURCE_F, F, "b");
      write(harness, SOURCE_G, G, "b");
      harness.closeCleanly();
      harness.failWith(
          (operation, path) ->
              path.endsWith("/commit") || path.contains("/.bulkload/") && path.endsWith("/1"));
      harness.open();
      assertThatThrownBy(() -> harness.region().bulkLoad(TWO)).isInstanceOf(IOException.class);
      RegionSplit split = RegionSplit.plan(harness.region(), Bytes.utf8("b"));
      assertThatThrownBy(() -> split.run(harness.region()))
          .hasMessageContaining("a bulk load that was interrupted");

      split.abandon(harness.region().context().dataDirectory(), harness.memory());
      harness.failWith((operation, path) -> false);
      harness.kill();
      assertThat(harness.region().bulkLoad(TWO)).isInstanceOf(BulkLoadOutcome.Loaded.class);
      assertThat(harness.dump()).contains("b/f:q=loaded", "b/g:q=loaded");
    }
  }

  @Test
  void aRegionWithTheRecordOfAnEndedLoadCanBeSplit() throws IOException {
    try (RegionHarness harness = harness("DEFAULT")) {
      write(harness, SOURCE_F, F, "b");
      write(harness, SOURCE_G, G, "b");
      harness.closeCleanly();
      AtomicBoolean failing = new AtomicBoolean(true);
      harness.failWith(
          (operation, path) ->
              failing.get()
                  && operation == StorageOperation.DELETE
                  && path.contains("/.bulkload/0a"));
      harness.open();
      assertThat(harness.region().bulkLoad(TWO)).isInstanceOf(BulkLoadOutcome.Loaded.class);
      assertThat(harness.memory().list(harness.directory() + "/.bulkload")).isNotEmpty();
      failing.set(false);
      RegionSplit.plan(harness.region(), Bytes.utf8("b")).run(harness.region());
      assertThat(harness.memory().list(harness.directory() + "/.bulkload")).isEmpty();
    }
  }

  @Test
  void aClosingRegionMovesTheFilesOfAFailedLoadBackAndCanBeSplit() throws IOException {
    try (RegionHarness harness = harness("DEFAULT")) {
      harness.put("a", F, "q", 5, "before");
      write(harness, SOURCE_F, F, "b");
      write(harness, SOURCE_G, G, "b");
      harness.closeCleanly();
      AtomicBoolean failing = new AtomicBoolean(true);
      harness.failWith((operation, path) -> failing.get() && path.endsWith("/commit"));
      harness.open();
      assertThatThrownBy(() -> harness.region().bulkLoad(TWO)).isInstanceOf(IOException.class);
      failing.set(false);
      RegionSplit.plan(harness.region(), Bytes.utf8("b")).run(harness.region());
      assertThat(harness.memory().exists(SOURCE_F)).isTrue();
      assertThat(harness.memory().exists(SOURCE_G)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aLoadThatCouldNotBeForgottenDoesNotComeBackOnceItsFilesAreCompacted(String tracker)
      throws IOException {
    try (RegionHarness harness = harness(tracker)) {
      write(harness, SOURCE_F, F, "b");
      write(harness, SOURCE_G, G, "b");
      harness.closeCleanly();
      harness.failWith(
          (operation, path) ->
              operation == StorageOperation.DELETE && path.contains("/.bulkload/0a"));
      harness.open();
      assertThat(harness.region().bulkLoad(TWO)).isInstanceOf(BulkLoadOutcome.Loaded.class);
      assertThat(harness.dump()).containsExactly("b/f:q=loaded", "b/g:q=loaded");
      harness.put("b", F, "q", 6, "after");
      harness.region().flush();
      harness.region().compact(true);
      harness.failWith((operation, path) -> false);
      harness.kill();
      assertThat(harness.dump()).containsExactly("b/f:q=after", "b/g:q=loaded");
      assertThat(harness.memory().list(harness.directory() + "/.bulkload")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aLoadWhoseResponseWasLostIsNotRepeatedAfterCompactionsOfItsFiles(String tracker)
      throws IOException {
    try (RegionHarness harness = harness(tracker)) {
      for (int life = 0; life < 2; life++) {
        write(harness, SOURCE_F, F, "b");
        write(harness, SOURCE_G, G, "b");
        if (life == 0) {
          harness.region().bulkLoad(TWO);
        }
        harness.put("b", F, "q", 5, "after");
        harness.region().flush();
        harness.region().compact(true);
        assertThat(harness.region().bulkLoad(TWO)).isEqualTo(new BulkLoadOutcome.Loaded(List.of()));
        assertThat(harness.dump()).containsExactly("b/f:q=after", "b/g:q=loaded");
        harness.memory().delete(SOURCE_F);
        harness.memory().delete(SOURCE_G);
        assertThat(harness.region().bulkLoad(TWO)).isEqualTo(new BulkLoadOutcome.Loaded(List.of()));
        harness.kill();
      }
    }
  }

  @Test
  void aLoadIsForgottenOnceItsFilesWereCompactedLongAgo() throws IOException {
    try (RegionHarness harness = harness("DEFAULT")) {
      write(harness, SOURCE_F, F, "b");
      write(harness, SOURCE_G, G, "b");
      harness.region().bulkLoad(TWO);
      harness.region().compact(true);
      harness.clock.advance(StoreSettings.NONCE_MILLIS);
      write(harness, SOURCE_F, F, "b", "c");
      write(harness, SOURCE_G, G, "b");
      harness.region().bulkLoad(TWO);
      assertThat(harness.dump()).containsExactly("b/f:q=loaded", "b/g:q=loaded", "c/f:q=loaded");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aServerThatWasGivenUpLoadsNothing(String tracker) throws IOException {
    try (RegionHarness harness = harness(tracker)) {
      write(harness, SOURCE_F, F, "b");
      write(harness, SOURCE_G, G, "b");
      try (RegionHarness.Elsewhere next = harness.openElsewhere()) {
        assertThatThrownBy(() -> harness.region().bulkLoad(TWO))
            .isInstanceOf(FencedException.class);
        assertThat(next.dump()).isEmpty();
      }
      harness.kill();
      assertThat(harness.dump()).isEmpty();
      assertThat(harness.memory().exists(SOURCE_F)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"DEFAULT", "FILE"})
  void aFileThatDoesNotFitIsNamedAndNothingIsLoaded(String tracker) throws IOException {
    try (RegionHarness harness = harness(tracker)) {
      write(harness, SOURCE_F, F, "b");
      write(harness, SOURCE_G, G, "b", "z");
      assertThat(harness.region().bulkLoad(TWO))
          .isInstanceOfSatisfying(
              BulkLoadOutcome.OutsideRegion.class,
              outside -> assertThat(outside.reason()).contains(SOURCE_G, "b to z"));
      harness.memory().delete(SOURCE_G);
      write(harness, SOURCE_G, F, "b");
      refused(harness, "it is to be loaded into the family g");
      harness.memory().delete(SOURCE_G);
      write(harness, SOURCE_G, G);
      refused(harness, "it has no cells");
      harness.memory().delete(SOURCE_G);
      write(harness, SOURCE_G, G, "b", "c");
      damage(harness, SOURCE_G);
      refused(harness, SOURCE_G);
      assertThat(harness.dump()).isEmpty();
      assertThat(harness.memory().exists(SOURCE_F)).isTrue();
    }
  }

  @Test
  void aFileWhoseCellsAreNotInOrderIsNamedAndNothingIsLoaded() throws IOException {
    try (RegionHarness harness = harness("DEFAULT")) {
      write(harness, SOURCE_F, F, "b");
      HFileOptions unprotected =
          HFileOptions.of(
              FamilySchema.of("g"),
              CellComparator.USER,
              HFileSettings.DEFAULTS.withChecksum(
                  ChecksumType.NULL, HFileFormat.BYTES_PER_CHECKSUM));
      write(harness, SOURCE_G, G, unprotected, 5, "loaded", "key1", "key2", "key3", "key4");
      byte[] bytes = harness.memory().readAll(SOURCE_G);
      String text = new String(bytes, ISO_8859_1);
      bytes[text.indexOf("key2") + 3] = '3';
      bytes[text.indexOf("key3") + 3] = '2';
      replace(harness, SOURCE_G, bytes);
      refused(harness, "its cells are not in order: key3/g:q/5");
      assertThat(harness.dump()).isEmpty();
      assertThat(harness.memory().exists(SOURCE_F)).isTrue();
      assertThat(harness.memory().exists(SOURCE_G)).isTrue();
    }
  }

  private static void refused(RegionHarness harness, String reason) {
    assertThatThrownBy(() -> harness.region().bulkLoad(TWO))
        .isInstanceOf(UnloadableFileException.class)
        .hasMessageContaining(SOURCE_G)
        .hasMessageContaining(reason);
  }

  /** Changes a byte of a value. */
  private static void damage(RegionHarness harness, String path) throws IOException {
    byte[] bytes = harness.memory().readAll(path);
    int value = Bytes.utf8(bytes).indexOf("loaded");
    bytes[value]++;
    replace(harness, path, bytes);
  }

  private static void replace(RegionHarness harness, String path, byte[] bytes) throws IOException {
    harness.memory().delete(path);
    try (AppendFile file = harness.memory().create(path)) {
      file.write(bytes, 0, bytes.length);
      file.sync();
    }
  }
}
