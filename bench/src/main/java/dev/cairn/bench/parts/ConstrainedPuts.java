package dev.cairn.bench.parts;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.constraint.ColumnRules;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.Mutation.Durability;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.List;
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
 * Puts of three columns into a region, with and without constraints of these columns. They skip the
 * log, whose cost is the same for all.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
// Short: the region is not flushed, and takes no more writes when its memory is full.
@Warmup(iterations = 10, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(3)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ConstrainedPuts {
  private static final int ROWS = 100_000;
  private static final byte[] F = Bytes.utf8("f");
  private static final byte[] NAME = Bytes.utf8("Zo\u00eb of the nine isles");

  /** The constraints of the table. */
  public enum Rules {
    /** None. */
    NONE(),
    /** A range, a length and a pattern, each of one column. */
    THREE(
        "age=type long; range 0..150",
        "name=type utf8; length 1..64",
        "code=pattern '[A-Z]{2}-[0-9]{1,6}'"),
    /** The same, and all columns are not null. */
    NOT_NULL(
        "age=type long; range 0..150; not null",
        "name=type utf8; length 1..64; not null",
        "code=pattern '[A-Z]{2}-[0-9]{1,6}'; not null");

    private final List<String> columns;

    Rules(String... columns) {
      this.columns = List.of(columns);
    }
  }

  /** The constraints of the table. */
  @Param public Rules rules;

  private MemoryRegion opened;
  private int next;

  /** Opens an empty region. */
  @Setup(Level.Iteration)
  public void open() throws IOException {
    TableSchema schema = TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));
    for (String column : rules.columns) {
      int end = column.indexOf('=');
      schema =
          schema.with(
              ColumnRules.PREFIX + "f:" + column.substring(0, end), column.substring(end + 1));
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
    next = next + 1 < ROWS ? next + 1 : 0;
    byte[] row = Bytes.utf8("user" + next);
    CellBuffer cells = new CellBuffer(256, 3);
    add(cells, row, "age", Bytes.ofLong(next % 100));
    add(cells, row, "code", Bytes.utf8("AB-" + next));
    add(cells, row, "name", NAME);
    return opened
        .region()
        .write(
            new Mutation(Kind.PUT, row, cells, Durability.SKIP_WAL, TimeRange.ALL, false),
            WriteBudget.UNLIMITED)
        .outcome()
        .cells(); // or why it is not done
  }

  private static void add(CellBuffer cells, byte[] row, String qualifier, byte[] value) {
    cells.add(
        row,
        F,
        Bytes.utf8(qualifier),
        Cell.LATEST_TIMESTAMP,
        CellType.PUT.code(),
        value,
        Bytes.EMPTY);
  }
}
