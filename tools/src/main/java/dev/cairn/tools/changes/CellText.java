package dev.cairn.tools.changes;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.changes.Change;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;

/**
 * Lines of cells, with tabs between the fields: time of the write, table, region, sequence number,
 * row, type, column, timestamp, value. Bytes have the form of HBase's shell.
 */
public final class CellText implements ChangeWriter {
  private final Writer out;

  /** Creates a writer. */
  public CellText(Writer out) {
    this.out = out;
  }

  /** Returns the name of a type as HBase's client has it. */
  public static String type(CellType type) {
    return switch (type) {
      case PUT -> "Put";
      case DELETE -> "Delete";
      case DELETE_FAMILY_VERSION -> "DeleteFamilyVersion";
      case DELETE_COLUMN -> "DeleteColumn";
      case DELETE_FAMILY -> "DeleteFamily";
      case MINIMUM, MAXIMUM -> type.name();
    };
  }

  @Override
  public void write(Change change) throws IOException {
    String head =
        Instant.ofEpochMilli(change.writeTimeMillis())
            + "\t"
            + change.table()
            + "\t"
            + change.region()
            + "\t"
            + change.sequence()
            + "\t";
    CellBuffer cells = change.cells();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      boolean isLoad = change.kind() == Change.Kind.BULK_LOAD;
      out.write(head);
      out.write(Bytes.toStringBinary(cell.row()));
      out.write('\t');
      out.write(isLoad ? "BulkLoad" : type(CellType.of(cell.typeCode())));
      out.write('\t');
      out.write(Bytes.toStringBinary(cell.family()));
      out.write(':');
      out.write(Bytes.toStringBinary(cell.qualifier()));
      out.write('\t');
      out.write(Long.toString(cell.timestamp()));
      out.write('\t');
      out.write(Bytes.toStringBinary(cell.value()));
      out.write('\n');
    }
  }

  @Override
  public void token(String token) throws IOException {
    out.write("# token " + token + "\n");
  }
}
