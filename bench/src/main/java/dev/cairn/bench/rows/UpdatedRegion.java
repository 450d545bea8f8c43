package dev.cairn.bench.rows;

import dev.cairn.bench.parts.MemoryRegion;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.Region;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.region.write.WriteBudget;
import dev.cairn.engine.region.write.WriteRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import site.ycsb.Utils;
import site.ycsb.generator.ScrambledZipfianGenerator;

/**
 * A region of one family whose rows of ten columns are all in one file, and which then is updated
 * as YCSB does it: one column of one row at a time, few rows and their columns often and most
 * never. On a disk that is memory.
 */
final class UpdatedRegion implements Closeable {
  private static final byte[] FAMILY = Bytes.utf8("cf");
  private static final int COLUMNS = 10;
  private static final int VALUE_BYTES = 100;
  private static final int BATCH_ROWS = 100;

  private final SplittableRandom random = new SplittableRandom(7);
  private final byte[] value = new byte[VALUE_BYTES];
  private final BitSet updated = new BitSet();
  private final int rows;
  private final MemoryRegion memory;
  private final Region region;
  private long updates;

  /**
   * Fills a region.
   *
   * @param rows how many there are
   * @param share how many of them are updated, in percent
   * @param flushed whether the updates are in a file of their own, else they are in memory
   */
  UpdatedRegion(int rows, int share, boolean flushed) throws IOException {
    this.rows = rows;
    this.memory = MemoryRegion.open(TableSchema.of(TableName.parse("t"), FamilySchema.of("cf")));
    this.region = memory.region();
    load();
    region.flush();
    update(share);
    if (flushed) {
      region.flush();
    }
  }

  private void load() throws IOException {
    List<Mutation> batch = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      CellBuffer cells = new CellBuffer();
      for (int column = 0; column < COLUMNS; column++) {
        add(cells, row, column, 1);
      }
      batch.add(Mutation.put(key(row), cells));
      if (batch.size() == BATCH_ROWS || row == rows - 1) {
        region.write(new WriteRequest.Batch(batch), WriteBudget.UNLIMITED).join();
        batch = new ArrayList<>();
      }
    }
  }

  private void update(int share) throws IOException {
    ScrambledZipfianGenerator chosen = new ScrambledZipfianGenerator(rows);
    while (updated.cardinality() < (long) rows * share / 100) {
      for (int i = 0; i < 100; i++) {
        int row = chosen.nextValue().intValue();
        CellBuffer cells = new CellBuffer();
        add(cells, row, random.nextInt(COLUMNS), 2 + updates);
        region.write(Mutation.put(key(row), cells), WriteBudget.UNLIMITED).join();
        updated.set(row);
        updates++;
      }
    }
  }

  private void add(CellBuffer out, int row, int column, long timestamp) {
    random.nextBytes(value);
    byte[] qualifier = Bytes.utf8("field" + column);
    out.add(key(row), FAMILY, qualifier, timestamp, CellType.PUT.code(), value, Bytes.EMPTY);
  }

  /** Returns a row's key, in the order of YCSB's keys, which is none. */
  byte[] key(int row) {
    return Bytes.utf8("user" + Utils.hash(row));
  }

  Region region() {
    return region;
  }

  int rows() {
    return rows;
  }

  /** Returns how many rows were updated. */
  int updatedRows() {
    return updated.cardinality();
  }

  /** Returns how many cells that has written. */
  long updates() {
    return updates;
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
