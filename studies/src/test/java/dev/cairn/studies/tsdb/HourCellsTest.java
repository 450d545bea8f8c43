package dev.cairn.studies.tsdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Cells of points, alone, joined and appended. */
class HourCellsTest {
  private static final long SEED = Long.getLong("cairn.seed", System.nanoTime());

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static Cell cell(byte[] qualifier, long timestamp, byte[] value) {
    return new KeyValue(Bytes.toBytes("r"), PointTable.FAMILY, qualifier, timestamp, value);
  }

  @Test
  void bytesAreThoseOfOpenTsdb() {
    assertThat(hex(HourCells.qualifier(0, 1))).isEqualTo("0000");
    assertThat(hex(HourCells.qualifier(1, 300))).isEqualTo("0011");
    assertThat(hex(HourCells.qualifier(3_599, Long.MIN_VALUE))).isEqualTo("e0f7");
    assertThat(hex(HourCells.value(-1))).isEqualTo("ff");
    assertThat(hex(HourCells.value(70_000))).isEqualTo("00011170");
    TreeMap<Integer, Long> points = new TreeMap<>();
    points.put(10, 5L);
    points.put(20, 300L);
    assertThat(hex(HourCells.joinedQualifier(points))).isEqualTo("00a00141");
    assertThat(hex(HourCells.joinedValue(points))).isEqualTo("05012c00");
  }

  @Test
  void readsWhatItWrites() {
    SplittableRandom random = new SplittableRandom(SEED);
    TreeMap<Integer, Long> points = new TreeMap<>();
    for (int i = random.nextInt(1, 400); i > 0; i--) {
      points.put(random.nextInt(3_600), random.nextLong() >> random.nextInt(64));
    }
    List<Cell> alone = new ArrayList<>();
    byte[] appended = {};
    for (var point : points.entrySet()) {
      byte[] qualifier = HourCells.qualifier(point.getKey(), point.getValue());
      alone.add(cell(qualifier, random.nextLong(5), HourCells.value(point.getValue())));
      appended = Bytes.add(appended, HourCells.appended(point.getKey(), point.getValue()));
    }
    Cell joined = cell(HourCells.joinedQualifier(points), 1, HourCells.joinedValue(points));
    assertThat(HourCells.points(alone)).as("seed %d", SEED).isEqualTo(points);
    assertThat(HourCells.points(List.of(joined))).as("seed %d", SEED).isEqualTo(points);
    assertThat(HourCells.points(List.of(cell(HourCells.APPENDED, 1, appended))))
        .as("seed %d", SEED)
        .isEqualTo(points);
  }

  @Test
  void theNewestValueOfASecondWins() {
    Cell old = cell(HourCells.qualifier(7, 1), 1, HourCells.value(1));
    Cell wider = cell(HourCells.qualifier(7, 300), 2, HourCells.value(300));
    assertThat(HourCells.points(List.of(old, wider))).containsEntry(7, 300L).hasSize(1);
    assertThat(HourCells.points(List.of(wider, old))).containsEntry(7, 300L).hasSize(1);
  }

  @Test
  void refusesOtherCells() {
    Cell odd = cell(new byte[] {1, 2, 3}, 1, new byte[] {1});
    assertThatThrownBy(() -> HourCells.points(List.of(odd)))
        .hasMessageContaining("not a cell of points");
    Cell withPoint = cell(new byte[] {0, 11}, 1, new byte[4]);
    assertThatThrownBy(() -> HourCells.points(List.of(withPoint)))
        .hasMessageContaining("not a whole number");
  }
}
