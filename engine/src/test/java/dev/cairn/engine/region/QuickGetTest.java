package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionClosedException;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.ScanRequest.MobOptions;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Gets that answer only if that takes no waiting. */
class QuickGetTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("BLOCKSIZE", "512")),
          FamilySchema.of("g", Map.of("IS_MOB", "true", "MOB_THRESHOLD", "10")));
  private static final ReadBudget UNLIMITED = ReadBudget.rowAtOnce(-1, Long.MAX_VALUE);

  private final CellBuffer out = new CellBuffer();
  private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness = new RegionHarness(SCHEMA);
    out.add(Cell.put(Bytes.utf8("before"), F, F, 1, F));
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  @Test
  void whatIsInTheMemstoreIsRead() throws IOException {
    put("row", "one");
    assertThat(get("row", UNLIMITED)).isTrue();
    assertThat(answer()).containsExactly("row/f:q/1/Put/vlen=3/seqid=0");
  }

  @Test
  void aRowThatIsNotThereIsAnAnswer() throws IOException {
    put("row", "one");
    assertThat(get("rov", UNLIMITED)).isTrue();
    assertThat(answer()).isEmpty();
  }

  @Test
  void whatLiesInAFileIsReadOnceItIsInTheCache() throws IOException {
    put("row", "one");
    harness.region().flush();
    put("other", "two");
    harness.alter(SCHEMA);
    assertThat(get("row", UNLIMITED)).isFalse();
    assertThat(answer()).as("nothing is appended, and nothing removed").isEmpty();
    harness.get(request("row"), new CellBuffer());
    assertThat(get("row", UNLIMITED)).isTrue();
    assertThat(answer()).hasSize(1);
  }

  @Test
  void onlyTheBlockWithTheRowIsLookedUp() throws IOException {
    for (int i = 0; i < 200; i++) {
      put("row" + i, "value");
    }
    harness.region().flush();
    harness.get(request("row100"), new CellBuffer());
    BlockCache.Statistics before = harness.cacheStatistics();
    assertThat(get("row100", UNLIMITED)).isTrue();
    assertThat(harness.cacheStatistics().hits()).isEqualTo(before.hits() + 1);
    assertThat(harness.cacheStatistics().misses()).isEqualTo(before.misses());
    assertThat(get("row55", UNLIMITED)).as("its block is not in memory").isFalse();
    assertThat(harness.cacheStatistics().misses()).isEqualTo(before.misses() + 1);
  }

  @Test
  void rowsBeyondTheLimitAreLeftToOthers() throws IOException {
    for (int column = 0; column < 10; column++) {
      CellBuffer cells = new CellBuffer();
      cells.add(Cell.put(Bytes.utf8("row"), F, Bytes.utf8("q" + column), 1, new byte[100]));
      harness.mutate(List.of(Mutation.put(Bytes.utf8("row"), cells)));
    }
    assertThat(get("row", ReadBudget.rowAtOnce(1000, Long.MAX_VALUE))).isFalse();
    assertThat(answer()).isEmpty();
    assertThat(get("row", ReadBudget.rowAtOnce(2000, Long.MAX_VALUE))).isTrue();
    assertThat(answer()).hasSize(10);
    out.truncate(1);
    assertThat(get("row", ReadBudget.rowAtOnce(2000, harness.clock.nanoTime() - 1))).isFalse();
    assertThat(answer()).isEmpty();
  }

  @Test
  void aSingleCellBeyondTheLimitIsLeftToOthers() throws IOException {
    put("row", "v".repeat(1000));
    ReadBudget tight = ReadBudget.rowAtOnce(1000, Long.MAX_VALUE);
    ReadBudget wide = ReadBudget.rowAtOnce(2000, Long.MAX_VALUE);
    for (String where : List.of("memstore", "file")) {
      assertThat(get("row", tight)).as(where).isFalse();
      assertThat(answer()).as(where).isEmpty();
      assertThat(get("row", wide)).as(where).isTrue();
      assertThat(answer()).as(where).hasSize(1);
      out.truncate(1);
      harness.region().flush();
      harness.get(request("row"), new CellBuffer());
    }
  }

  @Test
  void valuesInMobFilesAreLeftToOthers() throws IOException {
    ScanRequest ofMobs = ScanRequest.row(Bytes.utf8("row")).family(G, FamilySelection.ALL).build();
    assertThat(harness.getAtOnce(ofMobs, out, UNLIMITED)).isFalse();
  }

  @Test
  void whereNoFamilyHasMobFilesReferencesAreNotLookedFor() throws IOException {
    put("row", "one");
    ScanRequest references =
        request("row").toBuilder().mob(new MobOptions(false, true, true, false)).build();
    CellBuffer expected = new CellBuffer();
    harness.get(references, expected);
    assertThat(harness.getAtOnce(references, out, UNLIMITED)).isTrue();
    assertThat(answer()).hasSize(expected.size()).hasSize(1);
  }

  @Test
  void errorsAreThoseOfAnyGet() throws IOException {
    ScanRequest unknown =
        ScanRequest.row(Bytes.utf8("row")).family(Bytes.utf8("x"), FamilySelection.ALL).build();
    assertThatThrownBy(() -> harness.getAtOnce(unknown, out, UNLIMITED))
        .isInstanceOf(NoSuchFamilyException.class);
  }

  @Test
  void aClosedRegionSaysSo() throws IOException {
    harness.region().close(false);
    assertThatThrownBy(() -> get("row", UNLIMITED)).isInstanceOf(RegionClosedException.class);
  }

  private void put(String row, String value) throws IOException {
    harness.mutate(List.of(putOf(row, F, "q", 1, value)));
  }

  private boolean get(String row, ReadBudget limits) throws IOException {
    return harness.getAtOnce(request(row), out, limits);
  }

  private static ScanRequest request(String row) {
    return ScanRequest.row(Bytes.utf8(row)).family(F, FamilySelection.ALL).build();
  }

  /** Returns the cells behind the one that was there first. */
  private List<String> answer() {
    assertThat(Bytes.utf8(out.get(0).row())).isEqualTo("before");
    return IntStream.range(1, out.size()).mapToObj(i -> out.get(i).toString()).toList();
  }
}
