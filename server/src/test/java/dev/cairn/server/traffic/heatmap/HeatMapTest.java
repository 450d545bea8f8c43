package dev.cairn.server.traffic.heatmap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.server.rpc.ManualClock;
import dev.cairn.server.traffic.heatmap.HeatMap.Query;
import dev.cairn.server.traffic.heatmap.HeatRecorder.OpenRegion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Recorded traffic comes back at its keys and times, over restarts, moves and splits. */
class HeatMapTest {
  private static final long MINUTE = HeatStep.FINE_MILLIS;
  private static final long HOUR = HeatStep.COARSE_MILLIS;
  private static final long START = 1_700_000_000_000L - 1_700_000_000_000L % (24 * HOUR);

  private final SplittableRandom random = new SplittableRandom(3);
  private final MemoryStorage storage = new MemoryStorage(new ManualClock());
  private final HeatFiles files = new HeatFiles(storage);
  private HeatRecorder one = new HeatRecorder("a,1", Optional.of(files));
  private final HeatRecorder two = new HeatRecorder("b,2", Optional.of(files));

  private static byte[] row(int number) {
    return Bytes.utf8(String.format("row%06d", number));
  }

  private static void read(HeatRecorder recorder, int row, double requests, long millis) {
    double[] values = new double[TrafficMetric.COUNT];
    values[TrafficMetric.READS.ordinal()] = requests;
    values[TrafficMetric.BYTES.ordinal()] = 100 * requests;
    recorder.add("t", row(row), values, millis);
  }

  /** An even load of 1,000 requests, and as many on a band of 100 rows. */
  private void minuteWithBand(HeatRecorder recorder, int band, long millis) {
    for (int i = 0; i < 1_000; i++) {
      read(recorder, random.nextInt(100_000), 1, millis + 50 * i);
      read(recorder, band + random.nextInt(100), 1, millis + 50 * i);
    }
  }

  private HeatMap map(long from, long to) throws IOException {
    return map(from, to, TrafficMetric.READS, "", "");
  }

  private HeatMap map(long from, long to, TrafficMetric metric, String low, String high)
      throws IOException {
    Collection<HeatFile> recordings =
        new ArrayList<>(files.read(from, to, "a,1", HeatRecorder.hourOf(to - 1)));
    recordings.add(one.recording());
    Query query = new Query("t", metric, from, to, Bytes.utf8(low), Bytes.utf8(high), 64, 1_000);
    return HeatMap.of(query, recordings);
  }

  /** Returns the share of a column between two rows, by whole buckets. */
  private static double share(HeatMap map, int column, int low, int high) {
    double sum = 0;
    double all = 0;
    for (int i = 0; i < map.keys().size(); i++) {
      String key = Bytes.utf8(map.keys().get(i));
      boolean within =
          key.compareTo(Bytes.utf8(row(low))) >= 0 && key.compareTo(Bytes.utf8(row(high))) < 0;
      all += map.values()[column][i];
      sum += within ? map.values()[column][i] : 0;
    }
    return sum / all;
  }

  @Test
  void theHotBandAppearsAtItsKeys() throws IOException {
    for (int minute = 0; minute < 10; minute++) {
      minuteWithBand(one, minute < 5 ? 20_000 : 70_000, START + minute * MINUTE);
    }
    HeatMap map = map(START, START + 10 * MINUTE);
    assertThat(map.values()).hasNumberOfRows(10);
    for (int minute = 0; minute < 10; minute++) {
      int band = minute < 5 ? 20_000 : 70_000;
      assertThat(share(map, minute, band - 1_000, band + 1_100))
          .as("minute %d", minute)
          .isCloseTo(0.51, within(0.05));
    }
    assertThat(map.total()).isCloseTo(20_000, within(1.0));
  }

  @Test
  void evenTrafficDoesNotLightUpTheNarrowRangesOfAnEarlierBand() throws IOException {
    minuteWithBand(one, 20_000, START);
    for (int minute = 1; minute < 4; minute++) {
      for (int i = 0; i < 2_000; i++) {
        read(one, random.nextInt(100_000), 1, START + minute * MINUTE + 25 * i);
      }
    }
    HeatMap map = map(START, START + 4 * MINUTE);
    for (int minute = 1; minute < 4; minute++) {
      assertThat(share(map, minute, 19_500, 20_600)).as("minute %d", minute).isLessThan(0.05);
      assertThat(share(map, minute, 0, 19_500)).as("below").isCloseTo(0.195, within(0.04));
      assertThat(share(map, minute, 20_600, 99_999)).as("above").isCloseTo(0.794, within(0.04));
    }
  }

  @Test
  void evenTrafficAfterHotRowsIsDividedIntoEqualRanges() throws IOException {
    for (int i = 0; i < 8; i++) {
      read(one, i, 10_000, START);
    }
    for (int i = 0; i < 50_000; i++) {
      read(one, 1_000 + random.nextInt(99_000), 1, START);
    }
    HeatMap map = map(START, START + MINUTE);
    double total = map.total();
    for (int i = 0; i < map.keys().size(); i++) {
      boolean isHotRow = Bytes.utf8(map.keys().get(i)).compareTo("row000008") < 0;
      if (!isHotRow) {
        assertThat(map.values()[0][i])
            .as("range %d from %s", i, Bytes.utf8(map.keys().get(i)))
            .isLessThan(0.03 * total);
      }
    }
  }

  @Test
  void aSingleHotRowDoesNotSmear() throws IOException {
    read(one, 500, 1_000, START);
    minuteWithBand(one, 20_000, START + MINUTE);
    HeatMap map = map(START, START + 2 * MINUTE);
    assertThat(Arrays.stream(map.values()[0]).filter(value -> value > 0)).hasSize(1);
    assertThat(share(map, 0, 0, 2_000)).isEqualTo(1);
  }

  @Test
  void eachMetricHasItsOwnMap() throws IOException {
    read(one, 1, 7, START);
    assertThat(map(START, START + MINUTE, TrafficMetric.BYTES, "", "").total()).isEqualTo(700);
    assertThat(map(START, START + MINUTE, TrafficMetric.WRITES, "", "").total()).isZero();
  }

  @Test
  void aRestartKeepsWhatWasSaved() throws IOException {
    minuteWithBand(one, 20_000, START);
    one.save(START + MINUTE);
    one = new HeatRecorder("a,1", Optional.of(files));
    minuteWithBand(one, 20_000, START + 2 * MINUTE);
    one.save(START + 3 * MINUTE);
    HeatMap map = map(START, START + 3 * MINUTE);
    assertThat(map.total()).isCloseTo(4_000, within(1.0));
    assertThat(map.values()[1]).containsOnly(0);
  }

  @Test
  void aRegionThatMovesGoesOnInTheSameRows() throws IOException {
    OpenRegion region = new OpenRegion("t", "r1", new byte[0], new byte[0]);
    one.regions(List.of(region), START);
    minuteWithBand(one, 20_000, START);
    one.regions(List.of(), START + MINUTE);
    two.regions(List.of(region), START + MINUTE + 1);
    minuteWithBand(two, 20_000, START + MINUTE);
    two.save(START + 2 * MINUTE);
    HeatMap map = map(START, START + 2 * MINUTE);
    assertThat(share(map, 0, 19_000, 21_100)).isCloseTo(0.51, within(0.05));
    assertThat(share(map, 1, 19_000, 21_100)).isCloseTo(0.51, within(0.05));
    assertThat(map.events())
        .extracting(event -> event.kind() + " " + event.server())
        .containsExactly("OPENED a,1", "CLOSED a,1", "OPENED b,2");
  }

  @Test
  void aSplitIsAnEventAndItsBorderAStartOfABucket() throws IOException {
    byte[] at = row(20_050);
    one.regions(List.of(new OpenRegion("t", "r1", new byte[0], new byte[0])), START);
    minuteWithBand(one, 20_000, START);
    one.regions(
        List.of(
            new OpenRegion("t", "r2", new byte[0], at), new OpenRegion("t", "r3", at, new byte[0])),
        START + MINUTE);
    minuteWithBand(one, 20_000, START + MINUTE);
    HeatMap map = map(START, START + 2 * MINUTE);
    assertThat(map.borders()).containsExactly(at);
    assertThat(map.keys()).contains(at);
    assertThat(map.events())
        .extracting(RegionEvent::kind)
        .containsExactly(RegionEvent.Kind.OPENED, RegionEvent.Kind.SPLIT, RegionEvent.Kind.SPLIT);
  }

  private static OpenRegion region(String name, String start, String end) {
    return new OpenRegion("t", name, Bytes.utf8(start), Bytes.utf8(end));
  }

  private static List<String> texts(HeatMap map) {
    return map.events().stream()
        .map(event -> event.kind() + " " + event.region() + (map.isNewBorder(event) ? " *" : ""))
        .toList();
  }

  @Test
  void onlyTheUpperDaughterOfASplitHasANewBorder() throws IOException {
    OpenRegion first = region("r1", "", "g");
    one.regions(List.of(first, region("r2", "g", "m")), START);
    one.regions(List.of(first, region("r3", "g", "j"), region("r4", "j", "m")), START + MINUTE);
    assertThat(texts(map(START, START + 2 * MINUTE)))
        .containsExactly("OPENED r1", "OPENED r2", "SPLIT r3", "SPLIT r4 *");
  }

  @Test
  void daughtersThatOpenAfterTheirParentHasLeftAreASplit() throws IOException {
    one.regions(List.of(region("r1", "", "")), START);
    one.regions(List.of(), START + 1_000);
    one.regions(List.of(region("r2", "", "j")), START + 2_000);
    one.regions(List.of(region("r2", "", "j"), region("r3", "j", "")), START + 3_000);
    assertThat(texts(map(START, START + MINUTE)))
        .containsExactly("OPENED r1", "SPLIT r2", "SPLIT r3 *");
  }

  @Test
  void aMergedRegionThatOpensLaterIsAMerge() throws IOException {
    one.regions(List.of(region("r1", "", "j"), region("r2", "j", "")), START);
    one.regions(List.of(region("r2", "j", "")), START + 1_000);
    one.regions(List.of(), START + 2_000);
    one.regions(List.of(region("r3", "", "")), START + 3_000);
    assertThat(texts(map(START, START + MINUTE)))
        .containsExactly("OPENED r1", "OPENED r2", "MERGED r3");
  }

  @Test
  void regionsOfANewTableOfTheSameNameAreNotDaughters() throws IOException {
    one.regions(List.of(region("r1", "", "")), START);
    one.regions(List.of(), START + 1_000);
    one.regions(List.of(region("r2", "", "")), START + 2_000);
    one.regions(List.of(), START + 3_000);
    one.regions(
        List.of(region("r3", "", "j"), region("r4", "j", "")),
        START + 4_000 + RegionChanges.REMEMBERED_MILLIS);
    assertThat(texts(map(START, START + 2 * MINUTE)))
        .containsExactly(
            "OPENED r1", "CLOSED r1", "OPENED r2", "CLOSED r2", "OPENED r3", "OPENED r4");
  }

  @Test
  void manyOpeningsDisplaceNoSplit() throws IOException {
    one.regions(List.of(region("r1", "", "j")), START);
    List<OpenRegion> open = new ArrayList<>(List.of(region("r2", "", "d"), region("r3", "d", "j")));
    one.regions(open, START + 1_000);
    for (int i = 0; i < 2_000; i++) {
      open.add(region("s" + i, String.format("k%04d", i), String.format("k%04d", i + 1)));
    }
    one.regions(open, START + 2_000);
    one.regions(List.of(region("r2", "", "d")), START + 3_000);
    HeatMap map = map(START, START + MINUTE);
    assertThat(texts(map)).contains("SPLIT r2", "SPLIT r3 *");
    assertThat(map.events())
        .filteredOn(event -> event.kind() == RegionEvent.Kind.CLOSED)
        .hasSize(HeatRecorder.EVENTS_OF_KIND_MAX);
    assertThat(map.events()).hasSize(2 + 2 * HeatRecorder.EVENTS_OF_KIND_MAX);
  }

  @Test
  void aRestartDoesNotDoubleTheEvents() throws IOException {
    List<OpenRegion> open = new ArrayList<>();
    for (int i = 0; i < HeatRecorder.EVENTS_OF_KIND_MAX; i++) {
      open.add(region("s" + i, String.format("k%04d", i), String.format("k%04d", i + 1)));
    }
    one.regions(open, START);
    one.save(START + MINUTE);
    one = new HeatRecorder("a,1", Optional.of(files));
    one.regions(open, START + 2 * MINUTE);
    one.save(START + 3 * MINUTE);
    assertThat(map(START, START + 3 * MINUTE).events())
        .hasSize(HeatRecorder.EVENTS_OF_KIND_MAX)
        .allMatch(event -> event.atMillis() == START + 2 * MINUTE);
  }

  @Test
  void theLastHoursOfADeadServerStayAsHours() throws IOException {
    minuteWithBand(two, 20_000, START);
    two.save(START + MINUTE);
    for (int hour = 0; hour <= 30; hour++) {
      one.regions(List.of(), START + hour * HOUR);
      one.save(START + hour * HOUR + MINUTE);
    }
    assertThat(storage.list(HeatFiles.DIRECTORY + "/b,2"))
        .extracting(file -> file.name())
        .containsExactly("coarse-" + START);
    assertThat(map(START, START + HOUR).total()).isCloseTo(2_000, within(1.0));
  }

  @Test
  void aZoomShowsOnlyItsRows() throws IOException {
    minuteWithBand(one, 20_000, START);
    HeatMap map = map(START, START + MINUTE, TrafficMetric.READS, "row020000", "row020100");
    assertThat(map.total()).isCloseTo(1_001, within(40.0));
    assertThat(map.keys()).hasSizeGreaterThan(20);
    assertThat(Bytes.utf8(map.keys().get(0))).isEqualTo("row020000");
  }

  @Test
  void minutesAreKeptForADayAndHoursForFourteen() throws IOException {
    for (int hour = 0; hour <= 16 * 24; hour++) {
      long begin = START + hour * HOUR;
      read(one, hour % 10, 1, begin);
      one.save(begin + MINUTE);
    }
    long end = START + 16 * 24 * HOUR + HOUR;
    assertThat(map(end - 25 * HOUR, end).total()).isEqualTo(25);
    assertThat(map(end - 13 * 24 * HOUR, end).total()).isCloseTo(13 * 24, within(0.001));
    assertThat(storage.list(HeatFiles.DIRECTORY + "/a,1")).hasSizeLessThan(26 + 16);
    assertThat(map(START, START + 24 * HOUR).total()).isZero();
  }

  @Test
  void memoryIsBoundedWhateverTheKeys() {
    for (int i = 0; i < 100_000; i++) {
      double[] values = {1, 0, 0, 0, 0, 0};
      one.add("t" + i % 200, row(random.nextInt(1_000_000)), values, START);
    }
    HeatFile recording = one.recording();
    assertThat(recording.tables()).hasSize(HeatRecorder.TABLES_MAX);
    assertThat(
            recording.tables().values().stream()
                .flatMap(table -> table.steps().stream())
                .mapToInt(step -> step.ranges().size())
                .sum())
        .isLessThanOrEqualTo(HeatRecorder.RANGES_MAX);
  }

  @Test
  void aDamagedFileIsSkipped() throws IOException {
    minuteWithBand(two, 20_000, START);
    two.save(START + MINUTE);
    String path = HeatFiles.DIRECTORY + "/b,2/fine-" + HeatRecorder.hourOf(START);
    byte[] bytes = storage.readAll(path);
    assertThat(map(START, START + MINUTE).total()).isCloseTo(2_000, within(1.0));
    for (int i = bytes.length / 2; i < bytes.length; i++) {
      bytes[i] ^= 0x55;
    }
    storage.writeAll(path, bytes);
    assertThat(map(START, START + MINUTE).total()).isZero();
  }
}
