package dev.cairn.tools.inspect;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.wal.file.WalEntry;
import dev.cairn.engine.wal.file.WalReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Date;

/**
 * Prints a log file as Apache's {@code WALPrettyPrinter} does. The sizes are those that HBase's
 * objects for the same cells take in a 64-bit JVM.
 */
public final class WalPrinter {
  /** The classes whose files HBase's reader takes, which its printer names above every file. */
  private static final String WRITER_CLASSES =
      "ProtobufLogWriter AsyncProtobufLogWriter SecureProtobufLogWriter"
          + " SecureAsyncProtobufLogWriter";

  /**
   * The number of entries between two checks whether the output is still read; a check costs a
   * flush.
   */
  private static final int CHECK_INTERVAL = 1024;

  private final WalFilter filter;
  private final boolean values;
  private final boolean rowsOnly;
  private final PrintWriter out;

  /**
   * Creates a printer.
   *
   * @param values whether values are printed
   * @param rowsOnly whether of each cell its row is printed and nothing else
   */
  public WalPrinter(WalFilter filter, boolean values, boolean rowsOnly, PrintWriter out) {
    this.filter = filter;
    this.values = values;
    this.rowsOnly = rowsOnly;
    this.out = out;
  }

  /**
   * Prints all of a file.
   *
   * @return false if it stopped before the end, because the output is not read any more
   */
  public boolean print(WalReader reader) throws IOException {
    out.println("Writer Classes: " + WRITER_CLASSES);
    out.println("Cell Codec Class: " + reader.info().codecClass());
    for (int i = 1; reader.next(); i++) {
      if (filter.takes(reader.entry(), reader.entryOffset())) {
        print(reader.entry(), reader.position());
      }
      if (i % CHECK_INTERVAL == 0 && out.checkError()) {
        return false;
      }
    }
    return true;
  }

  private void print(WalEntry entry, long position) {
    boolean begun = false;
    long heapSize = WalSizes.EDIT_OVERHEAD;
    Cell cell = new Cell();
    for (int i = 0; i < entry.cells().size(); i++) {
      entry.cells().get(i, cell, entry.sequence());
      heapSize += WalSizes.heapSize(cell);
      if (!filter.takes(cell)) {
        continue;
      }
      if (!begun && !rowsOnly) {
        out.println(
            "Sequence="
                + entry.sequence()
                + ", table="
                + entry.table()
                + ", region="
                + entry.region()
                + ", at write timestamp="
                + new Date(entry.writeTimeMillis()));
      }
      begun = true;
      print(cell);
    }
    if (begun && !rowsOnly) {
      out.println("edit heap size: " + heapSize);
      out.println("position: " + position);
    }
  }

  private void print(Cell cell) {
    String row = "row=" + Bytes.toStringBinary(cell.bytes(), cell.rowOffset(), cell.rowLength());
    if (rowsOnly) {
      out.println(row);
      return;
    }
    out.println(
        row
            + ", column="
            + Bytes.toStringBinary(cell.bytes(), cell.familyOffset(), cell.familyLength())
            + ":"
            + Bytes.toStringBinary(cell.bytes(), cell.qualifierOffset(), cell.qualifierLength())
            + ", timestamp="
            + cell.timestamp()
            + ", type="
            + CellTexts.type(cell));
    if (cell.tagsLength() > 0) {
      out.println("    tag: " + CellTexts.tags(cell));
    }
    if (values) {
      out.println(
          "    value: "
              + Bytes.toStringBinary(cell.bytes(), cell.valueOffset(), cell.valueLength()));
    }
    out.println("cell total size sum: " + WalSizes.heapSize(cell));
  }
}
