package dev.cairn.bench.parts;

import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.cursor.SeekKey;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.memstore.SegmentCursor;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The memstore: adding, seeking and stepping. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Memory {
  private static final int SLAB_BYTES = 2 << 20;

  /** The number of cells in memory; added cells go to a segment that grows up to as many. */
  @Param({"10000", "300000"})
  public int cells;

  private SampleMemory sample;
  private MemStoreSegment full;
  private MemStoreSegment growing;
  private CellCursor cursor;
  private SegmentCursor again;
  private final SeekKey key = new SeekKey();
  private final SplittableRandom random = new SplittableRandom(7);
  private byte[][] rows;
  private int next;

  /** Fills the memory. */
  @Setup(Level.Trial)
  public void fill() {
    sample = new SampleMemory(cells);
    full = new MemStoreSegment(CellComparator.USER, SLAB_BYTES);
    for (int i = 0; i < cells; i++) {
      full.add(sample.get(i), i + 1);
    }
    growing = new MemStoreSegment(CellComparator.USER, SLAB_BYTES);
    cursor = full.cursor(Long.MAX_VALUE);
    again = full.cursor(Long.MAX_VALUE);
    rows = new byte[cells][];
    for (int i = 0; i < cells; i++) {
      rows[i] = sample.get(i).row();
    }
  }

  /** Adds a cell of a row by chance. */
  @Benchmark
  public int add() {
    if (growing.cellCount() == cells) {
      growing = new MemStoreSegment(CellComparator.USER, SLAB_BYTES);
    }
    growing.add(sample.get(following()), next + 1);
    return next;
  }

  /** Goes to a cell by chance, as a read of one row does. */
  @Benchmark
  public boolean seek() throws IOException {
    CellCursor fresh = full.cursor(Long.MAX_VALUE);
    return fresh.seek(sample.get(following()));
  }

  /** Goes to where a row begins, as a get does: to some rows much more often than to others. */
  @Benchmark
  public boolean row() throws IOException {
    double chance = random.nextDouble();
    byte[] row = rows[(int) (cells * chance * chance * chance * chance)];
    again.restart(Long.MAX_VALUE);
    return again.seek(key.firstOnRow(row, row.length));
  }

  /** One step to the next cell. */
  @Benchmark
  public int step() throws IOException {
    if (cursor.cell() == null || !cursor.next()) {
      cursor = full.cursor(Long.MAX_VALUE);
      cursor.seek(sample.get(0));
    }
    return cursor.cell() == null ? 0 : cursor.cell().valueLength();
  }

  private int following() {
    next = next + 1 < cells ? next + 1 : 0;
    return next;
  }
}
