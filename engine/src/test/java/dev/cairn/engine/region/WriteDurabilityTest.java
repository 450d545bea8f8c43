package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.done;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.file.SyncLevel;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which crashes an acknowledged write survives, by the log's guarantee, the table's
 * durability and the write's own.
 */
class WriteDurabilityTest {
  /** The most that a write has to survive. */
  private enum Survives {
    NOTHING,
    A_KILL,
    A_POWER_CUT
  }

  /** Without ASYNC_WAL, which may be lost and may not. */
  static Stream<Arguments> cases() {
    Stream.Builder<Arguments> cases = Stream.builder();
    for (SyncLevel log : SyncLevel.values()) {
      Survives promised = log == SyncLevel.SYNCED ? Survives.A_POWER_CUT : Survives.A_KILL;
      for (Durability table : List.of(Durability.USE_DEFAULT, Durability.SYNC_WAL)) {
        cases.add(Arguments.of(log, table, Durability.USE_DEFAULT, promised));
      }
      cases.add(Arguments.of(log, Durability.SKIP_WAL, Durability.USE_DEFAULT, Survives.NOTHING));
      cases.add(
          Arguments.of(log, Durability.FSYNC_WAL, Durability.USE_DEFAULT, Survives.A_POWER_CUT));
      for (Durability table : Durability.values()) {
        // The write's own wins.
        cases.add(Arguments.of(log, table, Durability.SKIP_WAL, Survives.NOTHING));
        cases.add(Arguments.of(log, table, Durability.SYNC_WAL, promised));
        cases.add(Arguments.of(log, table, Durability.FSYNC_WAL, Survives.A_POWER_CUT));
      }
    }
    return cases.build();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anAcknowledgedWriteSurvivesWhatItWasPromised(
      SyncLevel log, Durability table, Durability write, Survives survives) throws IOException {
    for (boolean begun : new boolean[] {true, false}) {
      check(log, table, write, survives, begun);
    }
  }

  private static void check(
      SyncLevel log, Durability table, Durability write, Survives survives, boolean begun)
      throws IOException {
    try (RegionHarness harness = harness(log, table)) {
      write(harness.region(), put("r", write), begun);
      assertThat(harness.get("r", "q")).isEqualTo("v");
      harness.kill();
      assertThat(harness.get("r", "q")).isEqualTo(survives == Survives.NOTHING ? null : "v");
    }
    try (RegionHarness harness = harness(log, table)) {
      write(harness.region(), put("r", write), begun);
      harness.powerCut();
      assertThat(harness.get("r", "q")).isEqualTo(survives == Survives.A_POWER_CUT ? "v" : null);
    }
  }

  private static void write(Region region, Mutation mutation, boolean begun) throws IOException {
    if (begun) {
      RegionHarness.begin(region, mutation).orElseThrow().join();
    } else {
      done(RegionHarness.mutate(region, List.of(mutation)));
    }
  }

  @Test
  void aWriteThatDoesNotWaitIsSafeAfterALaterOneThatDoes() throws IOException {
    try (RegionHarness harness = harness(SyncLevel.SYNCED, Durability.USE_DEFAULT)) {
      done(harness.mutate(List.of(put("async", Durability.ASYNC_WAL))));
      assertThat(harness.get("async", "q")).isEqualTo("v");
      done(harness.mutate(List.of(put("sync", Durability.SYNC_WAL))));
      harness.powerCut();
      assertThat(harness.get("async", "q")).isEqualTo("v");
      assertThat(harness.get("sync", "q")).isEqualTo("v");
    }
  }

  @Test
  void aWriteThatDoesNotWaitIsSafeAfterAnOrderlyStop() throws IOException {
    try (RegionHarness harness = harness(SyncLevel.SYNCED, Durability.ASYNC_WAL)) {
      done(harness.mutate(List.of(put("r", Durability.USE_DEFAULT))));
      harness.closeCleanly();
      harness.open();
      assertThat(harness.get("r", "q")).isEqualTo("v");
    }
  }

  @Test
  void aWriteWithoutTheLogIsSafeOnceItIsFlushed() throws IOException {
    try (RegionHarness harness = harness(SyncLevel.SYNCED, Durability.SKIP_WAL)) {
      done(harness.mutate(List.of(put("r", Durability.USE_DEFAULT))));
      harness.region().flush();
      harness.powerCut();
      assertThat(harness.get("r", "q")).isEqualTo("v");
    }
  }

  private static Mutation put(String row, Durability durability) {
    return new Mutation(
        Mutation.Kind.PUT,
        Bytes.utf8(row),
        putOf(row, F, "q", 1, "v").cells(),
        durability,
        TimeRange.ALL,
        false);
  }

  private static RegionHarness harness(SyncLevel log, Durability table) throws IOException {
    TableSchema plain = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
    HBaseProtos.BytesBytesPair attribute =
        HBaseProtos.BytesBytesPair.newBuilder()
            .setFirst(ByteString.copyFromUtf8("DURABILITY"))
            .setSecond(ByteString.copyFromUtf8(table.name()))
            .build();
    RegionHarness harness =
        new RegionHarness(
            new TableSchema(plain.message().toBuilder().addAttributes(attribute).build()));
    harness.closeCleanly();
    harness.promise(log);
    harness.open();
    return harness;
  }
}
