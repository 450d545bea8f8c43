package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cursor.RowSizes;
import dev.cairn.engine.probe.Marks;
import dev.cairn.engine.probe.ReadMark;
import dev.cairn.engine.region.SwarmTable.Expected;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanProgress;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.time.Effort;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random reads of random tables, over memory, files and cached blocks, with random limits for each
 * call, while writes, flushes and compactions go on between the calls. Each read must return all
 * cells of the model once and in order. The test also fails if it misses one of the fast paths that
 * {@link ReadMark} names. A failure prints its seed; {@code -Dcairn.seed} runs one seed again.
 */
@Tag("forms")
class ScanSwarmTest {
  private static final int ROUNDS = Effort.rounds(80, 20_000);

  /** Limits the rounds while a mark is missing to this multiple: few seeds reach some marks. */
  private static final int PATIENCE = 10;

  private static final Set<ReadMark> ALL = EnumSet.allOf(ReadMark.class);
  private static final int STEPS = 40;

  @Test
  void readsReturnAllCellsInOrderOnEveryPath() throws IOException {
    Marks.Watch<ReadMark> marks = Marks.watch(ReadMark.class);
    Long one = Long.getLong("cairn.seed");
    long first = one != null ? one : new Random().nextLong() >>> 16;
    long seed = first;
    try {
      do {
        new Run(seed).run();
        seed++;
      } while (one == null
          && (seed < first + ROUNDS
              || seed < first + PATIENCE * ROUNDS && !marks.missed(ALL).isEmpty()));
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("Run it again with -Dcairn.seed=" + seed, e);
    }
    if (one == null) {
      assertThat(marks.missed(ALL))
          .as("fast paths that no read took, from seed %d on; all counts:%n%s", first, marks)
          .isEmpty();
    }
  }

  private static final class Run {
    private final Random random;

    Run(long seed) {
      random = new Random(seed);
    }

    void run() throws IOException {
      try (SwarmTable table = new SwarmTable(random)) {
        for (int i = random.nextInt(2 + table.keys().rows() / 4); i > 0; i--) {
          table.write();
        }
        for (int step = 0; step < STEPS; step++) {
          switch (random.nextInt(8)) {
            case 0 -> table.keepHouse();
            case 1 -> table.write();
            case 2 -> {
              if (random.nextInt(4) == 0) {
                table.rebuild();
              }
            }
            default -> read(table);
          }
        }
      }
    }

    private void read(SwarmTable table) throws IOException {
      ScanRequest request = request(table);
      List<Region> regions = new ArrayList<>(table.regions());
      for (Region region : regions) {
        if (!request.isSingleRow() || region.info().contains(request.startRow())) {
          for (int times = request.isSingleRow() ? 1 + random.nextInt(3) : 1; times > 0; times--) {
            new Reading(random, table, region, request).run();
          }
        }
      }
    }

    private ScanRequest request(SwarmTable table) {
      ScanRequest.Builder request;
      if (random.nextInt(3) == 0) {
        request = ScanRequest.row(table.keys().row(random));
      } else {
        request = ScanRequest.builder().reversed(random.nextInt(4) == 0);
        if (random.nextInt(3) == 0) {
          request.start(table.keys().bound(random), random.nextBoolean());
        }
        if (random.nextInt(3) == 0) {
          request.stop(table.keys().bound(random), random.nextBoolean());
        }
      }
      if (random.nextInt(4) == 0) {
        request.maxVersions(1 + random.nextInt(3));
      }
      if (random.nextInt(4) == 0) {
        request.cacheBlocks(false);
      }
      request.retention(table.retention());
      if (random.nextInt(4) == 0) {
        request.hooks(new ScanRequest.Hooks(SuppliedRules.CLASSIC, first -> true));
      }
      if (random.nextInt(4) == 0) {
        FamilySchema family = table.families().get(random.nextInt(table.families().size()));
        byte[][] qualifiers = new byte[random.nextInt(3)][];
        for (int i = 0; i < qualifiers.length; i++) {
          qualifiers[i] = table.keys().qualifier(random);
        }
        request.family(family.name(), FamilySelection.of(qualifiers));
      }
      return request.build();
    }
  }

  /** One read of one region. */
  private static final class Reading {
    private final Random random;
    private final SwarmTable table;
    private final Region region;
    private final ScanRequest asked;

    private List<Expected> expected;
    private int seen;
    private byte[] lastRow = Bytes.EMPTY;
    private boolean rowOpen;

    Reading(Random random, SwarmTable table, Region region, ScanRequest asked) {
      this.random = random;
      this.table = table;
      this.region = region;
      this.asked = asked;
    }

    void run() throws IOException {
      ScanRequest request = asked;
      boolean more = true;
      while (more) {
        restart(request);
        more = read(request);
        if (more) {
          // Another scan continues after the last row, as for a client that has lost its scanner.
          request = request.toBuilder().start(lastRow, false).build();
        }
      }
    }

    private void restart(ScanRequest request) {
      expected = table.expected(request, region);
      seen = 0;
      rowOpen = false;
      lastRow = Bytes.EMPTY;
    }

    /** Reads to the end, or stops between two rows and returns true. */
    private boolean read(ScanRequest request) throws IOException {
      boolean atOnce = random.nextInt(3) == 0;
      boolean whole = !atOnce && request.isSingleRow() && random.nextBoolean();
      ReadBudget opening =
          atOnce
              ? RegionHarness.AT_ONCE
              : whole ? ReadBudget.WHOLE_ROWS : new ReadBudget(-1, -1, Long.MAX_VALUE, true);
      RegionRead read = region.read(request, opening);
      try {
        ScanProgress progress = null;
        for (int calls = 0; progress != ScanProgress.END; calls++) {
          if (whole && calls == 1) {
            assertThat(seen).as("cells of %s in %s", request, table).isEqualTo(expected.size());
            return false;
          }
          if (calls > 0 && !atOnce && !rowOpen && seen > 0 && !request.isSingleRow()) {
            if (random.nextInt(60) == 0) {
              return true;
            }
          }
          if (calls > 0) {
            pause();
          } else if (random.nextInt(10) == 0) {
            table.keepHouse();
          }
          progress = call(read, budget(atOnce, whole));
          if (progress == ScanProgress.WOULD_WAIT) {
            read.close();
            restart(request);
            atOnce = false;
            whole = false;
            read = region.read(request, new ReadBudget(-1, -1, Long.MAX_VALUE, true));
          } else if (atOnce && progress != ScanProgress.END && random.nextBoolean()) {
            atOnce = false;
            if (!read.hold()) {
              read.close();
              restart(request);
              read = region.read(request, new ReadBudget(-1, -1, Long.MAX_VALUE, true));
            }
          }
        }
        assertThat(seen).as("cells of %s in %s", request, table).isEqualTo(expected.size());
        return false;
      } finally {
        read.close();
      }
    }

    private void pause() throws IOException {
      switch (random.nextInt(25)) {
        case 0 -> table.keepHouse();
        case 1 -> table.write();
        case 2 -> {
          table.write();
          table.keepHouse();
        }
        default -> {
          // The next call comes at once.
        }
      }
    }

    private ReadBudget budget(boolean atOnce, boolean whole) {
      if (whole) {
        return ReadBudget.WHOLE_ROWS;
      }
      int rows = random.nextBoolean() ? 1 + random.nextInt(5) : 1000;
      int cells = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : -1;
      long bytes =
          random.nextInt(3) == 0 ? 1 + random.nextInt(random.nextBoolean() ? 200 : 5000) : -1;
      long deadline =
          random.nextInt(4) == 0
              ? table.clock().nanoTime() + random.nextInt(5) * 1_000_000L
              : Long.MAX_VALUE;
      ReadBudget.Waiting waiting = atOnce ? ReadBudget.Waiting.NEVER : ReadBudget.Waiting.FOR_DISK;
      return new ReadBudget(rows, cells, bytes, deadline, random.nextBoolean(), waiting);
    }

    private ScanProgress call(RegionRead read, ReadBudget budget) throws IOException {
      CellBuffer out = new CellBuffer();
      RowSizes rows = new RowSizes();
      boolean single = random.nextInt(4) == 0;
      ScanProgress progress = single ? read.next(out, budget) : read.nextRows(out, rows, budget);
      if (progress == ScanProgress.WOULD_WAIT) {
        assertThat(out.isEmpty()).isTrue();
        return progress;
      }
      int at = 0;
      for (int row = 0; row < rows.size(); row++) {
        for (int i = 0; i < rows.cells(row); i++) {
          accept(out.get(at++), i == 0 && !rowOpen);
        }
        rowOpen = false;
      }
      boolean isRest = single || progress != ScanProgress.ROW_DONE;
      assertThat(isRest || at == out.size()).as("cells of no row").isTrue();
      for (int i = 0; at < out.size(); i++) {
        accept(out.get(at++), i == 0 && !rowOpen);
      }
      switch (progress) {
        case ROW_DONE -> rowOpen = false;
        case BATCH_FULL, LIMIT_IN_ROW, TIME_IN_ROW -> rowOpen = true;
        default -> {
          // The next call begins a row, or goes on with the one that is open.
        }
      }
      return progress;
    }

    private void accept(Cell cell, boolean beginsRow) {
      assertThat(seen).as("one cell too many: %s in %s", cell, table).isLessThan(expected.size());
      Expected wanted = expected.get(seen++);
      if (!wanted.isShownBy(cell)) {
        throw new AssertionError(
            "Cell %d of %s in %s, %s, is %s instead of %s"
                .formatted(seen - 1, asked, region.info(), table, cell, wanted));
      }
      boolean sameRow = Arrays.equals(lastRow, wanted.row());
      assertThat(sameRow)
          .as(beginsRow ? "a row is split at %s" : "two rows are joined at %s", cell)
          .isEqualTo(!beginsRow);
      lastRow = wanted.row();
    }
  }
}
