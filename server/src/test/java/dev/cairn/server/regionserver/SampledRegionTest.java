package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.PutBatch;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.server.loadsplit.LoadDecider;
import dev.cairn.server.loadsplit.LoadSample;
import dev.cairn.server.loadsplit.LoadSampler;
import dev.cairn.server.loadsplit.LoadSlice;
import dev.cairn.server.loadsplit.LoadSplitSettings;
import dev.cairn.server.loadsplit.LoadVerdict;
import dev.cairn.server.regionserver.client.ScanCallsFixture;
import dev.cairn.server.regionserver.client.ScriptedScan;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.junit.jupiter.api.Test;

/** Samples of a region's calls, as the decider sees them. */
class SampledRegionTest {
  private static final LoadSplitSettings SETTINGS =
      new LoadSplitSettings(true, 10, 0, 0, 2_000, 0.25, 0);

  private final ScanCallsFixture scans = new ScanCallsFixture();
  private final SplittableRandom random = new SplittableRandom(1);
  private final LoadSampler sampler = new LoadSampler(scans.clock, () -> 0, random::nextInt);
  private final HostedRegion region =
      scans.region.hosted().under(List.of((info, schema, below) -> below.sampledBy(sampler)));
  private final LoadDecider decider = new LoadDecider(SETTINGS, Bytes.EMPTY, row -> row);

  @FunctionalInterface
  private interface Calls {
    void run() throws IOException;
  }

  private LoadVerdict verdict(Calls second) throws IOException {
    LoadVerdict verdict = new LoadVerdict.Watching();
    for (int i = 0; i < 2; i++) {
      second.run();
      scans.clock.advanceMillis(1_000);
      verdict = decider.next(sampler.next());
    }
    return verdict;
  }

  private static Mutation put(String row) {
    return Mutation.put(Bytes.utf8(row), cells(row));
  }

  private static CellBuffer cells(String... rows) {
    CellBuffer cells = new CellBuffer();
    for (String row : rows) {
      cells.add(
          Cell.put(Bytes.utf8(row), Bytes.utf8("f"), Bytes.utf8("q"), 1, Bytes.utf8("value")));
    }
    return cells;
  }

  private void assertSplitsAtM(Calls second) throws IOException {
    LoadVerdict verdict = verdict(second);
    assertThat(verdict).isInstanceOf(LoadVerdict.Split.class);
    assertThat(((LoadVerdict.Split) verdict).row()).isEqualTo(Bytes.utf8("m"));
  }

  private String either() {
    return random.nextBoolean() ? "a" : "m";
  }

  @Test
  void seesTheRowsOfGets() throws IOException {
    assertSplitsAtM(
        () -> {
          for (int i = 0; i < 10_000; i++) {
            ScanRequest get = ScanRequest.row(Bytes.utf8(either())).build();
            region.reads(1).row(get, new CellBuffer(), ReadBudget.WHOLE_ROWS);
          }
        });
  }

  @Test
  void seesTheRowsOfMutations() throws IOException {
    assertSplitsAtM(() -> write(10_000, () -> put(either())));
  }

  @Test
  void seesTheRowsOfBatches() throws IOException {
    assertSplitsAtM(() -> write(5_000, () -> new WriteRequest.Batch(List.of(put("a"), put("m")))));
  }

  @Test
  void seesTheRowsOfAtomicGroups() throws IOException {
    assertSplitsAtM(() -> write(5_000, () -> new WriteRequest.Atomic(List.of(put("a"), put("m")))));
  }

  @Test
  void seesTheRowsOfBatchesOfPuts() throws IOException {
    int[] ends = {1, 2};
    assertSplitsAtM(
        () -> write(5_000, () -> new PutBatch(cells("a", "m"), ends, Durability.USE_DEFAULT)));
  }

  private void write(int times, Supplier<WriteRequest> request) throws IOException {
    for (int i = 0; i < times; i++) {
      region.writes(1).write(request.get(), WriteBudget.UNLIMITED);
    }
  }

  @Test
  void seesTheRowsThatScansReturn() throws IOException {
    scans.host(region);
    scans.region.scans = request -> new ScriptedScan().row("a", 1).row("m", 1);
    assertThat(
            verdict(
                () -> {
                  for (int i = 0; i < 2_000; i++) {
                    scans.scan(scans.open(new Scan(), 10).setCloseScanner(true).build());
                  }
                }))
        .as("two calls instead of one")
        .isInstanceOf(LoadVerdict.Spanning.class);
    assertSplitsAtM(
        () -> {
          for (int i = 0; i < 2_000; i++) {
            scans.region.scans = request -> new ScriptedScan().row(either(), 1);
            scans.scan(scans.open(new Scan(), 10).setCloseScanner(true).build());
          }
        });
  }

  @Test
  void seesWhereScansLookThatReturnNothing() throws IOException {
    scans.host(region);
    scans.region.scans = request -> new ScriptedScan();
    assertSplitsAtM(
        () -> {
          for (int i = 0; i < 4_000; i++) {
            Scan scan = new Scan().withStartRow(Bytes.utf8(either()));
            scans.scan(scans.open(scan, 10).setCloseScanner(true).build());
          }
        });
  }

  @Test
  void callsThatFailOrThatAHandlerRepeatsAreNoLoad() throws IOException {
    for (int i = 0; i < 10_000; i++) {
      region.writes(0).write(put("a"), WriteBudget.AT_ONCE);
    }
    scans.region.failure = new IOException("broken");
    for (int i = 0; i < 1_000; i++) {
      assertThatThrownBy(() -> region.writes(0).write(put("a"), WriteBudget.UNLIMITED))
          .hasMessage("broken");
    }
    scans.clock.advanceMillis(1_000);
    LoadSlice slice = sampler.next();
    assertThat(slice.samples())
        .hasSize(1_000)
        .allSatisfy(
            sample -> {
              assertThat(sample.kind()).isEqualTo(LoadSample.Kind.FAILED);
              assertThat(sample.requests()).isZero();
              assertThat(sample.nanos()).isZero();
            });
  }

  @Test
  void aScanThatFailsIsRecordedOnce() throws IOException {
    scans.host(region);
    scans.region.scans = request -> new ScriptedScan().row("m", 1).failing(new IOException("bad"));
    Scan scan = new Scan().withStartRow(Bytes.utf8("c"));
    assertThatThrownBy(() -> scans.scan(scans.open(scan, 10).build())).hasMessage("bad");
    ScanResponse opened = scans.scan(scans.open(scan, 1).build());
    assertThatThrownBy(() -> scans.scan(ScanCallsFixture.next(opened, 0, 1).build()))
        .hasMessageContaining("bad");
    scans.clock.advanceMillis(1_000);
    assertThat(sampler.next().samples())
        .filteredOn(sample -> sample.kind() == LoadSample.Kind.FAILED)
        .extracting(sample -> Bytes.utf8(sample.row()))
        .containsExactly("c", "m");
  }
}
