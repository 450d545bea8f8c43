package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.format.DamageListener;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.hfile.writer.MetaBlockSource;
import dev.cairn.engine.index.IndexEntry;
import dev.cairn.engine.index.IndexedColumns;
import dev.cairn.engine.memstore.MemStoreSegment;
import dev.cairn.engine.scan.merge.MergingCursor;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorts the index entries of a store file while its cells are written, and then writes them into
 * the file. Entries that take more than some megabytes of memory are sorted in runs, which lie in
 * temporary files. Not thread-safe.
 */
public final class IndexCollector implements Closeable, MetaBlockSource {
  private static final Logger LOG = LoggerFactory.getLogger(IndexCollector.class);

  /** The heap bytes of the entries of all columns that are sorted in memory. */
  static final long MEMORY_BYTES = 16 << 20;

  private static final int SLAB_BYTES = (1 << 20) - 16;

  private static final HFileOptions OPTIONS =
      HFileOptions.of(FamilySchema.of("i", Map.of("BLOOMFILTER", "NONE")), CellComparator.USER);

  private final IndexedColumns columns;
  private final Storage storage;
  private final BlockCache cache;
  private final Clock clock;
  private final NewFile runs;
  private final long memoryBytes;
  private final IndexEntry maker = new IndexEntry();
  private final List<Column> sorted = new ArrayList<>();
  private final List<String> paths = new ArrayList<>();

  /** Creates temporary files. */
  @FunctionalInterface
  public interface NewFile {
    /** Creates a file with a name of its own. */
    AppendFile create() throws IOException;
  }

  /** The entries of a column. */
  private static final class Column {
    private MemStoreSegment inMemory = newSegment();
    private final List<String> runs = new ArrayList<>();
  }

  /**
   * Creates a collector without entries.
   *
   * @param storage the storage of the temporary files
   * @param cache the cache of blocks, which gets none of them
   * @param runs creates the temporary files
   */
  public IndexCollector(
      IndexedColumns columns, Storage storage, BlockCache cache, Clock clock, NewFile runs) {
    this(columns, storage, cache, clock, runs, MEMORY_BYTES);
  }

  IndexCollector(
      IndexedColumns columns,
      Storage storage,
      BlockCache cache,
      Clock clock,
      NewFile runs,
      long memoryBytes) {
    this.columns = columns;
    this.storage = storage;
    this.cache = cache;
    this.clock = clock;
    this.runs = runs;
    this.memoryBytes = memoryBytes;
    for (int i = 0; i < columns.count(); i++) {
      sorted.add(new Column());
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
    column.inMemory.add(maker.of(cell), 0);
    if (sorted.stream().mapToLong(each -> each.inMemory.byteSize()).sum() > memoryBytes) {
      writeRun(
          sorted.stream()
              .max(Comparator.comparingLong(each -> each.inMemory.byteSize()))
              .orElseThrow());
    }
  }

  private void writeRun(Column column) throws IOException {
    AppendFile file = runs.create();
    paths.add(file.path());
    try (HFileWriter run =
        new HFileWriter(storage, file, OPTIONS, clock, Optional.empty(), Optional.empty())) {
      CellCursor entries = column.inMemory.cursor(Long.MAX_VALUE);
      for (boolean on = entries.seek(IndexEntry.firstOf(new byte[0])); on; on = entries.next()) {
        run.append(entries.cell());
      }
      run.finish();
    }
    column.runs.add(file.path());
    column.inMemory = newSegment();
  }

  /** Writes the indexes of all columns, also those without entries. */
  @Override
  public void write(Sink sink) throws IOException {
    for (int i = 0; i < columns.count(); i++) {
      Column column = sorted.get(i);
      List<HFileReader> readers = new ArrayList<>();
      try {
        List<CellCursor> sources = new ArrayList<>();
        sources.add(column.inMemory.cursor(Long.MAX_VALUE));
        for (String run : column.runs) {
          HFileReader reader =
              HFileReader.open(storage, run, cache, CellComparator.USER, DamageListener.NONE);
          readers.add(reader);
          sources.add(reader.cursor(false));
        }
        try (CellCursor all = MergingCursor.of(CellComparator.USER, sources)) {
          new FileIndexWriter(columns.qualifier(i), sink).write(all);
        }
      } finally {
        for (HFileReader reader : readers) {
          reader.close();
        }
      }
    }
  }

  /** Deletes the temporary files. */
  @Override
  public void close() {
    for (String path : paths) {
      try {
        storage.discard(path);
      } catch (IOException e) {
        LOG.warn("Could not delete the temporary file {}: {}", path, e.toString());
      }
    }
    paths.clear();
  }
}
