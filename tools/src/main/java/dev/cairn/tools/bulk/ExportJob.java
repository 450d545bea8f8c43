package dev.cairn.tools.bulk;

import dev.cairn.tools.bulk.durable.DurableFiles;
import dev.cairn.tools.bulk.format.RowFormat;
import dev.cairn.tools.bulk.format.RowFormat.RowWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes the rows of a table into files of a folder, one or more for each region. A file has a
 * hidden name until it is whole. {@code _SUCCESS} marks a folder that has all of them, as after
 * HBase's {@code Export}. Each file is synced before the journal names it.
 */
public final class ExportJob {
  private static final String SUCCESS = "_SUCCESS";

  /** The name of the journal in the folder. */
  static final String JOURNAL = "_progress";

  private final TableSource table;
  private final Selection selection;
  private final RowFormat format;
  private final FileSystem files;
  private final DurableFiles durable;
  private final Path folder;
  private final long fileBytes;
  private final int threads;
  private final Meter meter;

  /**
   * Creates a job.
   *
   * @param folder the folder of the files: new, empty, or left by a stopped run of the same export
   * @param fileBytes a file ends after the row that brings its cells to this many bytes
   */
  public ExportJob(
      TableSource table,
      Selection selection,
      RowFormat format,
      FileSystem files,
      Path folder,
      long fileBytes,
      int threads,
      Meter meter) {
    this.table = table;
    this.selection = selection;
    this.format = format;
    this.files = files;
    this.durable = new DurableFiles(files);
    this.folder = folder;
    this.fileBytes = fileBytes;
    this.threads = threads;
    this.meter = meter;
  }

  /**
   * The result of an export.
   *
   * @param rows of all runs
   * @param files of all runs
   * @param resumed whether an earlier run was stopped
   */
  public record Exported(long rows, int files, boolean resumed) {}

  /** Exports the rows that are not exported yet. */
  public Exported run() throws IOException {
    table.require();
    prepare();
    String job =
        "export of table "
            + table.name()
            + ", "
            + selection.description()
            + ", as "
            + format.description();
    Journal journal = Journal.open(files, folder, JOURNAL, job);
    RangeJournal ranges = RangeJournal.of(journal, table, selection.rows());
    List<Integer> open = ranges.open();
    meter.begin(
        "export",
        ranges.ranges().size() * RangeProgress.UNITS,
        (ranges.ranges().size() - open.size()) * RangeProgress.UNITS);
    boolean resumed = ranges.total().files() > 0;
    List<Workers.Part> parts = new ArrayList<>();
    for (int range : open) {
      parts.add(() -> export(ranges, range));
    }
    Workers.run(threads, parts);
    durable.create(new Path(folder, SUCCESS)).close();
    RangeState total = ranges.total();
    ranges.delete();
    return new Exported(total.rows(), total.files(), resumed);
  }

  private void prepare() throws IOException {
    boolean isNew = !files.exists(folder);
    if (!isNew && !files.getFileStatus(folder).isDirectory()) {
      throw new BulkException(folder + " is a file; name a folder");
    }
    durable.createDirectories(folder);
    if (isNew || Journal.exists(files, folder, JOURNAL)) {
      return; // An earlier run may have ended just before it deleted its journal.
    }
    if (files.exists(new Path(folder, SUCCESS))) {
      throw new BulkException(folder + " holds a finished export; name another folder");
    }
    for (FileStatus file : files.listStatus(folder)) {
      // A run that was killed while it began its journal has made no other file.
      if (!Journal.isUnfinished(JOURNAL, file.getPath())) {
        throw new BulkException(folder + " is not empty; name a new folder");
      }
    }
  }

  private void export(RangeJournal ranges, int number) throws IOException {
    RangeState state = ranges.state(number);
    RowRange range = ranges.ranges().get(number).from(state.next().orElseThrow());
    try (Table open = table.connection().getTable(table.name());
        RangeScan scan = new RangeScan(open, selection.scan(range), range, meter)) {
      Optional<Result> row = scan.next();
      while (row.isPresent()) {
        String name = name(number, state.files());
        Path hidden = new Path(folder, "_" + name + ".new");
        long rows = 0;
        byte[] last = row.get().getRow();
        try (RowWriter writer = format.create(files, hidden)) {
          for (long bytes = 0; row.isPresent() && bytes < fileBytes; row = scan.next()) {
            writer.write(row.get());
            bytes += Result.getTotalSizeOfCells(row.get());
            last = row.get().getRow();
            rows++;
          }
        }
        // Replaces the file of an earlier run that ended after this step and before its journal
        // entry.
        format.publish(files, hidden, new Path(folder, name));
        state =
            new RangeState(
                state.files() + 1, state.rows() + rows, Optional.of(RowRange.after(last)));
        if (row.isPresent()) {
          ranges.put(number, state);
        }
      }
    }
    ranges.put(number, new RangeState(state.files(), state.rows(), Optional.empty()));
  }

  private String name(int range, int file) {
    String name = String.format(Locale.ROOT, "part-m-%05d", range);
    return (file == 0 ? name : name + String.format(Locale.ROOT, "-%05d", file))
        + format.extension();
  }
}
