package dev.cairn.bench.background;

import com.sun.management.ThreadMXBean;
import dev.cairn.bench.folder.Folders;
import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.event.EngineListener;
import dev.cairn.engine.hfile.cache.BlockCache;
import dev.cairn.engine.hfile.reader.HFileReader;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.storage.LocalStorage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.store.Store;
import dev.cairn.engine.store.StoreContext;
import dev.cairn.engine.store.StoreFile;
import dev.cairn.engine.store.StoreOpening;
import dev.cairn.engine.store.StoreSettings;
import dev.cairn.engine.time.Clock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Flushes a store three times, compacts it, reads from its file, and opens it when it is large, and
 * prints the processor time and the allocated bytes of the thread that does so: they hardly depend
 * on what else the machine does.
 *
 * <p>Arguments: the number of rounds, the first of which are warm-up; the rows of a flush, of ten
 * cells with values of 100 bytes each; the folder to work in. Rows come in the order of YCSB's
 * keys, which is none.
 */
public final class BackgroundFigures {
  private static final int FLUSHES = 3;
  private static final int COLUMNS = 10;
  private static final int READS = 10_000;
  private static final int FILES = 10;
  private static final RegionInfo REGION =
      new RegionInfo(new TableName("default", "t"), Bytes.EMPTY, Bytes.EMPTY, 1);
  private static final RegionDirectory PLACE = RegionDirectory.of("data", REGION);
  private static final byte[] FAMILY = Bytes.utf8("cf");

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final SplittableRandom random = new SplittableRandom(1);
  private final AtomicLong names = new AtomicLong();
  private final Path folder;
  private final int rows;
  private final StoreContext context;

  private BackgroundFigures(Path folder, int rows) throws IOException {
    this.folder = folder;
    this.rows = rows;
    this.context =
        new StoreContext(
            new LocalStorage(folder),
            new BlockCache(4 << 20, Runnable::run), // indexes and Bloom filters, about
            Clock.SYSTEM,
            () -> "%032x".formatted(names.incrementAndGet()),
            EngineListener.NONE,
            StoreSettings.DEFAULTS);
  }

  private interface Work {
    long run() throws IOException;
  }

  /** Measures. */
  public static void main(String[] arguments) throws IOException {
    int rounds = Integer.parseInt(arguments[0]);
    int rows = Integer.parseInt(arguments[1]);
    for (int round = 1; round <= rounds; round++) {
      System.out.printf("round %d of %d%n", round, rounds);
      Path folder = Files.createTempDirectory(Path.of(arguments[2]), "background");
      try {
        new BackgroundFigures(folder, rows).run();
      } finally {
        Folders.delete(folder);
      }
    }
  }

  private void run() throws IOException {
    try (Store store = open()) {
      for (int flush = 0; flush < FLUSHES; flush++) {
        fill(store, flush);
        store.freeze();
        measure("flush, a cell", () -> flushed(store));
      }
      measure("compaction of three files, a cell", () -> compacted(store));
      HFileReader file = store.view().files().get(0).reader();
      measure("pass over a file, not cached, a cell", () -> passed(file));
      measure("row read, not cached", () -> read(file));
    }
    enlarge();
    measure("opening of a store, all", this::opened);
  }

  private void measure(String what, Work work) throws IOException {
    long cpu = threads.getCurrentThreadCpuTime();
    long bytes = threads.getCurrentThreadAllocatedBytes();
    double count = work.run();
    System.out.printf(
        "%-40s %12.2f us %12.0f bytes allocated%n",
        what,
        (threads.getCurrentThreadCpuTime() - cpu) / 1e3 / count,
        (threads.getCurrentThreadAllocatedBytes() - bytes) / count);
  }

  private Store open() throws IOException {
    return StoreOpening.open(REGION, FamilySchema.of(Bytes.utf8(FAMILY)), PLACE, context);
  }

  private void fill(Store store, int flush) {
    byte[] value = new byte[100];
    for (int i = 0; i < rows; i++) {
      long number = (long) flush * rows + i + 1;
      byte[] row = row(number);
      for (int column = 0; column < COLUMNS; column++) {
        random.nextBytes(value);
        byte[] qualifier = Bytes.utf8("field" + column);
        store.add(Cell.put(row, FAMILY, qualifier, number, value), number, 1);
      }
    }
  }

  /** Returns a row as YCSB names it: by the FNV hash of its number. */
  private static byte[] row(long number) {
    long hash = 0xCBF29CE484222325L;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      hash = (hash ^ (number >>> shift & 0xFF)) * 1099511628211L;
    }
    return Bytes.utf8("user" + Math.abs(hash));
  }

  private long flushed(Store store) throws IOException {
    store.flush(Long.MAX_VALUE - 1, Long.MAX_VALUE - 1);
    return (long) rows * COLUMNS;
  }

  private long compacted(Store store) throws IOException {
    store.compact(true, Optional.empty(), Long.MAX_VALUE - 1);
    return (long) FLUSHES * rows * COLUMNS;
  }

  private static long passed(HFileReader file) throws IOException {
    long cells = 0;
    try (CellCursor cursor = file.cursor(false)) {
      boolean on = cursor.seek(Cell.firstOnRow(Bytes.EMPTY));
      while (on) {
        cells++;
        on = cursor.next();
      }
    }
    return cells;
  }

  private long read(HFileReader file) throws IOException {
    for (int i = 0; i < READS; i++) {
      try (CellCursor cursor = file.cursor(false)) {
        boolean on = cursor.seek(Cell.firstOnRow(row(1 + random.nextInt(FLUSHES * rows))));
        for (int column = 1; on && column < COLUMNS; column++) {
          on = cursor.next();
        }
      }
    }
    return READS;
  }

  /** Makes the store ten times as large, with files that are there already. */
  private void enlarge() throws IOException {
    Path home = folder.resolve(PLACE.family(Bytes.utf8(FAMILY)));
    List<Path> files;
    try (Stream<Path> all = Files.list(home)) {
      files = all.toList();
    }
    for (int i = 1; i < FILES; i++) {
      Files.createLink(home.resolve(context.fileNames().get()), files.get(0));
    }
  }

  private long opened() throws IOException {
    long begun = System.nanoTime();
    try (Store store = open()) {
      System.out.printf(
          "%d files of %d MB in all opened after %.1f ms%n",
          store.view().files().size(),
          store.view().files().stream().mapToLong(StoreFile::length).sum() >> 20,
          (System.nanoTime() - begun) / 1e6);
    }
    return 1;
  }
}
