package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.RowStripes;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The times that stand in for the latest timestamp, under a clock that stands still. */
class TimestampAllocatorTest {
  private static final long LATEST = Cell.LATEST_TIMESTAMP;

  @AutoClose private RegionHarness harness;

  @BeforeEach
  void open() throws IOException {
    harness =
        new RegionHarness(
            TableSchema.of(
                TableName.parse("t"),
                FamilySchema.of("f", Map.of("VERSIONS", "" + Integer.MAX_VALUE))));
    harness.clock.stop();
  }

  @Test
  void aPutIsSeenAlthoughTheRowWasDeletedInTheSameMillisecond() throws IOException {
    for (int i = 0; i < 100; i++) {
      harness.put("r", "q", "v" + i);
      assertThat(harness.get("r", "q")).isEqualTo("v" + i);
      harness.mutate(List.of(Mutation.delete(Bytes.utf8("r"), new CellBuffer())));
      assertThat(harness.get("r", "q")).isNull();
    }
  }

  @Test
  void putsOfOneRowThatFollowEachOtherAreVersionsOfTheirOwn() throws IOException {
    for (int i = 0; i < 50; i++) {
      harness.put("r", "q", "v" + i);
    }
    assertThat(timestamps("r")).hasSize(50).doesNotHaveDuplicates();
    assertThat(harness.get("r", "q")).isEqualTo("v49");
  }

  @Test
  void theFirstWriteOfARowHasTheClocksTime() throws IOException {
    harness.put("r", "q", "v");
    harness.put("s", "q", "v");
    assertThat(timestamps("r")).containsExactly(now());
    assertThat(timestamps("s")).containsExactly(now());
  }

  @Test
  void aHotRowDoesNotRunAheadOfTheClock() throws IOException {
    for (int i = 0; i < 3000; i++) {
      harness.put("r", "q", "v" + i);
    }
    assertThat(harness.get("r", "q")).isEqualTo("v2999");
    assertThat(timestamps("r")).hasSize(1001).allMatch(time -> time <= now() + 1000);
  }

  @Test
  void soFarAheadADeleteStillHidesAndAPutAfterItIsSeen() throws IOException {
    for (int i = 0; i < 1100; i++) {
      harness.put("r", "q", "v" + i);
    }
    for (int i = 0; i < 5; i++) {
      harness.mutate(List.of(deleteOf("r", F, "q", LATEST, CellType.DELETE_COLUMN)));
      assertThat(harness.get("r", "q")).isNull();
      harness.put("r", "q", "again" + i);
      assertThat(harness.get("r", "q")).isEqualTo("again" + i);
    }
  }

  @Test
  void soFarAheadAPutIsSeenInABatchThatBeginsWithTheDeleteOfAnotherRow() throws IOException {
    String neighbour = "s";
    while (RowStripes.of(Bytes.utf8(neighbour)) != RowStripes.of(Bytes.utf8("r"))) {
      neighbour += "s";
    }
    for (int i = 0; i < 1100; i++) {
      harness.put("r", "q", "v" + i);
    }
    harness.mutate(List.of(Mutation.delete(Bytes.utf8("r"), new CellBuffer())));
    harness.mutate(
        List.of(
            Mutation.delete(Bytes.utf8(neighbour), new CellBuffer()),
            putOf("r", F, "q", LATEST, "seen")));
    assertThat(harness.get("r", "q")).isEqualTo("seen");
  }

  @Test
  void aCounterThatIsHotCountsEveryIncrement() throws IOException {
    for (int i = 0; i < 1500; i++) {
      increment("r");
    }
    CellBuffer out = new CellBuffer();
    harness.get(ScanRequest.row(Bytes.utf8("r")).build(), out);
    assertThat(Bytes.getLong(out.get(0).value(), 0)).isEqualTo(1500);
    assertThat(out.get(0).timestamp()).isEqualTo(now() + 1000);
  }

  @Test
  void anIncrementGoesBeyondATimestampThatAClientHasSet() throws IOException {
    long future = now() + 1_000_000;
    CellBuffer one = counter("r", future);
    harness.mutate(List.of(Mutation.put(Bytes.utf8("r"), one)));
    increment("r");
    assertThat(timestamps("r")).contains(future + 1);
    harness.put("r", "p", "by the clock");
    assertThat(timestamps("r")).anyMatch(time -> time <= now() + 2);
  }

  @Test
  void afterTheClockWasSetBackARowGoesOnFromWhereItWas() throws IOException {
    harness.put("r", "q", "before");
    harness.clock.advance(-600_000);
    harness.put("r", "q", "after");
    assertThat(harness.get("r", "q")).isEqualTo("after");
    harness.mutate(List.of(Mutation.delete(Bytes.utf8("r"), new CellBuffer())));
    assertThat(harness.get("r", "q")).isNull();
    harness.put("r", "q", "seen");
    assertThat(harness.get("r", "q")).isEqualTo("seen");
    harness.put("another", "q", "v");
    assertThat(timestamps("another")).containsExactly(now());
  }

  @Test
  void aRegionThatIsOpenedAgainGivesNoTimeTwice() throws IOException {
    for (int i = 0; i < 20; i++) {
      harness.put("r", "q", "v" + i);
    }
    harness.mutate(List.of(Mutation.delete(Bytes.utf8("r"), new CellBuffer())));
    harness.closeCleanly();
    harness.open();
    harness.put("r", "q", "after closing");
    assertThat(harness.get("r", "q")).isEqualTo("after closing");
    harness.mutate(List.of(Mutation.delete(Bytes.utf8("r"), new CellBuffer())));
    harness.powerCut();
    harness.put("r", "q", "after a crash");
    assertThat(harness.get("r", "q")).isEqualTo("after a crash");
  }

  @Test
  void timestampsInTheFarFutureAreNotFollowed() throws IOException {
    harness.put("r", F, "q", now() + 1_000_000_000, "from the future");
    harness.closeCleanly();
    harness.open();
    harness.put("s", "q", "v");
    assertThat(timestamps("s")).allMatch(time -> time <= now() + 1001);
  }

  @Test
  void theWritesOfABatchShareOneTimestamp() throws IOException {
    List<Mutation> batch = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      batch.add(putOf("r", F, "q" + i, LATEST, "v"));
      batch.add(putOf("r" + i, F, "q", LATEST, "v"));
    }
    harness.mutate(batch);
    assertThat(timestamps("r")).hasSize(100).allMatch(time -> time == now());
    assertThat(timestamps("r7")).containsExactly(now());
  }

  private void increment(String row) throws IOException {
    Mutation one =
        new Mutation(
            Kind.INCREMENT,
            Bytes.utf8(row),
            counter(row, LATEST),
            Mutation.Durability.SKIP_WAL,
            TimeRange.ALL,
            false);
    RegionHarness.done(harness.mutate(List.of(one)));
  }

  private static CellBuffer counter(String row, long timestamp) {
    CellBuffer cells = new CellBuffer();
    cells.add(
        Bytes.utf8(row),
        F,
        Bytes.utf8("q"),
        timestamp,
        CellType.PUT.code(),
        Bytes.ofLong(1),
        Bytes.EMPTY);
    return cells;
  }

  private long now() {
    return harness.clock.currentTimeMillis();
  }

  private List<Long> timestamps(String row) throws IOException {
    CellBuffer out = new CellBuffer();
    harness.get(ScanRequest.row(Bytes.utf8(row)).maxVersions(Integer.MAX_VALUE).build(), out);
    List<Long> all = new ArrayList<>();
    for (int i = 0; i < out.size(); i++) {
      all.add(out.get(i).timestamp());
    }
    return all;
  }
}
