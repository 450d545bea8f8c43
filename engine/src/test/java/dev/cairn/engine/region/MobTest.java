package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.mob.MissingValueException;
import dev.cairn.engine.mob.MobFileRefs;
import dev.cairn.engine.mob.MobSettings;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.store.StoreFile;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A family whose values of more than ten bytes lie in MOB files. */
class MobTest {
  private static final TableName TABLE = TableName.parse("t");

  /** As HBase names it: in its middle stands the MD5 of {@code t,.mob,0}. */
  private static final String MOB_DIRECTORY =
      "mobdir/data/default/t/8710f5362b237e340ba83eeb6e111434/f";

  private static final String LARGE = "a large value";
  private static final String LARGER = "an even larger value";
  private static final String SMALL = "a small 10";
  private static final MobOptions AS_STORED = new MobOptions(true, false, false, false);

  @AutoClose private RegionHarness harness;

  @Test
  void valuesAboveTheThresholdLeaveTheStoreFileAndAreReadAllTheSame() throws IOException {
    open();
    harness.put("a", "large", LARGE);
    harness.put("a", "small", SMALL);
    harness.put("b", "large", LARGER);
    List<String> before = harness.dump();
    harness.region().flush();

    assertThat(harness.dump()).isEqualTo(before);
    assertThat(harness.dump(ScanRequest.builder().reversed(true).build()))
        .containsExactly("b/f:large=" + LARGER, "a/f:large=" + LARGE, "a/f:small=" + SMALL);
    assertThat(harness.get("a", "large")).isEqualTo(LARGE);
    String file = onlyMobFile();
    assertThat(file)
        .startsWith("d41d8cd98f00b204e9800998ecf8427e" + "19700101")
        .endsWith("_" + harness.region().info().encodedName())
        .hasSize(32 + 8 + 32 + 1 + 32);
    assertThat(stored())
        .containsExactly(
            "a/f:large=\0\0\0" + (char) LARGE.length() + file,
            "a/f:small=" + SMALL,
            "b/f:large=\0\0\0" + (char) LARGER.length() + file);
    assertThat(storeFile().mobFiles().files()).containsOnlyKeys(TABLE);
    assertThat(storeFile().mobFiles().files().get(TABLE)).containsExactly(file);
  }

  /** As in HBase, whose limits on space do not count them. */
  @Test
  void mobFilesAreNoPartOfTheSizeOfTheStoreFiles() throws IOException {
    open();
    harness.put("a", "large", LARGE.repeat(10_000));
    harness.region().flush();
    assertThat(harness.region().statistics().storeFileBytes()).isBetween(1L, 10_000L);
  }

  @Test
  void aStoreFileWithoutLargeValuesSaysThatItRefersToNone() throws IOException {
    open();
    harness.put("a", "small", SMALL);
    harness.region().flush();

    assertThat(mobFiles()).isEmpty();
    assertThat(MobFileRefs.of("file", storeFile().reader().info())).contains(MobFileRefs.NONE);
  }

  @Test
  void tagsOfTheCellStayWithIt() throws IOException {
    open();
    byte[] ttl = CellTags.withTtl(Bytes.EMPTY, 1_000_000_000);
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8("a"),
        F,
        Bytes.utf8("q"),
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        Bytes.utf8(LARGE),
        ttl);
    done(harness.mutate(List.of(Mutation.put(Bytes.utf8("a"), cells))));
    harness.region().flush();

    CellBuffer found = new CellBuffer();
    harness.get(ScanRequest.row(Bytes.utf8("a")).build(), found);
    assertThat(found.get(0).tags()).isEqualTo(ttl);
    found.clear();
    harness.get(ScanRequest.row(Bytes.utf8("a")).mob(AS_STORED).build(), found);
    assertThat(CellTags.has(found.get(0), CellTags.MOB_REFERENCE)).isTrue();
    assertThat(CellTags.value(found.get(0), CellTags.MOB_TABLE_NAME)).contains(Bytes.utf8("t"));
    assertThat(CellTags.ttlMillis(found.get(0))).isEqualTo(1_000_000_000);
  }

  @Test
  void twoCellsOfOneKeyThatDifferInTheirTagsKeepTheirOwnValues() throws IOException {
    open();
    byte[] ttl = CellTags.withTtl(Bytes.EMPTY, 1_000);
    for (String row : List.of("a", "b")) {
      CellBuffer cells = new CellBuffer();
      for (int i = 0; i < 2; i++) {
        boolean expires = (i == 0) == row.equals("a");
        cells.add(
            Bytes.utf8(row),
            F,
            Bytes.utf8("q"),
            1_000_000,
            CellType.PUT.code(),
            Bytes.utf8(expires ? "a value that expires" : LARGE),
            expires ? ttl : Bytes.EMPTY);
      }
      done(harness.mutate(List.of(Mutation.put(Bytes.utf8(row), cells))));
    }
    List<String> before = harness.dump();
    harness.region().flush();
    assertThat(harness.dump()).isEqualTo(before);
    for (int i = 0; i < 2_000; i++) {
      harness.clock.currentTimeMillis();
    }

    assertThat(harness.dump()).containsExactly("a/f:q=" + LARGE, "b/f:q=" + LARGE);
    harness.region().compact(true);
    assertThat(harness.dump()).containsExactly("a/f:q=" + LARGE, "b/f:q=" + LARGE);
  }

  @Test
  void writesThatBuildOnALargeValueFindIt() throws IOException {
    open();
    harness.put("a", "q", LARGE);
    harness.region().flush();
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8("a"),
        F,
        Bytes.utf8("q"),
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        Bytes.utf8(", appended to"),
        Bytes.EMPTY);
    harness.mutateTogether(
        List.of(
            new Mutation(
                Mutation.Kind.APPEND,
                Bytes.utf8("a"),
                cells,
                Mutation.Durability.USE_DEFAULT,
                TimeRange.ALL,
                true)));

    assertThat(harness.get("a", "q")).isEqualTo(LARGE + ", appended to");
    harness.region().flush();
    assertThat(harness.get("a", "q")).isEqualTo(LARGE + ", appended to");
  }

  @Test
  void ordinaryCompactionsLeaveValuesWhereTheyAre() throws IOException {
    open();
    for (int i = 0; i < 3; i++) {
      harness.put("row" + i, "q", LARGE + i);
      harness.region().flush();
    }
    Set<String> files = mobFiles();
    List<String> before = harness.dump();
    harness.region().compact(false);

    assertThat(harness.dump()).isEqualTo(before);
    assertThat(mobFiles()).isEqualTo(files).hasSize(3);
    assertThat(storeFile().mobFiles().files().get(TABLE)).isEqualTo(files);
  }

  @Test
  void majorCompactionsGatherTheValuesThatAreLeft() throws IOException {
    open();
    harness.put("a", "q", LARGE);
    harness.put("b", "q", LARGE);
    harness.region().flush();
    harness.put("c", "q", LARGER);
    done(
        harness.mutate(
            List.of(deleteOf("b", F, "q", Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN))));
    harness.region().flush();
    Set<String> before = mobFiles();
    harness.region().compact(true);

    assertThat(harness.dump()).containsExactly("a/f:q=" + LARGE, "c/f:q=" + LARGER);
    Set<String> added = mobFiles();
    added.removeAll(before);
    assertThat(storeFile().mobFiles().files().get(TABLE)).isEqualTo(added).hasSize(1);
  }

  @Test
  void majorCompactionsGoByTheThresholdOfTheDay() throws IOException {
    open();
    harness.put("a", "q", LARGE);
    harness.put("a", "s", SMALL);
    harness.region().flush();
    List<String> before = harness.dump();

    alter(Map.of("IS_MOB", "true", "MOB_THRESHOLD", "100"));
    assertThat(harness.dump()).isEqualTo(before);
    harness.region().compact(true);
    assertThat(stored()).isEqualTo(before);

    alter(Map.of("IS_MOB", "true", "MOB_THRESHOLD", "5"));
    harness.region().compact(true);
    assertThat(harness.dump()).isEqualTo(before);
    assertThat(stored()).allMatch(cell -> cell.contains("\0\0\0"));
  }

  @Test
  void aFamilyThatIsNoMobFamilyAnyMoreStillReadsItsValuesAndTakesThemBack() throws IOException {
    open();
    harness.put("a", "q", LARGE);
    harness.region().flush();

    alter(Map.of());
    assertThat(harness.get("a", "q")).isEqualTo(LARGE);
    harness.put("b", "q", LARGER);
    harness.region().flush();
    harness.region().compact(false);
    assertThat(harness.dump()).containsExactly("a/f:q=" + LARGE, "b/f:q=" + LARGER);
    harness.region().compact(true);
    assertThat(stored()).containsExactly("a/f:q=" + LARGE, "b/f:q=" + LARGER);
    assertThat(MobFileRefs.of("file", storeFile().reader().info())).isEmpty();
  }

  @Test
  void aFamilyThatBecomesAMobFamilyMovesItsLargeValuesOut() throws IOException {
    harness = new RegionHarness(schema(Map.of()));
    harness.put("a", "q", LARGE);
    harness.region().flush();

    alter(Map.of("IS_MOB", "true", "MOB_THRESHOLD", "10"));
    assertThat(harness.get("a", "q")).isEqualTo(LARGE);
    harness.region().compact(true);
    assertThat(harness.get("a", "q")).isEqualTo(LARGE);
    assertThat(mobFiles()).hasSize(1);
  }

  @Test
  void optimizedCompactionsLeaveLargeMobFilesAlone() throws IOException {
    harness = new RegionHarness(schema(Map.of()));
    harness.treatMobFiles(new MobSettings(10, 1000, true, 6000, false, ZoneOffset.UTC));
    harness.closeCleanly();
    harness.open();
    alter(Map.of("IS_MOB", "true", "MOB_THRESHOLD", "10"));
    harness.put("a", "q", "L".repeat(8000));
    harness.region().flush();
    String large = onlyMobFile();
    harness.put("b", "q", LARGE);
    harness.region().flush();
    List<String> before = harness.dump();
    harness.region().compact(true);

    assertThat(harness.dump()).isEqualTo(before);
    Set<String> files = storeFile().mobFiles().files().get(TABLE);
    assertThat(files).contains(large).hasSize(2);
    assertThat(mobFiles()).hasSize(3); // b's first one is needed no more
  }

  @Test
  void aScanOfReferencesAloneLeavesOutAllElse() throws IOException {
    open();
    harness.put("a", "large", LARGE);
    harness.put("a", "small", SMALL);
    harness.region().flush();
    harness.put("b", "large", LARGER);
    MobOptions references = new MobOptions(false, true, false, false);

    assertThat(harness.dump(ScanRequest.builder().mob(references).build()))
        .containsExactly("a/f:large=" + LARGE);
    alter(Map.of());
    assertThat(harness.dump(ScanRequest.builder().mob(references).build())).hasSize(3);
  }

  @Test
  void aFileThatWasArchivedIsFoundThere() throws IOException {
    open();
    harness.put("a", "q", LARGE);
    harness.region().flush();
    harness.closeCleanly();
    String file = onlyMobFile();
    String archived = MOB_DIRECTORY.replace("mobdir", "archive") + "/" + file;
    harness.memory().rename(MOB_DIRECTORY + "/" + file, archived);
    harness.open();

    assertThat(harness.get("a", "q")).isEqualTo(LARGE);
  }

  @Test
  void aMissingFileFailsTheReadsThatNeedItAndNoOthers() throws IOException {
    open();
    harness.put("a", "q", LARGE);
    harness.put("b", "q", SMALL);
    harness.region().flush();
    loseMobFiles();

    assertThatThrownBy(() -> harness.get("a", "q"))
        .isInstanceOf(MissingValueException.class)
        .hasMessageContaining("mobdir/data/default/t/")
        .hasMessageContaining("archive/data/default/t/");
    assertThat(harness.get("b", "q")).isEqualTo(SMALL);
    done(
        harness.mutate(List.of(deleteOf("a", F, "other", Cell.LATEST_TIMESTAMP, CellType.DELETE))));
    MobOptions lenient = new MobOptions(false, false, false, true);
    assertThat(harness.dump(ScanRequest.builder().mob(lenient).build()))
        .containsExactly("a/f:q=", "b/f:q=" + SMALL);
  }

  @Test
  void compactionsKeepReferencesToMissingFiles() throws IOException {
    open();
    harness.put("a", "q", LARGE);
    harness.region().flush();
    List<String> before = stored();
    loseMobFiles();
    harness.region().compact(true);

    assertThat(stored()).isEqualTo(before);
    assertThat(storeFile().mobFiles().isEmpty()).isFalse();
  }

  @Test
  void compactionsDropThemIfTheyAreToldTo() throws IOException {
    open();
    harness.put("a", "q", LARGE);
    harness.put("b", "q", SMALL);
    harness.region().flush();
    harness.treatMobFiles(new MobSettings(10, 1000, false, 1 << 20, true, ZoneOffset.UTC));
    loseMobFiles();
    harness.region().compact(true);

    assertThat(harness.dump()).containsExactly("b/f:q=" + SMALL);
  }

  @Test
  void aReferenceThatNamesNoFileIsAnErrorThatShowsIt() throws IOException {
    open();
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8("a"),
        F,
        Bytes.utf8("q"),
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        Bytes.utf8("1234../../../etc/passwd"),
        CellTags.tag(CellTags.MOB_REFERENCE, Bytes.EMPTY));
    done(harness.mutate(List.of(Mutation.put(Bytes.utf8("a"), cells))));

    assertThatThrownBy(() -> harness.get("a", "q"))
        .isInstanceOf(MissingValueException.class)
        .hasMessageContaining("names none: <1234../../../etc/passwd>");
    List<String> before = stored();
    harness.region().flush();
    harness.region().compact(true);
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void whateverOperationThePowerFailsAtNoReferenceLeadsNowhere() throws IOException {
    boolean more = true;
    for (int failing = 0; more; failing++) {
      more = powerFailsAt(failing);
      harness.close();
    }
    open();
  }

  /** Lets storage fail from its n-th change on; false if there are not that many. */
  private boolean powerFailsAt(int failing) throws IOException {
    int[] changes = {-1_000_000};
    harness = new RegionHarness(schema(Map.of("IS_MOB", "true", "MOB_THRESHOLD", "10")));
    harness.failWith(
        (operation, path) ->
            operation != StorageOperation.READ && !path.contains("WALs") && ++changes[0] > failing);
    harness.closeCleanly();
    harness.open();
    Map<String, String> written = new HashMap<>();
    for (int i = 0; i < 3; i++) {
      harness.put("row" + i, "q", LARGE + i);
      written.put("row" + i, LARGE + i);
      if (i < 2) {
        harness.region().flush();
      }
    }
    boolean failed = false;
    changes[0] = 0;
    try {
      harness.region().flush();
      harness.region().compact(true);
    } catch (IOException e) {
      failed = true;
    }
    changes[0] = Integer.MIN_VALUE;
    harness.failWith(null);
    harness.powerCut();
    for (Map.Entry<String, String> row : written.entrySet()) {
      assertThat(harness.get(row.getKey(), "q"))
          .as("%s, failing from change %d on", row.getKey(), failing)
          .isEqualTo(row.getValue());
    }
    return failed;
  }

  private void open() throws IOException {
    harness = new RegionHarness(schema(Map.of("IS_MOB", "true", "MOB_THRESHOLD", "10")));
  }

  private void alter(Map<String, String> family) throws IOException {
    harness.alter(schema(family));
  }

  private static TableSchema schema(Map<String, String> family) {
    return TableSchema.of(TABLE, FamilySchema.of("f", family));
  }

  private void loseMobFiles() throws IOException {
    harness.closeCleanly();
    harness.memory().delete(MOB_DIRECTORY);
    harness.open();
  }

  private StoreFile storeFile() {
    List<StoreFile> files = harness.region().stores().get(0).view().files();
    assertThat(files).hasSize(1);
    return files.get(0);
  }

  /** Returns the cells as the store files have them. */
  private List<String> stored() throws IOException {
    return harness.dump(ScanRequest.builder().mob(AS_STORED).build());
  }

  private String onlyMobFile() throws IOException {
    assertThat(mobFiles()).hasSize(1);
    return mobFiles().iterator().next();
  }

  private Set<String> mobFiles() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Storage.FileInfo file : harness.memory().list(MOB_DIRECTORY)) {
      names.add(file.name());
    }
    return names;
  }
}
