package dev.cairn.bench.hfile;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.reader.HFileReader;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The steps that reading is made of, each alone, with all blocks in Cairn's cache. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Parts {
  private final Cell key = new Cell();
  private SampleCells sample;
  private HFileReader reader;
  private CellCursor cursor;
  private int[] order;
  private byte[] absent;
  private int next;

  /** Writes and opens a file. */
  @Setup(Level.Trial)
  public void open(StoreFiles files) throws IOException {
    sample = files.sample;
    order = sample.shuffled();
    files.cairn.write(Written.CAIRN, sample);
    reader = files.cairn.open(Written.CAIRN, StoreFiles.cairnCache());
    cursor = reader.cursor(true);
    cursor.seek(Written.START);
    absent = Bytes.utf8("user000000000000-absent");
  }

  /** Closes it. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    cursor.close();
    reader.close();
  }

  /** One step to the next cell. */
  @Benchmark
  public int step() throws IOException {
    if (!cursor.next()) {
      cursor.seek(Written.START);
    }
    return cursor.cell().valueLength();
  }

  /** A seek to the row after the next, nearly always in the same block. */
  @Benchmark
  public int seekNear() throws IOException {
    next = next + 10 < sample.size() ? next + 10 : 0;
    return seek(next);
  }

  /** A seek to any cell, nearly always in another block. */
  @Benchmark
  public int seekFar() throws IOException {
    return seek(order[following()]);
  }

  /** Asks the Bloom filter for a row that is there. */
  @Benchmark
  public boolean bloomPresent() throws IOException {
    Cell cell = sample.get(order[following()]);
    return reader.mayContainRow(cell.bytes(), cell.rowOffset(), cell.rowLength());
  }

  /** Asks the Bloom filter for a row that is not there. */
  @Benchmark
  public boolean bloomAbsent() throws IOException {
    Bytes.putInt(absent, 8, order[following()]);
    return reader.mayContainRow(absent, 0, absent.length);
  }

  private int seek(int i) throws IOException {
    Cell cell = sample.get(i);
    key.set(
        cell.bytes(),
        cell.keyOffset() - Cell.LENGTHS_SIZE,
        cell.serializedLength(true),
        Long.MAX_VALUE);
    cursor.seek(key);
    return cursor.cell().valueLength();
  }

  private int following() {
    next = next + 1 < order.length ? next + 1 : 0;
    return next;
  }
}
