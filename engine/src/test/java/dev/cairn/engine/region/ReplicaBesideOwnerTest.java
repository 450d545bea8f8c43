package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A replica opens while the region's owner opens the region, too, and changes its files: at each
 * operation of the replica in turn.
 */
class ReplicaBesideOwnerTest {
  @ParameterizedTest
  @CsvSource({"DEFAULT, false", "DEFAULT, true", "FILE, false", "FILE, true"})
  void anOwnerThatOpensAtAnyMomentDoesNoHarm(String tracker, boolean empties) throws IOException {
    int moments = 0;
    while (opens(tracker, empties, moments + 1)) {
      moments++;
    }
    assertThat(moments).isGreaterThan(10);
  }

  /** Returns false if the replica was open before the moment. */
  private static boolean opens(String tracker, boolean empties, int moment) throws IOException {
    TableSchema schema =
        TableSchema.of(
            TableName.parse("t"),
            FamilySchema.of("f", Map.of("hbase.store.file-tracker.impl", tracker)));
    try (RegionHarness owner = new RegionHarness(schema)) {
      for (String row : List.of("a", "b")) {
        owner.put(row, "q", "1");
        owner.region().flush();
      }
      owner.closeCleanly();
      AtomicInteger operations = new AtomicInteger();
      try (RegionOpening opening =
              owner.readReplica(
                  (operation, path) -> {
                    if (operations.incrementAndGet() == moment) {
                      change(owner, empties);
                    }
                    return false;
                  });
          ReadOnlyRegion replica = opening.follow()) {
        boolean changed = operations.get() >= moment;
        if (!changed) {
          return false;
        }
        replica.refresh();
        List<String> expected = empties ? List.of() : List.of("a", "b", "c");
        assertThat(rows(replica)).as("at operation %d", moment).isEqualTo(expected);
        return true;
      } catch (IOException e) {
        throw new AssertionError("At operation " + moment, e);
      }
    }
  }

  /** Opens the region, and replaces its files; by none, if it is to empty it. */
  private static void change(RegionHarness owner, boolean empties) {
    try {
      owner.open();
      if (empties) {
        for (String row : List.of("a", "b")) {
          RegionHarness.done(
              owner.mutate(
                  List.of(
                      RegionHarness.deleteOf(
                          row,
                          RegionHarness.F,
                          "",
                          Cell.LATEST_TIMESTAMP,
                          CellType.DELETE_FAMILY))));
        }
      } else {
        owner.put("c", "q", "1");
      }
      owner.region().flush();
      owner.region().compact(RegionHarness.F, true, Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> rows(ReadOnlyRegion replica) throws IOException {
    List<String> rows = new ArrayList<>();
    List<String> cells = new ArrayList<>();
    try (RegionRead read =
        replica.read(ScanRequest.builder().build(), new ReadBudget(-1, -1, Long.MAX_VALUE, true))) {
      TableHarness.read(read, cells);
    }
    cells.forEach(cell -> rows.add(cell.substring(0, 1)));
    return rows;
  }
}
