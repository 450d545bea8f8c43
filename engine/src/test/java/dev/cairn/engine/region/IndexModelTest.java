package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.probe.IndexMark;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.scan.condition.RowCondition;
import dev.cairn.engine.scan.condition.ValueRanges;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultyStorage.Fault;
import dev.cairn.engine.storage.StorageOperation;
import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

/**
 * An indexed table whose regions are written, flushed, compacted, split, merged and recovered: each
 * scan gives the same with the indexes and without them. Set the system property {@code cairn.seed}
 * to run one seed again.
 */
@Tag("forms")
class IndexModelTest {
  private static final int STEPS = 600;
  private static final int ROUNDS = Effort.rounds(1, 40);
  private static final String[] ROWS = {
    "a", "a\0", "a\0\0", "aa", "a\u00FF", "ab", "b", "b\0", "c", "ca", "cb", "d", "d\u00FF", "e"
  };
  private static final byte[][] QUALIFIERS = {Bytes.utf8("a"), Bytes.utf8("b"), Bytes.EMPTY};
  private static final TableSchema SCHEMA =
      TableSchema.of(
              TableName.parse("t"),
              FamilySchema.of("f", Map.of("VERSIONS", "3", "BLOCKSIZE", "200")),
              FamilySchema.of("g", Map.of("KEEP_DELETED_CELLS", "TRUE", "VERSIONS", "2")))
          .with("cairn.index.one", "f:a, g:")
          .with("cairn.index.two", "f:b, f:a");

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private Fault fault = (operation, path) -> false;
  private int step;

  @RepeatedTest(5)
  void aScanGivesTheSameWithAnIndexAndWithout() throws IOException {
    Marks.Watch<IndexMark> marks = Marks.watch(IndexMark.class);
    for (int round = 0; round < ROUNDS; round++) {
      checkTable();
    }
    assertThat(
            marks.missed(
                EnumSet.of(
                    IndexMark.TAKEN,
                    IndexMark.EMPTY,
                    IndexMark.OUTSIDE_VALUES,
                    IndexMark.NOT_IN_BLOOM_FILTER,
                    IndexMark.OUTSIDE_TIMES,
                    IndexMark.ONE_EXCLUDES_ALL)))
        .as(context())
        .isEmpty();
  }

  private void checkTable() throws IOException {
    try (TableHarness table = new TableHarness(SCHEMA)) {
      table.recover(table.memory().afterKill(), this::fails);
      for (step = 0; step < STEPS; step++) {
        int dice = random.nextInt(100);
        if (dice < 60) {
          write(table);
        } else if (dice < 67) {
          some(table).flush();
        } else if (dice < 73) {
          some(table).compact(random.nextInt(3) == 0);
        } else if (dice < 76) {
          upheaval(table);
        }
        if (random.nextInt(3) == 0) {
          check(table);
        }
      }
    }
  }

  private boolean fails(StorageOperation operation, String path) {
    return fault.fails(operation, path);
  }

  private void upheaval(TableHarness table) throws IOException {
    boolean crash = random.nextBoolean();
    if (crash) {
      fault = Fault.stopAfter(random.nextInt(80));
    }
    try {
      String row = pick(ROWS);
      Region region = table.regionOf(row);
      region.compact(false);
      if (table.regions().size() < 4
          && !row.equals(Bytes.utf8(region.info().startKey()))
          && !region.hasReferences()) {
        table.split(row);
      }
      table.retireParents();
      if (!crash) {
        return;
      }
    } catch (IOException e) {
      assertThat(crash).as("%s: %s", context(), e).isTrue();
    }
    var after =
        random.nextBoolean() ? table.memory().afterKill() : table.memory().afterPowerCut(random);
    fault = (operation, path) -> false;
    table.recover(after, this::fails);
  }

  private void write(TableHarness table) throws IOException {
    List<Mutation> batch = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      byte[] row = Bytes.utf8(random.nextInt(3) > 0 ? pick(ROWS) : "r" + random.nextInt(200));
      CellBuffer cells = new CellBuffer();
      boolean delete = random.nextInt(4) == 0;
      for (int j = random.nextInt(4); j >= 0; j--) {
        byte[] family = random.nextInt(3) > 0 ? F : G;
        long time =
            random.nextInt(3) > 0 ? Cell.LATEST_TIMESTAMP : 1_000_000 + random.nextInt(2_000);
        CellType type = delete ? deletion() : CellType.PUT;
        boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
        cells.add(
            row,
            family,
            ofFamily ? Bytes.EMPTY : QUALIFIERS[random.nextInt(QUALIFIERS.length)],
            time,
            type.code(),
            delete ? Bytes.EMPTY : value(),
            Bytes.EMPTY);
      }
      batch.add(delete ? Mutation.delete(row, cells) : Mutation.put(row, cells));
    }
    table.write(batch);
  }

  private CellType deletion() {
    return switch (random.nextInt(4)) {
      case 0 -> CellType.DELETE;
      case 1 -> CellType.DELETE_COLUMN;
      case 2 -> CellType.DELETE_FAMILY;
      default -> CellType.DELETE_FAMILY_VERSION;
    };
  }

  /** Draws values that extend each other, some longer than what an index stores. */
  private byte[] value() {
    byte[] value =
        switch (random.nextInt(8)) {
          case 0 -> Bytes.EMPTY;
          case 1 -> new byte[1 + random.nextInt(2)];
          case 2 -> new byte[1023 + random.nextInt(3)];
          case 3 -> new byte[] {(byte) 0xFF, (byte) (0xFE + random.nextInt(2))};
          case 4 -> Bytes.utf8("w" + random.nextInt(50));
          default -> Bytes.utf8("v" + random.nextInt(12));
        };
    if (value.length > 1 && random.nextInt(3) == 0) {
      value[value.length - 1] = (byte) random.nextInt(3);
    }
    return value;
  }

  private void check(TableHarness table) throws IOException {
    RowCondition condition = condition(random.nextInt(3));
    ScanRequest.Builder request = ScanRequest.builder().reversed(random.nextInt(3) == 0);
    if (random.nextInt(3) == 0) {
      request.maxVersions(1 + random.nextInt(4));
    }
    if (random.nextInt(4) == 0) {
      long from = 1_000_000 + random.nextInt(20_000); // leaves out some files, not their entries
      request.timeRange(new TimeRange(from, from + 1 + random.nextInt(5_000)));
    }
    if (random.nextInt(3) == 0) {
      request.start(Bytes.utf8(pick(ROWS)), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      request.stop(Bytes.utf8(pick(ROWS)), random.nextBoolean());
    }
    if (random.nextInt(3) == 0) {
      request.family(random.nextBoolean() ? F : G, FamilySelection.ALL);
    }
    ReadBudget budget =
        new ReadBudget(
            1 + random.nextInt(3),
            random.nextBoolean() ? -1 : 1 + random.nextInt(4),
            random.nextBoolean() ? -1 : 50,
            Long.MAX_VALUE,
            true,
            ReadBudget.Waiting.FOR_DISK);
    List<Cell> with = table.scan(request.filter(new ValuedRows(condition, true)).build(), budget);
    List<Cell> without =
        table.scan(request.filter(new ValuedRows(condition, false)).build(), budget);
    assertThat(with.stream().map(Cell::toString))
        .as("%s: %s", context(), condition)
        .isEqualTo(without.stream().map(Cell::toString).toList());
  }

  /** Draws a condition of one column, or of several. */
  private RowCondition condition(int depth) {
    if (depth == 0) {
      byte[] qualifier = QUALIFIERS[random.nextInt(QUALIFIERS.length)];
      return RowCondition.column(random.nextBoolean() ? F : G, qualifier, values());
    }
    List<RowCondition> parts = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i >= 0; i--) {
      parts.add(condition(depth - 1));
    }
    return random.nextBoolean() ? RowCondition.all(parts) : RowCondition.anyOf(parts);
  }

  private ValueRanges values() {
    List<ValueRanges> many = new ArrayList<>();
    for (int i = random.nextInt(12); i >= 0; i--) {
      many.add(ValueRanges.of(value()));
    }
    return switch (random.nextInt(8)) {
      case 0 -> ValueRanges.prefix(value());
      case 1 -> ValueRanges.atLeast(value());
      case 2 -> ValueRanges.lessThan(value());
      case 3 -> ValueRanges.of(value()).union(ValueRanges.greaterThan(value()));
      case 4 -> ValueRanges.union(many);
      case 5 -> ValueRanges.of(Bytes.utf8("w" + random.nextInt(50))); // hardly any row has it
      default -> ValueRanges.of(value());
    };
  }

  private String context() {
    return "seed %d, step %d".formatted(seed, step);
  }

  private Region some(TableHarness table) {
    return table.regions().get(random.nextInt(table.regions().size()));
  }

  private String pick(String[] of) {
    return of[random.nextInt(of.length)];
  }
}
