package dev.cairn.bench.engine;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The upper bound: a sorted map in memory, without log, files or versions. A cell is an entry, its
 * key the row and, in rows of several columns, the qualifier after it.
 */
final class SkipListRows implements RowStore {
  private final SampleRows sample;
  private final ConcurrentSkipListMap<byte[], byte[]> cells =
      new ConcurrentSkipListMap<>(Arrays::compareUnsigned);

  SkipListRows(SampleRows sample) {
    this.sample = sample;
  }

  @Override
  public Session session() {
    return new SkipListSession();
  }

  @Override
  public void settle() {
    // There are no files.
  }

  @Override
  public void compact() {
    // There are no files.
  }

  @Override
  public long fileBytes() {
    return 0;
  }

  @Override
  public void close() {
    cells.clear();
  }

  private final class SkipListSession implements Session {
    private final byte[] row = new byte[SampleRows.ROW_BYTES];

    @Override
    public void put(int number) {
      SampleRows.writeRow(number, row);
      for (int column = 0; column < sample.columns(); column++) {
        int from = sample.valueOffset(number, column);
        cells.put(key(column), Arrays.copyOfRange(sample.pool(), from, from + sample.valueBytes()));
      }
    }

    @Override
    public void putAll(int[] rows, int count) {
      for (int i = 0; i < count; i++) {
        put(rows[i]);
      }
    }

    @Override
    public void get(int number, Taker taker) {
      SampleRows.writeRow(number, row);
      if (sample.columns() == 1) {
        byte[] value = cells.get(row);
        if (value != null) {
          take(row, value, taker);
        }
        return;
      }
      for (Map.Entry<byte[], byte[]> entry : cells.tailMap(row).entrySet()) {
        if (!Arrays.equals(row, 0, row.length, entry.getKey(), 0, row.length)) {
          return;
        }
        take(entry.getKey(), entry.getValue(), taker);
      }
    }

    @Override
    public void scan(int fromRow, int rows, Taker taker) {
      SampleRows.writeRow(fromRow, row);
      int left = rows * sample.columns();
      for (Map.Entry<byte[], byte[]> entry : cells.tailMap(row).entrySet()) {
        if (left-- == 0) {
          return;
        }
        take(entry.getKey(), entry.getValue(), taker);
      }
    }

    @Override
    public void scanAll(Taker taker) {
      cells.forEach((key, value) -> take(key, value, taker));
    }

    @Override
    public void close() {
      // Holds nothing.
    }

    private byte[] key(int column) {
      if (sample.columns() == 1) {
        return row.clone();
      }
      byte[] key = Arrays.copyOf(row, row.length + SampleRows.QUALIFIER_BYTES);
      System.arraycopy(sample.qualifier(column), 0, key, row.length, SampleRows.QUALIFIER_BYTES);
      return key;
    }

    private static void take(byte[] key, byte[] value, Taker taker) {
      taker.take(key, 0, key.length);
      taker.take(value, 0, value.length);
      taker.cellTaken();
    }
  }
}
