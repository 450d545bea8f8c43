package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage.Fault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;

/**
 * A table whose regions are split again and again, on a storage that stops at any moment, against a
 * sorted map. Set the system property {@code cairn.seed} to run one seed again.
 */
class SplitModelTest {
  private static final int ROWS = 60;
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("ns:t-1"),
          FamilySchema.of("f", Map.of("BLOCKSIZE", "512", "DATA_BLOCK_ENCODING", "FAST_DIFF")),
          FamilySchema.of("g", Map.of("BLOOMFILTER", "ROWCOL", "BLOCKSIZE", "300")));

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final TreeMap<String, String> model = new TreeMap<>();
  private volatile Fault fault = healthy();
  private int step;

  @RepeatedTest(3)
  void splitsOfSplitsAnswerLikeASortedMap() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      table.recover(table.memory().afterKill(), this::fails);
      for (step = 0; step < 400; step++) {
        int dice = random.nextInt(100);
        if (dice < 70) {
          write(table);
        } else if (dice < 75) {
          some(table).flush();
        } else if (dice < 80) {
          some(table).compact(random.nextInt(3) == 0);
        } else {
          upheaval(table);
          check(table);
        }
      }
    }
  }

  private boolean fails(dev.cairn.engine.storage.StorageOperation operation, String path) {
    return fault.fails(operation, path);
  }

  /** Splits, or archives parents; half of the time something stops it in the middle. */
  private void upheaval(TableHarness table) throws IOException {
    boolean crash = random.nextBoolean();
    if (crash) {
      fault = Fault.stopAfter(random.nextInt(80));
    }
    try {
      split(table);
      table.retireParents();
      some(table).compact(true);
      table.retireParents();
      if (!crash) {
        return;
      }
    } catch (IOException e) {
      assertThat(crash).as("seed %d, step %d: %s", seed, step, e).isTrue();
    }
    var after =
        random.nextBoolean() ? table.memory().afterKill() : table.memory().afterPowerCut(random);
    fault = healthy();
    table.recover(after, this::fails);
  }

  private void split(TableHarness table) throws IOException {
    String row = row();
    Region region = table.regionOf(row);
    if (table.regions().size() > 8 || row.equals(Bytes.utf8(region.info().startKey()))) {
      return;
    }
    if (region.hasReferences()) {
      region.compact(false);
    }
    if (!region.hasReferences()) {
      table.split(row);
    }
  }

  private void check(TableHarness table) throws IOException {
    String context = "seed %d, step %d".formatted(seed, step);
    List<String> expected =
        model.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()).toList();
    assertThat(table.dump()).as(context).isEqualTo(expected);
    assertThat(table.dumpReversed()).as(context).isEqualTo(rowsReversed(expected));
    for (int i = 0; i < 5; i++) {
      String row = row();
      assertThat(table.row(row))
          .as("%s, row %s", context, row)
          .isEqualTo(expected.stream().filter(cell -> cell.startsWith(row + "/")).toList());
    }
  }

  private static List<String> rowsReversed(List<String> cells) {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    cells.forEach(
        cell ->
            rows.computeIfAbsent(cell.substring(0, cell.indexOf('/')), any -> new ArrayList<>())
                .add(cell));
    List<String> reversed = new ArrayList<>();
    new ArrayList<>(rows.values()).forEach(row -> reversed.addAll(0, row));
    return reversed;
  }

  private void write(TableHarness table) throws IOException {
    String row = row();
    if (random.nextInt(6) == 0) {
      table.deleteRow(row);
      model.subMap(row + "/", row + "0").clear();
      return;
    }
    byte[] family = random.nextBoolean() ? F : G;
    String qualifier = "q" + random.nextInt(3);
    String value = "v".repeat(random.nextInt(60)) + random.nextInt(1000);
    table.put(row, family, qualifier, value);
    model.put(row + "/" + Bytes.utf8(family) + ":" + qualifier, value);
  }

  private Region some(TableHarness table) {
    return table.regions().get(random.nextInt(table.regions().size()));
  }

  private String row() {
    return "r%02d".formatted(random.nextInt(ROWS));
  }

  private static Fault healthy() {
    return (operation, path) -> false;
  }
}
