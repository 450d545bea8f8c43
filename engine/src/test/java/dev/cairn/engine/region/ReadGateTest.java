package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.AT_ONCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.read.OpenScans;
import dev.cairn.engine.region.read.RegionReader;
import dev.cairn.engine.region.read.RowReading;
import dev.cairn.engine.region.state.Mvcc;
import dev.cairn.engine.region.state.RegionGate;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.time.PhaseTimes;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A read that fails does not keep its region from closing, whatever step fails. */
class ReadGateTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
  private static final RegionInfo INFO = new RegionInfo(SCHEMA.name(), Bytes.EMPTY, Bytes.EMPTY, 1);
  private static final ScanRequest ALL = ScanRequest.builder().build();

  private final RegionGate gate = new RegionGate(INFO);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReadWithoutMemoryForItsObjectsLeaves(boolean mayWait) {
    RegionReader reader =
        reader(
            List.of(),
            () -> {
              throw new OutOfMemoryError("test");
            });
    ReadBudget budget = mayWait ? ReadBudget.WHOLE_ROWS : AT_ONCE;
    assertThatThrownBy(() -> reader.read(ALL, budget, gate.enter()))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(gate.shut().orElseThrow()).isDone();
  }

  @Test
  void aReadThatCannotBeHeldLeaves() throws Exception {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.put("a", "q", "v");
      harness.put("b", "q", "v");
      harness.region().flush();
      harness.dump(); // the blocks are in the cache
      RegionReader reader =
          reader(harness.region().stores(), () -> new RowReading(INFO.comparator(), Clock.SYSTEM));
      try (RegionRead scan = reader.read(ALL, AT_ONCE, gate.enter())) {
        assertThat(scan.next(new CellBuffer(), AT_ONCE)).isEqualTo(ScanProgress.ROW_DONE);
        PhaseTimes.Operation failing =
            () -> {
              throw new IllegalStateException("test");
            };
        try (PhaseTimes.Current current = PhaseTimes.enter(failing)) {
          assertThatThrownBy(scan::hold).hasMessage("test");
        }
      }
      assertThat(gate.shut().orElseThrow()).isDone();
    }
  }

  /** Returns a reader of the stores, whose reads go through the gate. */
  private RegionReader reader(List<Store> stores, Supplier<RowReading> maker) {
    Mvcc mvcc = new Mvcc(1_000, Clock.SYSTEM);
    return new RegionReader(
        INFO,
        new RegionStores(stores),
        mvcc,
        Clock.SYSTEM,
        new OpenScans(mvcc, Clock.SYSTEM),
        gate,
        maker);
  }
}
