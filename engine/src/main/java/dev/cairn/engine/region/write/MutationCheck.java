package dev.cairn.engine.region.write;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.state.NoSuchFamilyException;
import dev.cairn.engine.region.state.RegionSettings;
import dev.cairn.engine.region.state.RegionStores;
import dev.cairn.engine.region.state.WrongRowException;
import dev.cairn.engine.region.write.Mutation.Kind;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.time.Clock;
import dev.cairn.engine.wal.file.ClusterIds;
import java.io.IOException;

/** Checks a mutation before anything is done, and refuses it as a whole if it cannot succeed. */
public final class MutationCheck {
  /**
   * The maximum size of a cell, whatever the settings: a cell must fit into a block of a store
   * file, whose readers accept at most twice as much.
   */
  private static final long CELL_BYTES_MAX = 256L << 20;

  private final RegionInfo info;
  private final RegionStores stores;
  private final boolean readOnly;
  private final long maxCellBytes;
  private final long aheadMillisMax;
  private final Clock clock;
  private final ConstraintCheck constraints;

  public MutationCheck(
      RegionInfo info,
      RegionStores stores,
      boolean readOnly,
      RegionSettings settings,
      Clock clock) {
    this.info = info;
    this.stores = stores;
    this.readOnly = readOnly;
    this.maxCellBytes = settings.cellSize().bytes();
    this.aheadMillisMax = settings.aheadMillisMax();
    this.clock = clock;
    this.constraints = ConstraintCheck.of(settings.constraints(), info.table(), stores);
  }

  /**
   * Returns if the mutation may be applied.
   *
   * @throws WrongRowException if the row belongs to another region
   * @throws NoSuchFamilyException if a cell's family is unknown
   * @throws FutureTimestampException if a put is too far ahead of the clock
   * @throws ConstraintViolationException if a value breaks a rule of its column
   * @throws InvalidMutationException for all else
   */
  public void check(Mutation mutation) throws IOException {
    check(mutation, mutation.kind(), 0);
    if (constraints != ConstraintCheck.NONE) {
      constraints.check(mutation);
    }
  }

  /**
   * As {@link #check(Mutation)}, for a mutation whose cells are final: those of increments and
   * appends are the computed ones, and their values are checked.
   *
   * @param givenMillis the latest timestamp that the region itself has given: it may be far ahead
   *     of the clock
   */
  public void checkFinal(Mutation mutation, long givenMillis) throws IOException {
    check(mutation, mutation.kind().isComputed() ? Kind.APPEND : mutation.kind(), givenMillis);
    if (constraints != ConstraintCheck.NONE) {
      constraints.checkFinal(mutation.cells());
    }
  }

  /** Checks a mutation whose cells are those of a {@code kind}. */
  private void check(Mutation mutation, Kind kind, long givenMillis) throws IOException {
    if (readOnly) {
      throw new InvalidMutationException("Table " + info.table() + " is read only (READONLY)");
    }
    try {
      ClusterIds.of(mutation.attributes());
    } catch (IllegalArgumentException e) {
      throw new InvalidMutationException(e.getMessage());
    }
    byte[] row = mutation.row();
    row(row);
    CellBuffer cells = mutation.cells();
    if (cells.isEmpty() && kind != Kind.DELETE) {
      throw new InvalidMutationException("No columns to write in row " + Bytes.toStringBinary(row));
    }
    Cell cell = new Cell();
    for (int i = 0; i < cells.size(); i++) {
      check(row, kind, cells.get(i, cell, 0), givenMillis);
    }
  }

  /**
   * Returns if none of a batch's puts would be refused.
   *
   * @throws InvalidMutationException if one would be; see {@link #check(Mutation)} for the reason
   */
  public void check(PutBatch puts) throws InvalidMutationException {
    if (!accepts(puts)) {
      throw new InvalidMutationException(
          "One of " + puts.size() + " puts would be refused, so none is done");
    }
  }

  private boolean accepts(PutBatch puts) {
    if (readOnly) {
      return false;
    }
    CellBuffer cells = puts.cells();
    Cell first = new Cell();
    Cell cell = new Cell();
    for (int put = 0, i = 0; put < puts.size(); put++) {
      cells.get(i, first, 0);
      if (!acceptsRow(first.bytes(), first.rowOffset(), first.rowLength())) {
        return false;
      }
      for (int from = i; i < puts.ends()[put]; i++) {
        cells.get(i, cell, 0);
        boolean isMarker = cell.typeCode() != CellType.PUT.code(); // puts may have them
        if (isMarker || i > from && !cell.sameRow(first) || !accepts(Kind.PUT, cell, 0)) {
          return false;
        }
      }
    }
    return constraints == ConstraintCheck.NONE || constraints.accepts(puts);
  }

  private boolean acceptsRow(byte[] bytes, int offset, int length) {
    return length > 0 && length <= Cell.MAX_ROW_LENGTH && info.contains(bytes, offset, length);
  }

  /**
   * Tells whether a mutation may have this cell, if it is of its row. All paths of mutations check
   * cells here; {@link #refusal} only explains the result.
   */
  private boolean accepts(Kind kind, Cell cell, long givenMillis) {
    return stores.find(cell) != null
        && kind.takes(cell)
        && cell.timestamp() >= 0
        && !(kind == Kind.PUT && isTooFarAhead(cell.timestamp(), givenMillis))
        && (kind != Kind.INCREMENT || cell.valueLength() == Long.BYTES)
        && fits(cell.serializedLength(true))
        && hasWholeTags(cell);
  }

  /**
   * Returns if the row may be locked.
   *
   * @throws WrongRowException if it belongs to another region
   * @throws InvalidMutationException if no row is like it
   */
  public void row(byte[] row) throws IOException {
    if (acceptsRow(row, 0, row.length)) {
      return;
    }
    if (row.length == 0 || row.length > Cell.MAX_ROW_LENGTH) {
      throw new InvalidMutationException(
          "Row length " + row.length + " is not from 1 to " + Cell.MAX_ROW_LENGTH);
    }
    throw new WrongRowException(
        "Row " + Bytes.toStringBinary(row) + " is not in the region " + info.regionNameAsString());
  }

  private void check(byte[] row, Kind kind, Cell cell, long givenMillis) throws IOException {
    if (!cell.rowEquals(row, 0, row.length)) {
      throw new InvalidMutationException(
          "A cell of row "
              + Bytes.toStringBinary(cell.row())
              + " stands in a mutation of row "
              + Bytes.toStringBinary(row));
    }
    if (!accepts(kind, cell, givenMillis)) {
      throw refusal(kind, cell, givenMillis);
    }
  }

  /** Says why a cell is not accepted. */
  private IOException refusal(Kind kind, Cell cell, long givenMillis) {
    if (stores.find(cell) == null) {
      return new NoSuchFamilyException(
          "Column family "
              + Bytes.toStringBinary(cell.family())
              + " does not exist in region "
              + info.regionNameAsString());
    }
    if (!kind.takes(cell)) {
      return new InvalidMutationException(
          "A cell with type code " + cell.typeCode() + " can't be part of a " + kind);
    }
    if (cell.timestamp() < 0) {
      return new InvalidMutationException("Timestamp cannot be negative: " + cell.timestamp());
    }
    if (kind == Kind.PUT && isTooFarAhead(cell.timestamp(), givenMillis)) {
      return new FutureTimestampException(cell, aheadMillisMax);
    }
    if (kind == Kind.INCREMENT && cell.valueLength() != Long.BYTES) {
      return new InvalidMutationException(
          "An amount to add has eight bytes, not " + cell.valueLength());
    }
    long bytes = cell.serializedLength(true);
    return fits(bytes) ? tagsNotWhole(cell) : tooLarge(bytes);
  }

  /** Throws if a cell of {@code bytes} bytes is larger than allowed. */
  void size(long bytes) throws InvalidMutationException {
    if (!fits(bytes)) {
      throw tooLarge(bytes);
    }
  }

  private InvalidMutationException tooLarge(long bytes) {
    return new InvalidMutationException(
        "Cell with size "
            + bytes
            + " exceeds limit of "
            + cellBytesLimit()
            + " bytes (hbase.server.keyvalue.maxsize, further limited by the heap)");
  }

  /** Throws if a computed value breaks a rule of its column. */
  void value(Cell cell) throws ConstraintViolationException {
    if (constraints != ConstraintCheck.NONE) {
      constraints.check(cell);
    }
  }

  /**
   * Tells whether a mutation has to be checked against its row as it is ({@link #rows}): it is then
   * not written together with independent ones.
   */
  public boolean needsRow(Mutation mutation) {
    return constraints != ConstraintCheck.NONE && constraints.needsRow(mutation);
  }

  /**
   * Returns if every row has the values that it needs, once {@code cells} are written. The rows are
   * locked, and the timestamps are final.
   *
   * @throws ConstraintViolationException if one would not have them
   */
  public void rows(CellBuffer cells, WriteReads reads) throws IOException {
    if (constraints != ConstraintCheck.NONE) {
      constraints.checkRows(cells, reads);
    }
  }

  /** Throws if a cell's tags are not whole: a compressed log could not hold them. */
  void tags(Cell cell) throws InvalidMutationException {
    if (!hasWholeTags(cell)) {
      throw tagsNotWhole(cell);
    }
  }

  private static InvalidMutationException tagsNotWhole(Cell cell) {
    return new InvalidMutationException(
        "The tags of a cell in row "
            + Bytes.toStringBinary(cell.row())
            + " are not whole: "
            + Bytes.toStringBinary(cell.tags()));
  }

  private boolean isTooFarAhead(long timestamp, long givenMillis) {
    return aheadMillisMax != RegionSettings.ANY_TIMESTAMP
        && timestamp != Cell.LATEST_TIMESTAMP
        && timestamp > givenMillis
        && timestamp - clock.currentTimeMillis() > aheadMillisMax;
  }

  private boolean fits(long bytes) {
    return bytes <= cellBytesLimit();
  }

  private long cellBytesLimit() {
    return Math.min(maxCellBytes, CELL_BYTES_MAX);
  }

  private static boolean hasWholeTags(Cell cell) {
    int from = cell.tagsOffset();
    int end = from + cell.tagsLength();
    return end <= from || CellTags.areWhole(cell.bytes(), from, end);
  }

  /**
   * Reports a put whose timestamp is further ahead of the server's clock than the settings allow.
   */
  public static final class FutureTimestampException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param aheadMillisMax how far ahead of the clock a timestamp may be
     */
    FutureTimestampException(Cell cell, long aheadMillisMax) {
      super(
          "The timestamp "
              + cell.timestamp()
              + " of a put of row "
              + Bytes.toStringBinary(cell.row())
              + " is more than "
              + aheadMillisMax
              + " ms ahead of the server's clock ("
              + RegionSettings.AHEAD_KEY
              + "). Use milliseconds since 1970, and check the clocks");
    }
  }
}
