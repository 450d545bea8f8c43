package dev.cairn.bench.parts;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.index.TableIndexes;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Puts of three columns of random values into a region, with indexes of some of them. They skip the
 * log, and no flush occurs, so the figures show what the entries in memory cost.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@Warmup(iterations = 10, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(3)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class IndexedPuts {
  private static final int ROWS = 100_000;
  private static final byte[] F = Bytes.utf8("f");
  private static final String[] COLUMNS = {"a", "b", "c"};
  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** The number of indexed columns. */
  @Param({"0", "1", "2"})
  public int indexes;

  private MemoryRegion opened;
  private long next;

  /** Opens an empty region. */
  @Setup(Level.Iteration)
  public void open() throws IOException {
    TableSchema schema = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
    for (int i = 0; i < indexes; i++) {
      schema = schema.with(TableIndexes.PREFIX + COLUMNS[i], "f:" + COLUMNS[i]);
    }
    opened = MemoryRegion.open(schema);
  }

  /** Closes the region and drops its data. */
  @TearDown(Level.Iteration)
  public void close() throws IOException {
    opened.close();
  }

  /** Puts a row. */
  @Benchmark
  public CellBuffer put() throws IOException {
    long number = ++next * MIX;
    byte[] row = Bytes.utf8("user" + (number >>> 1) % ROWS);
    CellBuffer cells = new CellBuffer(256, 3);
    for (String column : COLUMNS) {
      number *= MIX;
      cells.add(
          row,
          F,
          Bytes.utf8(column),
          Cell.LATEST_TIMESTAMP,
          CellType.PUT.code(),
          Bytes.utf8("value" + (number >>> 1)),
          Bytes.EMPTY);
    }
    return opened
        .region()
        .write(
            new Mutation(Kind.PUT, row, cells, Durability.SKIP_WAL, TimeRange.ALL, false),
            WriteBudget.UNLIMITED)
        .outcome()
        .cells(); // or why it is not done
  }
}
