package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.hfile.bloom.BloomFilter;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.condition.ValueRanges;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.StoreFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What hinders an index costs its use, and neither rows nor reads. */
class IndexFaultsTest {
  private static final byte[] A = Bytes.utf8("a");
  private static final String INDEX = "cairn.index.i";

  private RegionHarness harness;

  @AfterEach
  void close() throws IOException {
    harness.close();
  }

  private static TableSchema schema(Map<String, String> family) {
    return TableSchema.of(TableName.parse("t"), FamilySchema.of("f", family));
  }

  private static TableSchema indexed(Map<String, String> family) {
    return schema(family).with(INDEX, "f:a");
  }

  private static ScanRequest wanted(String value) {
    return ScanRequest.builder()
        .filter(new ValuedRows(F, A, ValueRanges.of(Bytes.utf8(value)), true))
        .build();
  }

  private StoreFile file() {
    return harness.region().stores().get(0).view().files().get(0);
  }

  @Test
  void anIndexThatCannotBeUsedLeavesTheRegionOpen() throws IOException {
    harness =
        new RegionHarness(
            indexed(Map.of()).with("cairn.index.j", "gone:a").with("cairn.index.k", "nothing"));
    harness.put("r", "a", "1");
    Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
    assertThat(harness.dump(wanted("1"))).containsExactly("r/f:a=1");
    assertThat(marks.count(IndexMark.TAKEN)).isPositive(); // of the index that can be used
  }

  @Test
  void scansReadAllRowsIfAnIndexIsDamagedUntilACompactionHasWrittenItAnew() throws IOException {
    for (int part = 0; part < Part.values().length; part++) {
      harness = new RegionHarness(indexed(Map.of()));
      harness.put("q", "a", "first");
      harness.put("r", "a", "second");
      harness.region().flush();
      String path = file().path();
      int place = Part.values()[part].place(file().reader(), harness.memory().readAll(path));
      harness.closeCleanly();
      flip(path, place);
      harness.open();
      for (int i = 0; i < 2; i++) {
        assertThat(harness.dump(wanted("second"))).containsExactly("r/f:a=second");
      }
      assertThat(harness.region().stores().get(0).needsCompaction()).isTrue();
      harness.region().compact(false);
      assertThat(harness.region().stores().get(0).needsCompaction()).isFalse();
      Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
      assertThat(harness.dump(wanted("second"))).containsExactly("r/f:a=second");
      assertThat(marks.count(IndexMark.TAKEN)).isPositive();
      harness.close();
    }
  }

  /** A part of an index in a file. */
  private enum Part {
    CHUNK,
    ROOT,
    BOUNDS,
    BLOOM_FILTER;

    /** Returns the offset of a byte of the part. */
    int place(HFileReader file, byte[] bytes) throws IOException {
      // The cell has the value, then come the chunk, the root with its first entry, and the values
      // with the greatest one.
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      return switch (this) {
        case CHUNK -> text.indexOf("second", text.indexOf("second") + 1);
        case ROOT -> text.indexOf("first", text.indexOf("first", text.indexOf("first") + 1) + 1);
        case BOUNDS -> text.lastIndexOf("second");
        case BLOOM_FILTER -> bloomFilter(file);
      };
    }

    private static int bloomFilter(HFileReader file) throws IOException {
      byte[] values = file.metaBlock("CAIRN_INDEX_VALUES_1.61").orElseThrow();
      int[] place = new int[1];
      BloomFilter.parse(values, 1 + "second".length(), values.length, false)
          .orElseThrow()
          .readAll(
              (number, offset, size, figures) -> {
                place[0] = (int) offset + size - 5; // before its checksum
                return null;
              });
      return place[0];
    }
  }

  /** Flips a bit of a file. */
  private void flip(String path, int place) throws IOException {
    byte[] bytes = harness.memory().readAll(path);
    bytes[place] ^= 1;
    harness.memory().delete(path);
    harness.memory().writeAll(path, bytes);
  }

  @Test
  void valuesThatLieInMobFilesAreFound() throws IOException {
    harness = new RegionHarness(schema(Map.of("IS_MOB", "true", "MOB_THRESHOLD", "5")));
    harness.put("r", "a", "a long value");
    harness.region().flush();
    harness.alter(indexed(Map.of()));
    for (boolean major : new boolean[] {false, true}) {
      harness.region().compact(major);
      assertThat(harness.dump(wanted("a long value"))).containsExactly("r/f:a=a long value");
    }
    Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
    assertThat(harness.dump(wanted("a long value"))).hasSize(1);
    assertThat(marks.count(IndexMark.TAKEN)).isPositive(); // after the major compaction
  }

  @Test
  void rowsThatAreWrittenLaterThanTheScanSeesArePassedOver() throws IOException {
    harness = new RegionHarness(indexed(Map.of()));
    for (String row : List.of("a", "c", "e")) {
      harness.put(row, "a", "v");
    }
    long before;
    try (RegionRead read = harness.scan(ScanRequest.builder().build())) {
      before = read.readPoint();
    }
    for (String row : List.of("b", "d")) {
      harness.put(row, "a", "v");
    }
    Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
    ScanRequest.Builder request = wanted("v").toBuilder().resumedFrom(before);
    assertThat(harness.dump(request.build())).containsExactly("a/f:a=v", "c/f:a=v", "e/f:a=v");
    assertThat(harness.dump(request.reversed(true).build()))
        .containsExactly("e/f:a=v", "c/f:a=v", "a/f:a=v");
    assertThat(marks.count(IndexMark.ROW_GONE)).isPositive();
  }

  @Test
  void aFlushThatDropsTheNextRowRepeatsNone() throws IOException {
    for (boolean reversed : new boolean[] {false, true}) {
      harness = new RegionHarness(indexed(Map.of("TTL", "10")));
      String expired = reversed ? "d" : "b";
      for (String row : List.of("a", "b", "c", "d", "e")) {
        long millis = harness.clock.currentTimeMillis() - (row.equals(expired) ? 60_000 : 0);
        harness.mutate(List.of(RegionHarness.putOf(row, F, "a", millis, "v")));
      }
      ScanRequest request =
          ScanRequest.builder()
              .reversed(reversed)
              .filter(new ValuedRows(F, A, ValueRanges.of(Bytes.utf8("v")), true))
              .build();
      List<String> rows = new ArrayList<>();
      ReadBudget budget = RegionHarness.ofRows(1, new ReadBudget(-1, -1, Long.MAX_VALUE, false));
      try (RegionRead read = harness.scan(request)) {
        CellBuffer out = new CellBuffer();
        ScanProgress progress = ScanProgress.ROW_DONE;
        while (progress != ScanProgress.END) {
          progress = read.next(out, budget);
          for (int i = 0; i < out.size(); i++) {
            rows.add(Bytes.utf8(out.get(i).row()));
          }
          out.clear();
          if (rows.size() == 1) {
            read.peek(budget);
            harness.region().flush();
          }
        }
      }
      List<String> wanted = new ArrayList<>(List.of("a", "b", "c", "d", "e"));
      wanted.remove(expired);
      if (reversed) {
        Collections.reverse(wanted);
      }
      assertThat(rows).isEqualTo(wanted);
      harness.close();
    }
    harness = new RegionHarness(indexed(Map.of()));
  }
}
