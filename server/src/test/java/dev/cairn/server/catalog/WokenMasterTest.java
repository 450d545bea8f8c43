package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.layout.MobDirectory;
import dev.cairn.engine.region.lifecycle.RegionSplit;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage;
import dev.cairn.engine.storage.FencedStorage;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A master is paused before each operation on the storage in turn. The next master completes its
 * work and goes on, for example drops the table and creates it again. The first one wakes up and
 * changes nothing.
 */
class WokenMasterTest {
  private static final TableName NAME = TableName.parse("ns:t");
  private static final TableSchema SCHEMA =
      TableSchema.of(NAME, FamilySchema.of("f"), FamilySchema.of("g"));
  private static final TableSchema WITHOUT_G = TableSchema.of(NAME, FamilySchema.of("f"));
  private static final RegionInfo OLD = new RegionInfo(NAME, Bytes.EMPTY, Bytes.EMPTY, 1);
  private static final RegionInfo TRUNCATED = new RegionInfo(NAME, Bytes.EMPTY, Bytes.EMPTY, 2);
  private static final RegionInfo NEW = new RegionInfo(NAME, Bytes.EMPTY, Bytes.EMPTY, 3);
  private static final String EDITS = TableFiles.directory(OLD) + "/recovered.edits";
  private static final MobDirectory MOB = MobDirectory.of("data", NAME, "g");

  private static final RegionSplit SPLIT = RegionSplit.plan(OLD, Bytes.utf8("m"), 2);

  /** The work of a master. */
  private interface Work {
    void run(TableFiles files, RegionShapes shapes) throws IOException;
  }

  enum Scenario {
    CREATE(
        (files, shapes) -> {
          files.hide(NAME);
          files.sweep(NAME);
          files.create(SCHEMA, List.of(OLD));
        }),
    DROP(
        (files, shapes) -> {
          files.hide(NAME);
          files.sweep(NAME);
        }),
    TRUNCATE(
        (files, shapes) -> {
          files.replace(SCHEMA, List.of(TRUNCATED));
          files.sweep(NAME);
        }),
    DROP_A_FAMILY((files, shapes) -> files.deleteFamilies(NAME, List.of("g"), List.of(OLD))),
    ALTER(
        (files, shapes) -> {
          files.descriptors().replace(WITHOUT_G);
          files.descriptors().replace(SCHEMA);
          files.descriptors().replace(WITHOUT_G);
        }),
    REPAIR((files, shapes) -> files.addRegions(SCHEMA, List.of(TRUNCATED))),
    DROP_A_NAMESPACE(
        (files, shapes) -> {
          files.hide(NAME);
          files.sweep(NAME);
          files.deleteNamespace("ns");
        });

    private final Work work;

    Scenario(Work work) {
      this.work = work;
    }
  }

  /** The next master drops the table and creates it again, and servers write its files. */
  private record Recreation(Storage shared) implements Work {
    @Override
    public void run(TableFiles files, RegionShapes shapes) throws IOException {
      files.hide(NAME);
      files.sweep(NAME);
      assertThat(files.exists(NAME)).isFalse();
      assertThat(files.leftovers()).isEmpty();
      assertThat(shared.exists("archive/" + TableFiles.directory(OLD) + "/f/01")).isTrue();
      assertThat(shared.exists(MOB.place().archivedFile("01"))).isTrue();
      files.create(SCHEMA, List.of(NEW));
      fill(shared, NEW, "02");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMasterThatWakesUpLeavesATableOfTheSameNameAlone(Scenario scenario) throws IOException {
    pauseEverywhere(
        shared -> fill(shared, OLD, "01"), scenario.work, shared -> new Recreation(shared));
  }

  @Test
  void aMasterThatWakesUpLeavesTheDaughtersOfASplitAlone() throws IOException {
    pauseEverywhere(
        shared -> {},
        (files, shapes) -> {
          shapes.prepare(SPLIT, SCHEMA);
          shapes.write(SPLIT, SCHEMA);
        },
        shared ->
            (files, shapes) -> {
              fill(shared, SPLIT.lower(), "02");
              fill(shared, SPLIT.upper(), "03");
            });
  }

  @Test
  void aMasterThatWakesUpRemovesNoDaughtersOfASplit() throws IOException {
    pauseEverywhere(
        shared -> {},
        (files, shapes) -> {
          shapes.write(SPLIT, SCHEMA);
          shapes.abandon(SPLIT);
        },
        shared ->
            (files, shapes) -> {
              shapes.write(SPLIT, SCHEMA);
              fill(shared, SPLIT.lower(), "02");
            });
  }

  @Test
  void aMasterThatWakesUpDoesNotEmptyARegionAgain() throws IOException {
    pauseEverywhere(
        shared -> shared.writeAll(EDITS + "/0000000000000000007", new byte[0]),
        (files, shapes) -> shapes.truncate(OLD, SCHEMA),
        shared ->
            (files, shapes) -> {
              assertThat(shared.exists(EDITS + "/0000000000000000007")).isFalse();
              shared.writeAll(EDITS + "/0000000000000000009", new byte[] {9});
              fill(shared, OLD, "02");
            });
  }

  /** Changes what a storage has, as servers do. */
  private interface Writing {
    void run(Storage shared) throws IOException;
  }

  /** Pauses a master before each operation of its work, until it ends without a pause. */
  private static void pauseEverywhere(Writing first, Work work, Function<Storage, Work> after)
      throws IOException {
    int paused = 0;
    while (pause(paused, first, work, after)) {
      paused++;
    }
    assertThat(paused).isGreaterThan(3);
  }

  /**
   * Pauses the first master before an operation.
   *
   * @return whether it came to that operation
   */
  private static boolean pause(int before, Writing first, Work work, Function<Storage, Work> after)
      throws IOException {
    MemoryStorage shared = new MemoryStorage(Clock.SYSTEM);
    long[] left = {Long.MAX_VALUE};
    SortedMap<String, String> expected = new TreeMap<>();
    FencedStorage fenced =
        TableFiles.fence(
            new FaultyStorage(
                shared,
                (operation, path) -> {
                  if (left[0]-- == 0) {
                    expected.putAll(lead(shared, work, after.apply(shared)));
                  }
                  return false;
                }));
    fenced.claim(1);
    fenced.takeOver();
    TableFiles files = TableFiles.of(fenced);
    files.create(SCHEMA, List.of(OLD));
    first.run(shared);
    left[0] = before;
    IOException failure = null;
    try {
      work.run(files, shapes(fenced));
    } catch (IOException e) {
      failure = e;
    }
    if (left[0] >= 0) {
      assertThat(failure).isNull();
      return false;
    }
    assertThat(tree(shared))
        .as("paused before operation %d: %s", before, failure)
        .isEqualTo(expected);
    return true;
  }

  /** Leads as the second master; returns the files and directories of tables afterwards. */
  private static SortedMap<String, String> lead(Storage shared, Work work, Work after) {
    try {
      FencedStorage fenced = TableFiles.fence(shared);
      fenced.claim(2);
      fenced.takeOver();
      TableFiles files = TableFiles.of(fenced);
      files.sweepAbandoned(fenced);
      assertThat(fenced.abandoned()).isEmpty();
      work.run(files, shapes(fenced));
      after.run(files, shapes(fenced));
      return tree(shared);
    } catch (IOException e) {
      throw new AssertionError("the second master cannot lead", e);
    }
  }

  private static RegionShapes shapes(FencedStorage fenced) {
    return new RegionShapes(
        new StoreContext(
            fenced,
            new BlockCache(0, Runnable::run),
            Clock.SYSTEM,
            () -> "0",
            EngineListener.NONE,
            StoreSettings.DEFAULTS),
        fenced);
  }

  private static void fill(Storage shared, RegionInfo region, String name) throws IOException {
    shared.writeAll(TableFiles.directory(region) + "/f/" + name, new byte[] {1});
    shared.writeAll(TableFiles.directory(region) + "/g/" + name, new byte[] {2});
    shared.writeAll(MOB.file(name), new byte[] {3});
  }

  /** Returns the content of all files outside of the temporary directory, and all directories. */
  private static SortedMap<String, String> tree(Storage shared) throws IOException {
    SortedMap<String, String> tree = new TreeMap<>();
    for (Storage.FileInfo top : shared.list("")) {
      if (!top.name().equals(".tmp")) {
        add(shared, top, tree);
      }
    }
    return tree;
  }

  private static void add(Storage shared, Storage.FileInfo entry, SortedMap<String, String> tree)
      throws IOException {
    if (!entry.directory()) {
      tree.put(entry.path(), HexFormat.of().formatHex(shared.readAll(entry.path())));
      return;
    }
    tree.put(entry.path(), "directory");
    for (Storage.FileInfo child : shared.list(entry.path())) {
      add(shared, child, tree);
    }
  }
}
