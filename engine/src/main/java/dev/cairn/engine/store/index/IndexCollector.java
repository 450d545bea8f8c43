package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.writer.MetaBlockSource;
import dev.cairn.engine.index.IndexEntry;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Sorts the index entries of a store file while its cells are written, and then writes them into
 * the file. Entries that take more than some megabytes of memory are sorted in {@linkplain
 * IndexRuns runs}, which lie in temporary files. Not thread-safe.
 */
public final class IndexCollector implements Closeable, MetaBlockSource {
  /** The heap bytes of the entries of all columns that are sorted in memory. */
  static final long MEMORY_BYTES = 16 << 20;

  private static final int SLAB_BYTES = (1 << 20) - 16;

  private final IndexedColumns columns;
  private final IndexPace pace;
  private final long memoryBytes;
  private final IndexEntry maker = new IndexEntry();
  private final List<Column> sorted = new ArrayList<>();
  private long inMemoryBytes; // of all columns

  /** Creates temporary files. */
  @FunctionalInterface
  public interface NewFile {
    /** Creates a file with a name of its own. */
    AppendFile create() throws IOException;
  }

  /** The entries of a column. */
  private static final class Column {
    private MemStoreSegment inMemory = newSegment();
    private final IndexRuns runs;

    Column(IndexRuns runs) {
      this.runs = runs;
    }

    void writeRun() throws IOException {
      try (CellCursor entries = inMemory.cursor(Long.MAX_VALUE)) {
        runs.add(entries);
      }
      inMemory = newSegment();
    }
  }

  /**
   * Creates a collector without entries.
   *
   * @param storage the storage of the temporary files
   * @param cache the cache of blocks, which gets none of them
   * @param runs creates the temporary files
   * @param pace holds up the writing of entries; if it throws, so do the methods
   */
  public IndexCollector(
      IndexedColumns columns,
      Storage storage,
      BlockCache cache,
      Clock clock,
      NewFile runs,
      IndexPace pace) {
    this(columns, storage, cache, clock, runs, pace, MEMORY_BYTES);
  }

  IndexCollector(
      IndexedColumns columns,
      Storage storage,
      BlockCache cache,
      Clock clock,
      NewFile runs,
      IndexPace pace,
      long memoryBytes) {
    this.columns = columns;
    this.pace = pace;
    this.memoryBytes = memoryBytes;
    for (int i = 0; i < columns.count(); i++) {
      Column column = new Column(new IndexRuns(storage, cache, clock, runs, pace));
      sorted.add(column);
      inMemoryBytes += column.inMemory.byteSize();
    }
  }

  private static MemStoreSegment newSegment() {
    return new MemStoreSegment(CellComparator.USER, SLAB_BYTES);
  }

  /** Takes note of a cell of the file. */
  public void add(Cell cell) throws IOException {
    int i = columns.find(cell);
    if (i < 0 || !IndexEntry.isIndexed(cell)) {
      return;
    }
    Column column = sorted.get(i);
    long before = column.inMemory.byteSize();
    column.inMemory.add(maker.of(cell), 0);
    inMemoryBytes += column.inMemory.byteSize() - before;
    if (inMemoryBytes > memoryBytes) {
      Column largest =
          sorted.stream()
              .max(Comparator.comparingLong(each -> each.inMemory.byteSize()))
              .orElseThrow();
      inMemoryBytes -= largest.inMemory.byteSize();
      largest.writeRun();
      inMemoryBytes += largest.inMemory.byteSize();
    }
  }

  /** Writes the indexes of all columns, also those without entries. */
  @Override
  public void write(Sink sink) throws IOException {
    Sink paced = paced(sink);
    for (int i = 0; i < columns.count(); i++) {
      Column column = sorted.get(i);
      FileIndexWriter writer = new FileIndexWriter(columns.qualifier(i), paced);
      column.runs.read(column.inMemory.cursor(Long.MAX_VALUE), writer::write);
    }
  }

  private Sink paced(Sink sink) {
    return new Sink() {
      @Override
      public void named(String name, byte[] content) throws IOException {
        sink.named(name, content);
        pace.wrote(content.length);
      }

      @Override
      public Place unnamed(byte[] content) throws IOException {
        Place place = sink.unnamed(content);
        pace.wrote(content.length);
        return place;
      }
    };
  }

  /** Deletes the temporary files. */
  @Override
  public void close() {
    sorted.forEach(column -> column.runs.close());
  }
}
