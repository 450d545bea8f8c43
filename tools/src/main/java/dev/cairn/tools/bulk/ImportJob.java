package dev.cairn.tools.bulk;

import dev.cairn.tools.bulk.format.RowFormat;
import dev.cairn.tools.bulk.format.RowFormat.RowReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes the rows of files into a table. Files whose names begin with {@code _} or {@code .} are
 * ignored, as in Hadoop. A later run begins an unfinished file again. Writing a row twice does no
 * harm, because its cells have the same timestamps.
 */
public final class ImportJob {
  private static final String TIMESTAMP = "timestamp";
  private static final String FILE = "file.";
  private static final int ROWS_BETWEEN = 1000;

  private final TableSource table;
  private final LongFunction<RowFormat> formats;
  private final FileSystem files;
  private final Path source;
  private final FileSelection selection;
  private final JournalPlace place;
  private final int threads;
  private final Meter meter;

  /**
   * Creates a job.
   *
   * @param formats returns the format, given the timestamp in milliseconds for cells without one
   * @param source a file or a folder of files
   * @param selection the cells that are written
   */
  public ImportJob(
      TableSource table,
      LongFunction<RowFormat> formats,
      FileSystem files,
      Path source,
      FileSelection selection,
      JournalPlace place,
      int threads,
      Meter meter) {
    this.table = table;
    this.formats = formats;
    this.files = files;
    this.source = source;
    this.selection = selection;
    this.place = place;
    this.threads = threads;
    this.meter = meter;
  }

  /**
   * The result of an import.
   *
   * @param rows the rows with cells that this run has written
   * @param files of this run
   * @param earlier files of earlier runs
   */
  public record Imported(long rows, int files, int earlier) {}

  /** Imports the files that are not imported yet. */
  public Imported run() throws IOException {
    table.require();
    List<FileStatus> all = find();
    String job =
        "import into table "
            + table.name()
            + " from "
            + files.makeQualified(source)
            + ", "
            + formats.apply(0).description()
            + selection.description();
    Journal journal = place.open("import", table.name().getNameAsString(), job);
    if (journal.get(TIMESTAMP).isEmpty()) {
      journal.put(TIMESTAMP, Long.toString(System.currentTimeMillis()));
    }
    RowFormat format = formats.apply(Long.parseLong(journal.get(TIMESTAMP).orElseThrow()));
    List<Workers.Part> parts = new ArrayList<>();
    long bytes = 0;
    long bytesDone = 0;
    for (FileStatus file : all) {
      bytes += file.getLen();
      if (journal.get(key(file)).isPresent()) {
        bytesDone += file.getLen();
      } else {
        parts.add(
            () -> {
              load(format, file);
              journal.put(key(file), "done");
            });
      }
    }
    meter.begin("import", bytes, bytesDone);
    Workers.run(threads, parts);
    journal.delete();
    return new Imported(meter.rows(), parts.size(), all.size() - parts.size());
  }

  /**
   * Identifies a file by its name, length and time, so that a changed file is treated as a new one.
   */
  private static String key(FileStatus file) {
    return FILE
        + Bytes.toStringBinary(Bytes.toBytes(file.getPath().getName()))
        + "."
        + file.getLen()
        + "."
        + file.getModificationTime();
  }

  private List<FileStatus> find() throws IOException {
    if (!files.exists(source)) {
      throw new BulkException(source + " does not exist");
    }
    if (Journal.exists(files, source, ExportJob.JOURNAL)) {
      throw new BulkException(
          source + " is of an export that was stopped; repeat that command first");
    }
    List<FileStatus> found =
        Arrays.stream(files.listStatus(source))
            .filter(file -> isVisible(file.getPath()))
            .sorted(Comparator.comparing(FileStatus::getPath))
            .toList();
    for (FileStatus file : found) {
      if (!file.isFile()) {
        throw new BulkException(
            source + " has the folder " + file.getPath().getName() + "; name a folder of files");
      }
    }
    if (found.isEmpty() && !files.exists(new Path(source, "_SUCCESS"))) {
      throw new BulkException(source + " has no files to import");
    }
    return found;
  }

  private static boolean isVisible(Path file) {
    return !file.getName().startsWith("_") && !file.getName().startsWith(".");
  }

  private void load(RowFormat format, FileStatus file) throws IOException {
    try (Table open = table.connection().getTable(table.name());
        RowReader reader = selection.select(format.open(files, file.getPath()))) {
      MutationBatch batch = new MutationBatch(open);
      long rows = 0; // that have selected cells
      long read = 0;
      long position = 0;
      AtomicLong mutations = new AtomicLong();
      Consumer<Mutation> sink =
          mutation -> {
            mutations.incrementAndGet();
            batch.add(mutation);
          };
      while (reader.next(sink)) {
        if (mutations.getAndSet(0) > 0) {
          rows++;
        }
        if (batch.isFull()) {
          batch.send();
        }
        if (++read % ROWS_BETWEEN == 0) {
          position = advance(rows, position, reader.position());
          rows = 0;
        }
      }
      batch.send();
      advance(rows, position, file.getLen());
    }
  }

  private long advance(long rows, long from, long to) {
    meter.add(rows);
    meter.advance(Math.max(0, to - from));
    return Math.max(from, to);
  }
}
