package dev.cairn.bench.parts;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.merge.MergingCursor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

/** The merge of sorted sources, all of them in memory, cells dealt to them by turns. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Merging {
  private static final int CELLS = 40_000;
  private static final int SLAB_BYTES = 2 << 20;

  /** The number of sources. */
  @Param({"2", "4", "10"})
  public int sources;

  private SampleMemory sample;
  private Cell first;
  private CellCursor merged;
  private int next;

  /** Fills the sources. */
  @Setup(Level.Trial)
  public void fill() throws IOException {
    sample = new SampleMemory(CELLS);
    List<CellCursor> cursors = new ArrayList<>();
    for (int source = 0; source < sources; source++) {
      MemStoreSegment segment = new MemStoreSegment(CellComparator.USER, SLAB_BYTES);
      for (int i = source; i < CELLS; i += sources) {
        segment.add(sample.get(i), i + 1);
      }
      cursors.add(segment.cursor(Long.MAX_VALUE));
    }
    first = Cell.firstOnRow(new byte[] {0});
    merged = MergingCursor.of(CellComparator.USER, cursors);
    merged.seek(first);
  }

  /** One step to the next cell. */
  @Benchmark
  public int step() throws IOException {
    if (!merged.next()) {
      merged.seek(first);
    }
    return merged.cell().valueLength();
  }

  /** A seek to a cell by chance. */
  @Benchmark
  public boolean seek() throws IOException {
    next = next + 1 < CELLS ? next + 1 : 0;
    return merged.seek(sample.get(next));
  }
}
