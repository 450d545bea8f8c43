package dev.cairn.bench.parts;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.MutationOutcome;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.scan.ReadBudget;
import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
import org.openjdk.jmh.annotations.TearDown;

/** Gets of rows in cached blocks of a region, and of daughters that it was split into. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SplitGets {
  private static final int ROWS = 100_000;
  private static final int ROWS_OF_BATCH = 1_000;
  private static final int GETS_BEFORE = 300_000;
  private static final long ROW_BYTES_MAX = 64 << 10;
  private static final byte[] MIDDLE = Bytes.utf8("user8");

  /** The files from which the gets read. */
  public enum Shape {
    /** One region with one file. */
    WHOLE,
    /** Two daughters, compacted before their first get. */
    DAUGHTERS,
    /** Two daughters that refer to the parent's file. */
    REFERENCES,
    /** Two daughters, compacted after many gets from references. */
    COMPACTED
  }

  /** The files from which the gets read. */
  @Param public Shape shape;

  private final CellBuffer buffer = new CellBuffer();
  private MemoryRegion opened;
  private List<Region> regions;
  private byte[][] rows;
  private int next;

  /** Fills the region, splits it, and reads its blocks into the cache. */
  @Setup(Level.Trial)
  public void fill() throws IOException {
    SampleMemory sample = new SampleMemory(ROWS);
    opened =
        MemoryRegion.open(
            TableSchema.of(
                TableName.parse("t"), FamilySchema.of("f", Map.of("BLOOMFILTER", "ROW"))));
    rows = new byte[ROWS][];
    for (int from = 0; from < ROWS; from += ROWS_OF_BATCH) {
      List<Mutation> batch = new ArrayList<>();
      for (int i = from; i < from + ROWS_OF_BATCH; i++) {
        rows[i] = sample.get(i).row();
        batch.add(put(sample.get(i)));
      }
      WriteRequest request = new WriteRequest.Batch(batch);
      for (MutationOutcome outcome : opened.region().write(request, WriteBudget.UNLIMITED).join()) {
        outcome.cells(); // or why it is not done
      }
    }
    opened.region().flush();
    regions = List.of(opened.region());
    getMany();
    if (shape != Shape.WHOLE) {
      regions = opened.split(MIDDLE);
    }
    if (shape == Shape.COMPACTED) {
      getMany();
    }
    if (shape == Shape.DAUGHTERS || shape == Shape.COMPACTED) {
      for (Region region : regions) {
        region.compact(true);
      }
    }
    getMany();
  }

  /** Closes the regions. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    opened.close();
  }

  /** Gets one row by chance. */
  @Benchmark
  public int get() throws IOException {
    next = next + 1 < ROWS ? next + 1 : 0;
    return get(ReadBudget.rowAtOnce(ROW_BYTES_MAX, Long.MAX_VALUE));
  }

  private void getMany() throws IOException {
    for (int i = 0; i < GETS_BEFORE; i++) {
      next = i % ROWS;
      get(ReadBudget.WHOLE_ROWS);
    }
  }

  private int get(ReadBudget budget) throws IOException {
    byte[] row = rows[next];
    Region region =
        regions.get(regions.size() == 1 || Arrays.compareUnsigned(row, MIDDLE) < 0 ? 0 : 1);
    buffer.clear();
    try (RegionRead read = region.read(ScanRequest.row(row).build(), budget)) {
      read.next(buffer, budget);
    }
    if (buffer.size() != 1) {
      throw new IllegalStateException("The row has " + buffer.size() + " cells, not 1");
    }
    return buffer.byteSize();
  }

  private static Mutation put(Cell cell) {
    CellBuffer cells = new CellBuffer(cell.serializedLength(true), 1);
    cells.add(cell);
    return Mutation.put(cell.row(), cells);
  }
}
