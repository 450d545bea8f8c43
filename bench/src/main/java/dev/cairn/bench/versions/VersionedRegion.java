package dev.cairn.bench.versions;

import dev.cairn.bench.parts.MemoryRegion;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A region of one family with cells of a chosen shape, on a disk that is memory. */
@State(Scope.Benchmark)
public class VersionedRegion {
  private static final byte[] FAMILY = Bytes.utf8("f");
  private static final int COLUMNS = 10;
  private static final int VALUE_BYTES = 60;

  /** True if writes are ordered by their sequence. */
  @Param({"false", "true"})
  public boolean ordered;

  /**
   * The location of the cells: {@code memory}, one {@code file}, or one file for each time of
   * writing.
   */
  @Param({"memory", "file", "files"})
  public String place;

  /**
   * The contents: every column {@code once}; each in several {@code versions}, of which the newest
   * counts; the same with all {@code kept}; or with some columns and rows {@code deleted} between.
   */
  @Param({"once", "versions", "kept", "deleted"})
  public String shape;

  /** The number of rows. */
  @Param("2000")
  public int rows;

  /** The number of writes to each column, unless it is once. */
  @Param("4")
  public int writes;

  private MemoryRegion memory;
  private Region region;

  /** Fills the region. */
  @Setup(Level.Trial)
  public void fill() throws IOException {
    TableSchema schema =
        TableSchema.of(
            TableName.parse("t"),
            FamilySchema.of(
                "f",
                Map.of(
                    "VERSIONS",
                    shape.equals("kept") ? Integer.toString(writes) : "1",
                    "NEW_VERSION_BEHAVIOR",
                    Boolean.toString(ordered))));
    memory = MemoryRegion.open(schema);
    region = memory.region();
    int times = shape.equals("once") ? 1 : writes;
    for (int time = 1; time <= times; time++) {
      if (shape.equals("deleted") && time > 1) {
        delete(time);
      }
      write(time);
      if (place.equals("files") || place.equals("file") && time == times) {
        region.flush();
      }
    }
  }

  /** Closes the region. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    memory.close();
  }

  Region region() {
    return region;
  }

  static byte[] row(int number) {
    return Bytes.utf8("user%08d".formatted(number));
  }

  /** Returns the number of versions that a reader of all existing versions asks for. */
  int versions() {
    return shape.equals("kept") ? writes : 1;
  }

  private void write(int time) throws IOException {
    Random random = new Random(time);
    byte[] value = new byte[VALUE_BYTES];
    boolean some = shape.equals("deleted") && time > 1;
    for (int row = 0; row < rows; row++) {
      CellBuffer cells = new CellBuffer();
      for (int column = 0; column < COLUMNS; column++) {
        if (some && random.nextInt(10) == 0) {
          continue; // what was deleted of it stays so
        }
        random.nextBytes(value);
        add(cells, row, Bytes.utf8("column" + column), time * 1000L, CellType.PUT, value);
      }
      region.write(Mutation.put(row(row), cells), WriteBudget.UNLIMITED).join();
    }
  }

  /** Deletes one column of every other row, and all of every twentieth. */
  private void delete(int time) throws IOException {
    Random random = new Random(-time);
    for (int row = 0; row < rows; row += 2) {
      CellBuffer cells = new CellBuffer();
      boolean all = row % 20 == 0;
      byte[] qualifier = Bytes.utf8("column" + random.nextInt(COLUMNS));
      add(
          cells,
          row,
          all ? Bytes.EMPTY : qualifier,
          time * 1000L - 1,
          all ? CellType.DELETE_FAMILY : CellType.DELETE_COLUMN,
          Bytes.EMPTY);
      region.write(Mutation.delete(row(row), cells), WriteBudget.UNLIMITED).join();
    }
  }

  private static void add(
      CellBuffer out, int row, byte[] qualifier, long timestamp, CellType type, byte[] value) {
    out.add(row(row), FAMILY, qualifier, timestamp, type.code(), value, Bytes.EMPTY);
  }
}
