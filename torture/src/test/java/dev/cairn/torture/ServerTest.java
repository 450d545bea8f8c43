package dev.cairn.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.torture.model.Change;
import dev.cairn.torture.model.Query;
import dev.cairn.torture.model.TableModel;
import dev.cairn.torture.model.TableModel.Outcome;
import dev.cairn.torture.model.Text;
import dev.cairn.torture.model.Version;
import dev.cairn.torture.simulation.Crash;
import dev.cairn.torture.simulation.EngineSettings;
import dev.cairn.torture.simulation.Machine;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A major compaction puts its result in its place, cannot open it, and cannot delete it. The store
 * goes on with the inputs, but whoever opens the files next uses the result.
 */
class ServerTest {
  private static final long SEED = 1;
  private static final String ROW = "b";
  private static final byte[] BORDER = Text.bytes("m");

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Machine machine = new Machine(EngineSettings.random(random), random.split(), false);
  private final TableModel table =
      new TableModel(
          TableSchema.of(TableName.parse("t"), FamilySchema.of("a", Map.of("VERSIONS", "1"))));
  private final Server server =
      new Server(
          machine,
          List.of(table),
          List.of(new RegionInfo(table.schema().name(), new byte[0], new byte[0], 1)));

  @BeforeEach
  void leaveTheResultOfACompactionThatFails() throws IOException {
    server.start();
    put("older");
    put("newer");
    machine.faults().add(of(StorageOperation.OPEN, StorageOperation.DELETE));
    assertThatThrownBy(() -> region().region().compact(true)).isInstanceOf(IOException.class);
    server.doubtCompactions();
    machine.heal();
    server.settle();
    assertThat(cells()).hasSize(2);
  }

  @AfterEach
  void endTheServer() {
    server.discard(random);
  }

  @Test
  void aRegionThatIsOpenedAgainHasTheResult() throws IOException {
    server.reopen(region());
    server.settle();
    assertThat(cells()).hasSize(1); // VERSIONS is 1
  }

  @Test
  void theDaughtersOfASplitHaveTheResult() throws IOException {
    server.split(region(), BORDER);
    server.settle();
    server.crash(Crash.POWER_CUT, random);
    assertThat(server.regions()).hasSize(2);
    assertThat(cells()).hasSize(1);
  }

  @Test
  void theDaughtersOfASplitThatFailsAtItsEndHaveTheResult() throws IOException {
    HostedRegion parent = region();
    machine.faults().add(of(StorageOperation.OPEN).onPath(path -> path.endsWith("/.regioninfo")));
    assertThatThrownBy(() -> server.split(parent, BORDER)).isInstanceOf(IOException.class);
    machine.heal();
    server.crash(Crash.KILL, random);
    assertThat(server.regions()).hasSize(2);
    assertThat(cells()).hasSize(1);
  }

  private void put(String value) throws IOException {
    machine.clock().advance(1);
    var cell = new Change.Part("a", "q", server.now(), CellType.PUT, value, List.of());
    var change =
        new Change(
            Mutation.Kind.PUT,
            ROW,
            List.of(cell),
            Mutation.Durability.SYNC_WAL,
            TimeRange.ALL,
            false);
    region().region().write(change.mutation(), WriteBudget.UNLIMITED).join();
    table.write(List.of(change), new Outcome.Acknowledged(List.of()), server.now());
    region().region().flush(FlushScope.ALL);
    table.filed("", "", family -> true);
  }

  private HostedRegion region() {
    return server.regionOf(table, ROW);
  }

  private List<Version> cells() throws IOException {
    return Scans.rows(region(), Query.EVERYTHING, () -> ReadBudget.WHOLE_ROWS).get(ROW);
  }

  private static FaultRule of(StorageOperation... operations) {
    return FaultRule.of(operations).how(Manner.NOT_DONE);
  }
}
