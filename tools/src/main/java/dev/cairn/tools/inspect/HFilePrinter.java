package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cursor.CellCursor;
import dev.cairn.engine.hfile.inspect.HFileInspector;
import dev.cairn.engine.layout.StoreFileName;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * Prints a store file as Apache's {@code HFilePrettyPrinter} does. The lines about that tool's own
 * memory and cache have the form, not the figures. One thread.
 */
public final class HFilePrinter {
  /**
   * The number of cells between two checks whether the output is still read; a check costs a flush.
   */
  private static final int CHECK_INTERVAL = 16 * 1024;

  private final HFileView view;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Optional<MobIntegrity> mob;
  private long cellCount;

  /**
   * Creates a printer.
   *
   * @param err where doubts about the file go
   * @param mob looks whether the MOB files are there to which cells refer
   */
  public HFilePrinter(
      HFileView view, PrintWriter out, PrintWriter err, Optional<MobIntegrity> mob) {
    this.view = view;
    this.out = out;
    this.err = err;
    this.mob = mob;
  }

  /**
   * Prints all that is wanted of one file.
   *
   * @throws IOException that names the file if it is no store file, or is damaged
   */
  public void print(FileLocation location) throws IOException {
    if (location.isFolder()) {
      throw new IOException(location.name() + " is a folder, where a store file was expected");
    }
    try {
      printFile(location);
    } catch (IOException e) {
      throw location.failure(e, explanation(location.path()));
    }
  }

  /** Explains, by its name, what a file is if it is not a store file. */
  private static String explanation(String name) {
    StoreFileName parsed = StoreFileName.parse(name);
    if (parsed instanceof StoreFileName.Half half) {
      return " (by its name it is a reference to "
          + half.target().text()
          + " of region "
          + half.region()
          + ")";
    }
    return parsed instanceof StoreFileName.Link link
        ? " (by its name it is a link to "
            + link.hfile()
            + " of region "
            + link.region()
            + " of table "
            + link.table()
            + ")"
        : "";
  }

  private void printFile(FileLocation location) throws IOException {
    if (view.verbose()) {
      out.println("Scanning -> " + location.name());
    }
    try (HFileInspector file = HFileInspector.open(location.storage(), location.path())) {
      Optional<RowStatistics> statistics =
          view.statistics() ? Optional.of(new RowStatistics()) : Optional.empty();
      if (view.scans() || mob.isPresent()) {
        scan(file, location, statistics);
      }
      if (view.meta()) {
        new HFileMetaPrinter(file, location.name(), out).print();
      }
      if (view.blockIndex()) {
        printIndex(file);
      }
      if (view.blockHeaders()) {
        out.println("Block Headers:");
        file.blocks(this::print);
      }
      statistics.ifPresent(figures -> figures.print(out, view.ranges()));
    }
  }

  /** Prints the sum over all files. */
  public void end() {
    if (view.verbose() || view.keys() || view.values()) {
      out.println("Scanned kv count -> " + cellCount);
    }
  }

  private void scan(HFileInspector file, FileLocation location, Optional<RowStatistics> statistics)
      throws IOException {
    Doubts doubts = new Doubts(file, location.name());
    try (CellCursor cursor = file.reader().cursor(false)) {
      Cell start = Cell.firstOnRow(view.row().orElse(Bytes.EMPTY));
      for (boolean more = cursor.seek(start); more; more = cursor.next()) {
        Cell cell = cursor.cell();
        if (view.row().isPresent() && !Arrays.equals(cell.row(), view.row().get())) {
          return;
        }
        statistics.ifPresent(figures -> figures.add(cell));
        if (view.keys() || view.values()) {
          print(cell);
        }
        doubts.look(cell);
        if (mob.isPresent()) {
          mob.get().look(cell);
        }
        if (++cellCount % CHECK_INTERVAL == 0 && out.checkError()) {
          return;
        }
      }
    }
  }

  private void print(Cell cell) {
    out.print("K: " + cell);
    if (view.values()) {
      out.print(
          " V: " + Bytes.toStringBinary(cell.bytes(), cell.valueOffset(), cell.valueLength()));
      int[] number = {0};
      CellTexts.forEachTag(
          cell,
          (type, offset, length) ->
              out.print(
                  " T["
                      + number[0]++
                      + "]: [Tag type : "
                      + type
                      + ", value : "
                      + Bytes.toStringBinary(cell.bytes(), offset, length)
                      + "]"));
    }
    out.println();
  }

  private void printIndex(HFileInspector file) {
    out.println("Block Index:");
    var entries = file.rootIndex();
    out.println("size=" + entries.size());
    for (HFileInspector.IndexEntry entry : entries) {
      out.println("key=" + HFileMetaPrinter.indexKey(entry.key()));
      out.println("  offset=" + entry.offset() + ", dataSize=" + entry.size());
    }
    out.println();
  }

  private void print(HFileInspector.BlockFields block) {
    int size = block.headerSize() + block.onDiskSizeWithoutHeader();
    out.println(
        "[blockType="
            + block.type()
            + ", fileOffset="
            + block.offset()
            + ", headerSize="
            + block.headerSize()
            + ", onDiskSizeWithoutHeader="
            + block.onDiskSizeWithoutHeader()
            + ", uncompressedSizeWithoutHeader="
            + block.uncompressedSize()
            + ", prevBlockOffset="
            + block.previousOffset()
            + ", isUseHBaseChecksum="
            + (block.bytesPerChecksum() > 0)
            + ", checksumType="
            + block.checksumType()
            + ", bytesPerChecksum="
            + block.bytesPerChecksum()
            + ", onDiskDataSizeWithHeader="
            + block.onDiskDataSize()
            + ", getOnDiskSizeWithHeader="
            + size
            + ", totalChecksumBytes="
            + (size - block.onDiskDataSize())
            + ", dataBeginsWith="
            + Bytes.toStringBinary(block.firstBytes())
            + ", nextBlockOnDiskSize="
            + block.nextOnDiskSize()
            + "]");
  }

  /** Looks for cells that are not where they belong. */
  private final class Doubts {
    private final HFileInspector file;
    private final String name;
    private final String family;
    private Optional<Cell> previous = Optional.empty();

    Doubts(HFileInspector file, String name) {
      this.file = file;
      this.name = name;
      Path parent = new Path(name).getParent();
      this.family = parent == null ? "" : parent.getName();
    }

    void look(Cell cell) {
      if (!view.checkRow() && !view.checkFamily()) {
        return;
      }
      if (view.checkRow()
          && previous.isPresent()
          && file.comparator().compareRows(previous.get(), cell) > 0) {
        err.println(
            "WARNING, previous row is greater then current row" + places(previous.get(), cell));
      }
      if (view.checkFamily()) {
        String own = Bytes.toStringBinary(cell.family());
        if (!own.equals(family)) {
          err.println(
              "WARNING, filename does not match kv family,\n\tfilename -> "
                  + name
                  + "\n\tkeyvalue -> "
                  + cell);
        }
        if (previous.isPresent() && !previous.get().sameFamily(cell)) {
          err.println(
              "WARNING, previous kv has different family compared to current key"
                  + places(previous.get(), cell));
        }
      }
      previous = Optional.of(cell.copy()); // the next block is in the same array
    }

    private String places(Cell before, Cell cell) {
      return "\n\tfilename -> " + name + "\n\tprevious -> " + before + "\n\tcurrent  -> " + cell;
    }
  }
}
