package dev.cairn.bench.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * RocksDB, used as its Java API is fastest: direct buffers, an iterator for each thread that is
 * refreshed instead of made anew, batches that are used again.
 *
 * <p>Rows of one column are entries by the row alone. In rows of several columns each cell is an
 * entry whose key is the row followed by the qualifier, as layers on RocksDB store wide rows; a row
 * is then read by an iterator within its prefix, and the Bloom filters hold the prefixes.
 */
final class RocksRows implements RowStore {
  private static final int BACKGROUND_JOBS = 2;

  private final SampleRows sample;
  private final Deque<RocksObject> owned = new ArrayDeque<>();
  private final WriteOptions writing;
  private final ReadOptions reading;
  private final ReadOptions readingOneRow;
  private final RocksDB db;

  RocksRows(Setting setting, SampleRows sample, Path folder) throws IOException {
    RocksDB.loadLibrary();
    this.sample = sample;
    Cache cache = own(new HyperClockCache(setting.cacheBytes(), 0, -1, false));
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockSize(setting.blockBytes())
            .setBlockCache(cache)
            .setFilterPolicy(own(new BloomFilter(Setting.BLOOM_BITS)))
            .setWholeKeyFiltering(sample.columns() == 1);
    Options options =
        own(new Options())
            .setCreateIfMissing(true)
            .setTableFormatConfig(table)
            .setWriteBufferSize(setting.memTableBytes())
            .setMaxWriteBufferNumber(Setting.MEM_TABLES)
            .setMaxBackgroundJobs(BACKGROUND_JOBS)
            .setCompressionType(
                setting.snappy()
                    ? CompressionType.SNAPPY_COMPRESSION
                    : CompressionType.NO_COMPRESSION);
    if (sample.columns() > 1) {
      options.useFixedLengthPrefixExtractor(SampleRows.ROW_BYTES);
    }
    this.writing = own(new WriteOptions()).setSync(setting.synced());
    this.reading = own(new ReadOptions()).setTotalOrderSeek(true);
    this.readingOneRow = own(new ReadOptions()).setPrefixSameAsStart(true);
    try {
      this.db = RocksDB.open(options, folder.toString());
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public Session session() {
    return new RocksSession();
  }

  @Override
  public void settle() throws IOException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
      while (isBusy()) {
        Thread.onSpinWait();
        java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
      }
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  private boolean isBusy() throws RocksDBException {
    return db.getLongProperty("rocksdb.compaction-pending") > 0
        || db.getLongProperty("rocksdb.num-running-compactions") > 0
        || db.getLongProperty("rocksdb.mem-table-flush-pending") > 0
        || db.getLongProperty("rocksdb.num-running-flushes") > 0;
  }

  @Override
  public void compact() throws IOException {
    try (CompactRangeOptions all =
        new CompactRangeOptions()
            .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized)) {
      db.compactRange(db.getDefaultColumnFamily(), null, null, all);
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public long fileBytes() throws IOException {
    try {
      return db.getLongProperty("rocksdb.total-sst-files-size");
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  @Override
  public void close() {
    db.close();
    while (!owned.isEmpty()) {
      owned.pop().close();
    }
  }

  private <T extends RocksObject> T own(T object) {
    owned.push(object);
    return object;
  }

  private final class RocksSession implements Session {
    private final byte[] row = new byte[SampleRows.ROW_BYTES];
    private final ByteBuffer key =
        ByteBuffer.allocateDirect(SampleRows.ROW_BYTES + SampleRows.QUALIFIER_BYTES);
    private final ByteBuffer value = ByteBuffer.allocateDirect(sample.valueBytes());
    private final WriteBatch batch = new WriteBatch();
    private Optional<RocksIterator> all = Optional.empty();
    private Optional<RocksIterator> oneRow = Optional.empty();

    @Override
    public void put(int number) throws IOException {
      SampleRows.writeRow(number, row);
      try {
        if (sample.columns() == 1) {
          fill(number, 0);
          db.put(writing, key, value);
        } else {
          batch.clear();
          addTo(number);
          db.write(writing, batch);
        }
      } catch (RocksDBException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void putAll(int[] rows, int count) throws IOException {
      try {
        batch.clear();
        for (int i = 0; i < count; i++) {
          SampleRows.writeRow(rows[i], row);
          addTo(rows[i]);
        }
        db.write(writing, batch);
      } catch (RocksDBException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void get(int number, Taker taker) throws IOException {
      SampleRows.writeRow(number, row);
      key.clear().put(row).flip();
      try {
        if (sample.columns() == 1) {
          int length = db.get(reading, key, value.clear());
          if (length != RocksDB.NOT_FOUND) {
            taker.take(row, 0, row.length);
            taker.take(value);
            taker.cellTaken();
          }
          return;
        }
        RocksIterator entries = oneRow();
        for (entries.seek(key); entries.isValid(); entries.next()) {
          take(entries, taker);
        }
        entries.status();
      } catch (RocksDBException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void scan(int fromRow, int rows, Taker taker) throws IOException {
      SampleRows.writeRow(fromRow, row);
      key.clear().put(row).flip();
      try {
        RocksIterator entries = all();
        int left = rows * sample.columns();
        for (entries.seek(key); left > 0 && entries.isValid(); entries.next()) {
          take(entries, taker);
          left--;
        }
        entries.status();
      } catch (RocksDBException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void scanAll(Taker taker) throws IOException {
      try {
        RocksIterator entries = all();
        for (entries.seekToFirst(); entries.isValid(); entries.next()) {
          take(entries, taker);
        }
        entries.status();
      } catch (RocksDBException e) {
        throw new IOException(e);
      }
    }

    @Override
    public void close() {
      all.ifPresent(RocksIterator::close);
      oneRow.ifPresent(RocksIterator::close);
      batch.close();
    }

    private void addTo(int number) throws RocksDBException {
      for (int column = 0; column < sample.columns(); column++) {
        fill(number, column);
        batch.put(key, value);
      }
    }

    private void fill(int number, int column) {
      key.clear().put(row);
      if (sample.columns() > 1) {
        key.put(sample.qualifier(column));
      }
      key.flip();
      value
          .clear()
          .put(sample.pool(), sample.valueOffset(number, column), sample.valueBytes())
          .flip();
    }

    private void take(RocksIterator entries, Taker taker) {
      entries.key(key.clear());
      taker.take(key);
      entries.value(value.clear());
      taker.take(value);
      taker.cellTaken();
    }

    private RocksIterator all() throws RocksDBException {
      if (all.isPresent()) {
        all.get().refresh();
      } else {
        all = Optional.of(db.newIterator(reading));
      }
      return all.get();
    }

    private RocksIterator oneRow() throws RocksDBException {
      if (oneRow.isPresent()) {
        oneRow.get().refresh();
      } else {
        oneRow = Optional.of(db.newIterator(readingOneRow));
      }
      return oneRow.get();
    }
  }
}
