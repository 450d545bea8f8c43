package dev.cairn.engine.explain;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.explain.ExplainedCell.HiddenBy;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanObserver;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.SourceMetrics.Use;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.schema.FamilySchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Accounts for every cell of one family. The scan reports its decisions about the cells at which it
 * looks. A walk over all cells follows the scan, and notes these decisions, and for every cell that
 * the scan skipped the reason for the skip.
 */
final class FamilyExplainer implements ScanObserver.Family {
  private final FamilySchema schema;
  private final SourceMetrics trace;
  private final List<StoreSource.Holder> all;
  private final FamilyWalk walk;
  private final CellComparator comparator;
  private final FamilySelection selection;
  private final boolean filtered;
  private final boolean raw;
  private final long readPoint;

  private byte[] row = new byte[0];
  private boolean inRow;

  /** True if the filter ended the family for good; the scan may go on in other families. */
  private boolean filterEnded;

  private RowAccount account = new RowAccount(0);
  private Optional<Cell> column = Optional.empty();
  private Optional<CellOutcome> columnRest = Optional.empty();
  private Optional<CellOutcome> rowRest = Optional.empty();

  /** The markers that count: those of the whole row, and those of the column that came by last. */
  private final List<Marker> familyMarkers = new ArrayList<>();

  private final List<Marker> columnMarkers = new ArrayList<>();
  private Optional<Cell> lastPut = Optional.empty();
  private int lastPutSource;

  private record Marker(Cell cell, int source) {}

  FamilyExplainer(
      StoreSource source, ScanRequest request, CellComparator comparator, long readPoint) {
    this.schema = source.family();
    this.trace = source.trace();
    this.all = source.everything().openAll();
    this.walk =
        new FamilyWalk(
            schema.name(),
            request.reversed(),
            all.stream().map(StoreSource.Holder::cells).toList(),
            comparator);
    this.comparator = comparator;
    this.selection = request.families().getOrDefault(schema.name(), FamilySelection.ALL);
    this.filtered = request.filter().isPresent();
    this.raw = request.raw();
    this.readPoint = readPoint;
  }

  FamilyWalk walk() {
    return walk;
  }

  /** Returns the report on the family's cells read so far. */
  ScanReport.Family report() {
    List<ScanReport.Source> sources = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      SourceMetrics.Source source = trace.sources().get(i);
      sources.add(new ScanReport.Source(all.get(i).facts(), source.use(), source.figures()));
    }
    return new ScanReport.Family(schema, sources);
  }

  /** Begins a row; the walk is at its first cell, or after it. */
  void startRow(byte[] begun, RowAccount target) {
    row = begun;
    inRow = walk.isIn(begun);
    account = target;
    column = Optional.empty();
    columnRest = Optional.empty();
    rowRest = Optional.empty();
    familyMarkers.clear();
    columnMarkers.clear();
    lastPut = Optional.empty();
  }

  /**
   * The row ends; what the scan has not looked at comes to {@code rest}, unless something else
   * holds of it.
   */
  void endRow(CellOutcome rest) throws IOException {
    while (walk.isIn(row)) {
      pass(rest);
    }
    if (inRow) {
      walk.leave(row);
    }
  }

  @Override
  public void looked(Cell cell) throws IOException {
    trace.looked(cell);
    if (column.isEmpty() || !column.get().sameColumn(cell)) {
      while (walk.isIn(row)
          && !walk.cell().sameColumn(cell)
          && comparator.compare(walk.cell(), cell) < 0) {
        pass(passedOver());
      }
      column = Optional.of(cell.copy());
      columnRest = Optional.empty();
      lastPut = Optional.empty();
    }
  }

  @Override
  public void judged(Cell cell, CellOutcome fate) throws IOException {
    int source = trace.indexOf(cell);
    while (walk.isIn(row) && isBefore(walk.cell(), cell, source)) {
      pass(passedOver());
    }
    if (!walk.isIn(row) || comparator.compare(walk.cell(), cell) != 0) {
      throw new IllegalStateException("The scan read a cell that no source holds: " + cell);
    }
    note(walk.cell(), fate, walk.source());
    walk.next();
  }

  @Override
  public void columnEnds(CellOutcome rest) {
    columnRest = Optional.of(rest);
  }

  @Override
  public void rowEnds(CellOutcome rest) {
    rowRest = Optional.of(rest);
    filterEnded |= rest == CellOutcome.FILTER_ENDED;
  }

  private boolean isBefore(Cell walked, Cell judged, int source) {
    int order = comparator.compare(walked, judged);
    return order < 0 || order == 0 && source >= 0 && walk.source() != source;
  }

  /** Returns the outcome of cells that the scan skips for no reason of their own. */
  private CellOutcome passedOver() {
    return filtered ? CellOutcome.FILTER_SKIPPED : CellOutcome.ROW_NOT_READ;
  }

  /** Notes the walk's next cell as one at which the scan did not look, and passes it. */
  private void pass(CellOutcome otherwise) throws IOException {
    Cell cell = walk.cell();
    int source = walk.source();
    note(cell, unseen(cell, source, otherwise), source);
    walk.next();
  }

  private CellOutcome unseen(Cell cell, int source, CellOutcome otherwise) {
    if (cell.sequence() > readPoint) {
      return CellOutcome.TOO_NEW;
    }
    if (!selection.qualifiers().isEmpty() && !selection.qualifiers().contains(cell.qualifier())) {
      return CellOutcome.COLUMN_NOT_ASKED;
    }
    if (trace.sources().get(source).use() == Use.OUTSIDE_TIMES) {
      return CellOutcome.TIME_RANGE;
    }
    if (columnRest.isPresent() && column.isPresent() && column.get().sameColumn(cell)) {
      // A later write of the same version may fill the limit; then OVERWRITTEN says more.
      return columnRest.get() == CellOutcome.VERSION_LIMIT && isWriteOfLastPut(cell)
          ? CellOutcome.OVERWRITTEN
          : columnRest.get();
    }
    return rowRest.orElse(filterEnded ? CellOutcome.FILTER_ENDED : otherwise);
  }

  /** Tells whether the cell is an earlier write of the version that came by last. */
  private boolean isWriteOfLastPut(Cell cell) {
    return lastPut.isPresent()
        && lastPut.get().typeCode() == cell.typeCode()
        && lastPut.get().timestamp() == cell.timestamp()
        && lastPut.get().sameColumn(cell);
  }

  private void note(Cell cell, CellOutcome fate, int source) {
    if (fate == CellOutcome.MARKER) {
      keep(new Marker(cell.copy(), source));
    }
    Optional<HiddenBy> culprit = culprit(cell, fate);
    if (!cell.isDelete() || raw) {
      lastPut = Optional.of(cell.copy());
      lastPutSource = source;
    }
    account.add(fate, () -> explained(cell, fate, culprit, source));
  }

  private ExplainedCell explained(
      Cell cell, CellOutcome fate, Optional<HiddenBy> culprit, int source) {
    // A value in a MOB file is shown as its length and the file's name.
    boolean elsewhere =
        cell.tagsLength() > 0
            && CellTags.has(cell, CellTags.MOB_REFERENCE)
            && cell.valueLength() > Integer.BYTES;
    int shown = elsewhere ? 0 : Math.min(cell.valueLength(), ExplainedCell.VALUE_BYTES_MAX);
    return new ExplainedCell(
        cell.family(),
        cell.qualifier(),
        cell.timestamp(),
        cell.typeCode(),
        cell.sequence(),
        Arrays.copyOfRange(cell.bytes(), cell.valueOffset(), cell.valueOffset() + shown),
        elsewhere ? Bytes.getInt(cell.bytes(), cell.valueOffset()) : cell.valueLength(),
        elsewhere ? Optional.of(mobFile(cell)) : Optional.empty(),
        fate,
        culprit,
        expires(cell),
        source);
  }

  private static String mobFile(Cell cell) {
    int length = cell.valueLength() - Integer.BYTES;
    return Bytes.toStringBinary(
        cell.bytes(),
        cell.valueOffset() + Integer.BYTES,
        Math.min(length, ExplainedCell.FILE_NAME_BYTES_MAX));
  }

  private OptionalLong expires(Cell cell) {
    long ttl = schema.timeToLiveMillis();
    if (cell.tagsLength() > 0) {
      ttl = Math.min(ttl, CellTags.ttlMillis(cell));
    }
    return ttl == FamilySchema.FOREVER_MILLIS || cell.timestamp() > Long.MAX_VALUE - ttl
        ? OptionalLong.empty()
        : OptionalLong.of(cell.timestamp() + ttl);
  }

  /** Finds the earlier cell that caused this decision of the scan. */
  private Optional<HiddenBy> culprit(Cell cell, CellOutcome fate) {
    return switch (fate) {
      case FAMILY_DELETED -> marker(cell, CellType.DELETE_FAMILY, false);
      case FAMILY_VERSION_DELETED -> marker(cell, CellType.DELETE_FAMILY_VERSION, true);
      case COLUMN_DELETED -> marker(cell, CellType.DELETE_COLUMN, false);
      case VERSION_DELETED -> marker(cell, CellType.DELETE, true);
      case OVERWRITTEN ->
          isWriteOfLastPut(cell)
              ? lastPut.map(put -> culprit(put, lastPutSource))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private void keep(Marker marker) {
    if (!isOfColumn(marker.cell().typeCode())) {
      familyMarkers.add(marker);
      return;
    }
    if (!columnMarkers.isEmpty() && !columnMarkers.get(0).cell().sameColumn(marker.cell())) {
      columnMarkers.clear(); // or a row of deleted columns would be searched for each of its cells
    }
    columnMarkers.add(marker);
  }

  private Optional<HiddenBy> marker(Cell put, CellType type, boolean exactly) {
    boolean ofColumn = isOfColumn(type.code());
    for (Marker one : ofColumn ? columnMarkers : familyMarkers) {
      Cell marker = one.cell();
      boolean reaches =
          exactly ? marker.timestamp() == put.timestamp() : marker.timestamp() >= put.timestamp();
      boolean later = !schema.newVersionBehavior() || marker.sequence() >= put.sequence();
      if (marker.typeCode() == type.code()
          && reaches
          && later
          && (!ofColumn || marker.sameColumn(put))) {
        return Optional.of(culprit(marker, one.source()));
      }
    }
    return Optional.empty();
  }

  private static boolean isOfColumn(int type) {
    return type == CellType.DELETE.code() || type == CellType.DELETE_COLUMN.code();
  }

  private static HiddenBy culprit(Cell cell, int source) {
    return new HiddenBy(cell.typeCode(), cell.timestamp(), cell.sequence(), source);
  }
}
