package dev.cairn.coprocessor.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.coprocessor.measure.RegionMeter;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.scan.retention.RetainedCells;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.regionserver.hooked.HookTimes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCellBuilderFactory;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.regionserver.BatchLimits;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.junit.jupiter.api.Test;

/** Cells come unchanged through the rows of a hook, whatever pieces it reads and returns. */
class RowsAndCellsTest {
  private static final byte[] F = Bytes.utf8("f");
  private static final RegionMeter METER =
      new RegionMeter(new HookTimes(), TableName.parse("t"), Clock.SYSTEM);

  private static final RegionInfo REGION =
      new RegionInfo(TableName.parse("t"), Bytes.EMPTY, Bytes.EMPTY, 1);
  private static final List<String> KEYS =
      List.of("", "a", "a\0", "ab", "ab0", "b", "b".repeat(300));

  /** The cells of a list, all shown by one object. */
  private static final class Listed implements RetainedCells {
    private final List<Cell> cells;
    private final Cell shown = new Cell();
    private int next;
    private boolean closed;

    Listed(List<Cell> cells) {
      this.cells = cells;
    }

    @Override
    public boolean next() {
      if (next == cells.size()) {
        return false;
      }
      shown.set(cells.get(next++));
      return true;
    }

    @Override
    public Cell cell() {
      return shown;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** Reads rows in pieces, and returns them in others, some of the cells as objects of its own. */
  private record Pieces(
      Random random, InternalScanner below, List<org.apache.hadoop.hbase.Cell> left)
      implements InternalScanner {
    @Override
    public boolean next(List<org.apache.hadoop.hbase.Cell> out, ScannerContext limits)
        throws IOException {
      boolean more = true;
      if (left.isEmpty()) {
        more =
            random.nextBoolean()
                ? below.next(left)
                : below.next(left, BatchLimits.of(1 + random.nextInt(3)));
        for (org.apache.hadoop.hbase.Cell cell : left) {
          assertThat(CellUtil.matchingRows(cell, left.get(0))).isTrue();
        }
      }
      int taken = random.nextInt(left.size() + 1);
      for (int i = 0; i < taken; i++) {
        out.add(random.nextBoolean() ? left.get(i) : copy(left.get(i)));
      }
      left.subList(0, taken).clear();
      return more || !left.isEmpty();
    }

    private static org.apache.hadoop.hbase.Cell copy(org.apache.hadoop.hbase.Cell cell)
        throws IOException {
      return ExtendedCellBuilderFactory.create(CellBuilderType.DEEP_COPY)
          .setRow(CellUtil.cloneRow(cell))
          .setFamily(CellUtil.cloneFamily(cell))
          .setQualifier(CellUtil.cloneQualifier(cell))
          .setTimestamp(cell.getTimestamp())
          .setType(cell.getType())
          .setValue(CellUtil.cloneValue(cell))
          .setTags(PrivateCellUtil.cloneTags(cell))
          .setSequenceId(((org.apache.hadoop.hbase.ExtendedCell) cell).getSequenceId())
          .build();
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }

  private static List<Cell> drawn(Random random) {
    List<Cell> cells = new ArrayList<>();
    int count = random.nextInt(60);
    for (int i = 0; i < count; i++) {
      byte[] tags = random.nextBoolean() ? Bytes.EMPTY : new byte[] {0, 2, 70, (byte) i};
      cells.add(
          Cell.of(
              Bytes.utf8("r" + KEYS.get(random.nextInt(KEYS.size()))),
              F,
              Bytes.utf8(KEYS.get(random.nextInt(KEYS.size()))),
              random.nextInt(5),
              random.nextInt(4) == 0 ? CellType.DELETE_COLUMN.code() : CellType.PUT.code(),
              Bytes.utf8("v".repeat(random.nextInt(3)) + i),
              tags,
              1 + random.nextInt(100)));
    }
    cells.sort(CellComparator.USER::compareKeys);
    return cells;
  }

  private static String text(Cell cell) {
    byte[] bytes = new byte[cell.serializedLength(true)];
    cell.writeTo(bytes, 0, true);
    return Bytes.toStringBinary(bytes) + " #" + cell.sequence();
  }

  @Test
  void cellsAreTheSameAfterAHook() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      List<Cell> cells = drawn(random);
      Listed listed = new Listed(cells);
      Pieces hook = new Pieces(random, new RowsOfCells(listed), new ArrayList<>());
      List<String> seen = new ArrayList<>();
      try (CellsOfRows result = new CellsOfRows(hook, listed, REGION, F, METER)) {
        while (result.next()) {
          seen.add(text(result.cell()));
        }
      }
      assertThat(seen)
          .as("seed %d, round %d", seed, round)
          .isEqualTo(cells.stream().map(RowsAndCellsTest::text).toList());
      assertThat(listed.closed).isTrue();
    }
  }
}
