package dev.cairn.bench.parts;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellType;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The order of cells: how long two of them take. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Comparing {
  private final CellComparator order = CellComparator.USER;
  private final Cell one = cell("user000000000000abcd", "field0", 5);
  private final Cell otherRow = cell("user000000000000abce", "field0", 5);
  private final Cell otherColumn = cell("user000000000000abcd", "field1", 5);
  private final Cell otherVersion = cell("user000000000000abcd", "field0", 4);

  /** Cells of rows that differ in their last byte. */
  @Benchmark
  public int rows() {
    return order.compare(one, otherRow);
  }

  /** Cells of one row and two columns. */
  @Benchmark
  public int columns() {
    return order.compare(one, otherColumn);
  }

  /** Cells of one column and two timestamps. */
  @Benchmark
  public int versions() {
    return order.compare(one, otherVersion);
  }

  private static Cell cell(String row, String qualifier, long timestamp) {
    CellBuffer buffer = new CellBuffer();
    buffer.add(
        Bytes.utf8(row),
        Bytes.utf8("f"),
        Bytes.utf8(qualifier),
        timestamp,
        CellType.PUT.code(),
        new byte[100],
        Bytes.EMPTY);
    return buffer.get(0);
  }
}
