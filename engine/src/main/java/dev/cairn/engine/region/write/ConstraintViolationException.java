package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;

/** A mutation breaks a constraint of its table. The message names row, column, rule and value. */
public final class ConstraintViolationException extends InvalidMutationException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN_ROW_BYTES_MAX = 80;

  private ConstraintViolationException(String message) {
    super(message);
  }

  /** Returns the exception for a row of a table. Abbreviates long row keys. */
  public static ConstraintViolationException inRow(TableName table, byte[] row, String problem) {
    String shown =
        row.length <= SHOWN_ROW_BYTES_MAX
            ? Bytes.toStringBinary(row)
            : Bytes.toStringBinary(row, 0, SHOWN_ROW_BYTES_MAX) + "... (" + row.length + " bytes)";
    return new ConstraintViolationException(
        "Row '" + shown + "' of table " + table + ": " + problem);
  }
}
