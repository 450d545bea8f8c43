package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.TWO_FAMILIES;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.wal.file.Nonce;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests what a region recovers after a crash, a power cut or a failed flush. */
class RegionRecoveryTest {
  @AutoClose private final RegionHarness harness = RegionHarness.ofTwoFamilies();
  private final AtomicBoolean failing = new AtomicBoolean();

  RegionRecoveryTest() throws IOException {} // as making a region does

  @Test
  void unflushedWritesSurviveAKillAndAPowerCut() throws IOException {
    harness.put("a", "q", "1");
    harness.kill();
    assertThat(harness.get("a", "q")).isEqualTo("1");
    harness.put("b", "q", "2");
    harness.powerCut(new Random(5));
    assertThat(harness.dump()).containsExactly("a/f:q=1", "b/f:q=2");
  }

  @Test
  void aWriteWithoutTheLogIsSeenAndNotPromised() throws IOException {
    CellBuffer cells = putOf("r", F, "q", 1, "v").cells();
    harness.mutate(
        List.of(
            new Mutation(
                Mutation.Kind.PUT,
                Bytes.utf8("r"),
                cells,
                Mutation.Durability.SKIP_WAL,
                TimeRange.ALL,
                false)));
    assertThat(harness.get("r", "q")).isEqualTo("v");
    harness.kill();
    assertThat(harness.get("r", "q")).isNull();
  }

  @Test
  void aBatchLogsOnlyWhatIsNotToSkipTheLog() throws IOException {
    List<Mutation> batch = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Mutation put = putOf("r" + i, F, "q", 1, "v");
      Mutation.Durability durability =
          i % 2 == 0 ? Mutation.Durability.SKIP_WAL : Mutation.Durability.SYNC_WAL;
      batch.add(new Mutation(put.kind(), put.row(), put.cells(), durability, TimeRange.ALL, false));
    }
    batch.add(Mutation.delete(Bytes.utf8("r1"), new CellBuffer()));
    RegionHarness.done(harness.mutate(batch));
    assertThat(harness.dump())
        .containsExactly("r0/f:q=v", "r2/f:q=v", "r3/f:q=v", "r4/f:q=v", "r5/f:q=v");

    harness.kill();
    assertThat(harness.dump()).containsExactly("r3/f:q=v", "r5/f:q=v");
  }

  @Test
  void afterAFamilyIsRemovedTheLogStillKeepsWhatIsNotFlushed() throws IOException {
    for (int i = 0; i < 20; i++) {
      harness.put("r", G, "q", Cell.LATEST_TIMESTAMP, "v" + i);
    }
    harness.alter(TableSchema.of(TWO_FAMILIES.name(), TWO_FAMILIES.family(F).orElseThrow()));
    harness.put("r", "q", "new");
    harness.rollLog();
    harness.kill();

    assertThat(harness.get("r", "q")).isEqualTo("new");
  }

  @Test
  void aFamilyThatIsAddedAgainIsEmptyEvenAfterAKill() throws IOException {
    harness.put("r", "q", "kept");
    harness.put("r", G, "q", Cell.LATEST_TIMESTAMP, "removed");
    harness.alter(TableSchema.of(TWO_FAMILIES.name(), TWO_FAMILIES.family(F).orElseThrow()));
    harness.alter(TWO_FAMILIES);
    harness.kill();

    assertThat(harness.dump()).containsExactly("r/f:q=kept");
  }

  @Test
  void aRowThatDidNotWaitForTheLogIsWholeAfterHalfAFlush() throws IOException {
    harness.closeCleanly();
    harness.failWith((operation, path) -> path.matches(".*/\\.tmp/[^/]+/g\\..*"));
    harness.open();
    long opened = harness.region().statistics().flushedSequence();
    for (byte[] family : List.of(F, G)) {
      harness.mutate(
          List.of(
              new Mutation(
                  Mutation.Kind.PUT,
                  Bytes.utf8("r"),
                  putOf("r", family, "q", 1, "v").cells(),
                  Mutation.Durability.ASYNC_WAL,
                  TimeRange.ALL,
                  false)));
    }

    assertThatThrownBy(() -> harness.region().flush()).hasMessageContaining("/g.");
    assertThat(harness.region().statistics().flushedSequence()).isEqualTo(opened);
    harness.failWith((operation, path) -> false);
    harness.kill();
    assertThat(harness.dump()).containsExactly("r/f:q=v", "r/g:q=v");
  }

  @Test
  void aFlushThatACrashCutOffIsMadeUpForWhateverTheReplayNeedsToFlushMeanwhile()
      throws IOException {
    harness.closeCleanly();
    harness.failWith((operation, path) -> path.contains("/g/") && failing.get());
    harness.open();
    String value = "v".repeat(10_000);
    for (int row = 10; row < 40; row++) {
      RegionHarness.done(
          harness.mutate(
              List.of(putOf("r" + row, F, "q", 1, "v"), putOf("r" + row, G, "q", 1, value))));
    }
    failing.set(true);
    assertThatThrownBy(() -> harness.region().flush()).isInstanceOf(IOException.class);
    failing.set(false);
    harness.kill();

    assertThat(harness.dump()).hasSize(60);
  }

  @Test
  void theNumberOfAChangeIsKnownAfterOneCrashAndAfterAnother() throws IOException {
    Nonce nonce = new Nonce(-7, Long.MIN_VALUE);
    RegionHarness.done(harness.mutate(List.of(putOf("a", F, "q", 1, "v").numbered(nonce))));
    harness.kill();
    assertThat(harness.recovered()).containsOnly(nonce);
    harness.kill();
    assertThat(harness.recovered()).containsOnly(nonce);
    harness.put("b", "q", "w");
    harness.kill();
    assertThat(harness.recovered()).containsOnly(nonce);
    assertThat(harness.get("b", "q")).isEqualTo("w");
    harness.region().flush();
    harness.kill();
    assertThat(harness.get("a", "q")).isEqualTo("v");
  }

  @Test
  void afterTheLogFailsNothingIsAcknowledgedOrSeen() throws IOException {
    harness.put("a", "q", "1");
    harness.closeCleanly();
    harness.failWith((operation, path) -> path.startsWith("WALs") && failing.get());
    harness.open();
    failing.set(true);

    assertThatThrownBy(() -> harness.put("b", "q", "2")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> harness.put("c", "q", "2")).isInstanceOf(IOException.class);
    assertThat(harness.dump()).containsExactly("a/f:q=1");
  }
}
