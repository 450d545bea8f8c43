package dev.cairn.engine.store.index;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.format.DamageListener;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.hfile.writer.HFileOptions;
import dev.cairn.engine.hfile.writer.HFileWriter;
import dev.cairn.engine.index.IndexEntry;
import dev.cairn.engine.scan.merge.MergingCursor;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.storage.AppendFile;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.time.Clock;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sorted runs of the entries of one column, each in a temporary file. {@value #RUNS_MAX} runs of
 * about the same size become one as soon as there are so many, so entries of any number need few
 * open files, and each is written once for each power of {@value #RUNS_MAX}. Not thread-safe.
 */
final class IndexRuns implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexRuns.class);

  /** The greatest number of runs that are open at the same time. */
  static final int RUNS_MAX = 16;

  /** The bytes of entries after which the writing is paced. */
  private static final int PACED_BYTES = 32 << 10;

  private static final HFileOptions OPTIONS =
      HFileOptions.of(FamilySchema.of("i", Map.of("BLOOMFILTER", "NONE")), CellComparator.USER);

  private final Storage storage;
  private final BlockCache cache;
  private final Clock clock;
  private final IndexCollector.NewFile newFile;
  private final IndexPace pace;

  /** In ascending order of their levels. */
  private final List<Run> runs = new ArrayList<>();

  /**
   * A run.
   *
   * @param level how often its entries were merged
   */
  private record Run(String path, int level) {}

  /** Takes the entries of several sources in one order. */
  @FunctionalInterface
  interface Receiver {
    /** Takes a cursor that stands before the first entry. */
    void take(CellCursor entries) throws IOException;
  }

  IndexRuns(
      Storage storage,
      BlockCache cache,
      Clock clock,
      IndexCollector.NewFile newFile,
      IndexPace pace) {
    this.storage = storage;
    this.cache = cache;
    this.clock = clock;
    this.newFile = newFile;
    this.pace = pace;
  }

  /** Writes the entries of a cursor as a run. */
  void add(CellCursor entries) throws IOException {
    runs.add(0, write(entries, 0));
    int level = 0;
    while (count(level) == RUNS_MAX) {
      merge(RUNS_MAX);
      level++;
    }
  }

  private int count(int level) {
    return (int) runs.stream().filter(run -> run.level() == level).count();
  }

  /**
   * Passes on all entries.
   *
   * @param more entries that are in no run; closed by this method
   */
  void read(CellCursor more, Receiver receiver) throws IOException {
    while (runs.size() > RUNS_MAX) {
      merge(Math.min(RUNS_MAX, runs.size() - RUNS_MAX + 1));
    }
    read(runs, Optional.of(more), receiver);
  }

  /** Makes one run of the first ones, which are the smallest. */
  private void merge(int count) throws IOException {
    List<Run> inputs = List.copyOf(runs.subList(0, count));
    int level = inputs.get(count - 1).level() + 1;
    List<Run> merged = new ArrayList<>();
    read(inputs, Optional.empty(), entries -> merged.add(write(entries, level)));
    runs.subList(0, count).clear();
    int at = 0;
    while (at < runs.size() && runs.get(at).level() < level) {
      at++;
    }
    runs.addAll(at, merged);
    inputs.forEach(this::delete);
  }

  private void read(List<Run> inputs, Optional<CellCursor> more, Receiver receiver)
      throws IOException {
    List<CellCursor> sources = new ArrayList<>();
    more.ifPresent(sources::add);
    open(inputs, sources, receiver);
  }

  /** Passes on the entries of some cursors and of some runs, which are closed whatever fails. */
  private void open(List<Run> inputs, List<CellCursor> sources, Receiver receiver)
      throws IOException {
    if (inputs.isEmpty()) {
      try (CellCursor all = MergingCursor.of(CellComparator.USER, sources)) {
        receiver.take(all);
      }
      return;
    }
    try (HFileReader reader =
        HFileReader.open(
            storage, inputs.get(0).path(), cache, CellComparator.USER, DamageListener.NONE)) {
      sources.add(reader.cursor(false));
      open(inputs.subList(1, inputs.size()), sources, receiver);
    }
  }

  /** Writes the entries of a cursor to a new file, each once. */
  private Run write(CellCursor entries, int level) throws IOException {
    AppendFile file = newFile.create();
    try (HFileWriter run =
        new HFileWriter(storage, file, OPTIONS, clock, Optional.empty(), Optional.empty())) {
      CellBuffer last = new CellBuffer();
      Cell lastEntry = new Cell();
      int unpaced = 0;
      boolean on = entries.seek(IndexEntry.firstOf(new byte[0]));
      while (on) {
        Cell entry = entries.cell();
        if (last.isEmpty() || CellComparator.USER.compare(last.get(0, lastEntry, 0), entry) != 0) {
          run.append(entry);
          last.clear();
          last.add(entry);
          unpaced += entry.serializedLength(false);
          if (unpaced >= PACED_BYTES) {
            pace.wrote(unpaced);
            unpaced = 0;
          }
        }
        on = entries.next();
      }
      pace.wrote(unpaced);
      run.finish();
    }
    return new Run(file.path(), level);
  }

  private void delete(Run run) {
    try {
      storage.discard(run.path());
    } catch (IOException e) {
      LOG.warn("Could not delete the temporary file {}: {}", run.path(), e.toString());
    }
  }

  /** Deletes the temporary files. */
  @Override
  public void close() {
    runs.forEach(this::delete);
    runs.clear();
  }
}
