package dev.cairn.engine.scan.match;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cell.CellTags;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.cursor.PlainCells;
import dev.cairn.engine.cursor.SeekKey;
import dev.cairn.engine.scan.CellOutcome;
import dev.cairn.engine.scan.FamilySelection;
import dev.cairn.engine.scan.ScanFilter;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.TimeRange;
import dev.cairn.engine.scan.ValueSource;
import dev.cairn.engine.schema.FamilySchema;
import java.io.IOException;
import java.util.Optional;

/**
 * Decides which cells of one family's rows are part of a scan's result, in their order. It moves no
 * cursor, but reports when the rest of the column or row is not wanted.
 *
 * <p>A cell goes through the checks in HBase's order: expiry, delete markers, time range, column,
 * the family's VERSIONS, filter, and last the versions that the request asks for. So with a filter
 * the request's number counts what the filter took, and the filter sees each column down to the
 * family's VERSIONS; in a raw scan, it sees all versions.
 */
public final class ScanQueryMatcher {
  private final OutcomeRecorder fates;
  private final FilterHint hint;
  private final ColumnSelector columns = new ColumnSelector();
  private final VersionCounter versions = new VersionCounter();

  // The arguments of begin(), and values derived from them.
  private FamilySchema schema;
  private boolean reversed;
  private boolean raw;
  private boolean seePastMarkers;
  private TimeRange timeRange;
  private long now;
  private Expiry expiry;
  private int minVersions;
  private DeleteTracker deletes;
  private int maxResultVersions;
  private int cellsLimit;
  private int cellsOffset;
  private Optional<FilterEvaluation> filter = Optional.empty();
  private ValueSource values = ValueSource.NONE;
  private boolean hasOwnValues;
  private boolean filterReadsValues;
  private boolean referencesOnly;

  /**
   * The cells of a new column that may be copied without a check, if the row's markers leave the
   * column alone.
   */
  private PlainCells plain = PlainCells.ANY;

  /** True if the request contains nothing that could exclude a plain cell from the result. */
  private boolean asksForPlain;

  /** True if {@link #asksForPlain} holds and all values are in the source itself. */
  private boolean takesPlain;

  /** True if the filter has ended the scan; no cell comes after that. */
  private boolean ended;

  private boolean rowDone;

  /** True if the row is done because the limit of its cells was reached. */
  private boolean rowFull;

  private boolean columnDone;

  /** Why the column is done, if it is. */
  private CellOutcome columnRest = CellOutcome.COLUMN_NOT_ASKED;

  private int resultVersions;
  private int cellsInRow;
  private Cell result;

  /** True if the filter transformed the result, so that it is not the stored cell. */
  private boolean transformed;

  /**
   * Creates a matcher that needs {@link #begin} before use, and reports outcomes to {@code fates}.
   */
  public ScanQueryMatcher(CellComparator comparator, OutcomeRecorder fates) {
    this.fates = fates;
    this.hint = new FilterHint(comparator);
  }

  /** A read of a family begins. */
  public void begin(
      ScanRequest request,
      StoreSource source,
      long readPoint,
      long moment,
      Optional<FilterEvaluation> run)
      throws IOException {
    filter = run;
    filterReadsValues = filter.isPresent() && filter.get().filter().readsValues();
    boolean asBefore = schema == source.family() && raw == request.raw();
    if (!asBefore || now != moment) {
      // A reader of single rows begins many times in a millisecond.
      expiry = request.raw() ? Expiry.ofCellsOnly(moment) : Expiry.of(source.family(), moment);
      now = moment;
    }
    raw = request.raw();
    reversed = request.reversed();
    if (schema != source.family() || deletes instanceof SuppliedDeleteTracker) {
      become(source.family());
    }
    if (request.hooks() != ScanRequest.Hooks.NONE) {
      request
          .hooks()
          .deletes()
          .of(schema)
          .ifPresent(rule -> deletes = new SuppliedDeleteTracker(rule));
    }
    FamilySelection selection = request.families().getOrDefault(schema.name(), FamilySelection.ALL);
    timeRange = selection.timeRange().orElse(request.timeRange());
    columns.begin(selection.qualifiers());
    maxResultVersions =
        raw ? request.maxVersions() : Math.min(request.maxVersions(), schema.maxVersions());
    versions.begin(filter.isPresent() ? filteredVersions() : maxResultVersions, minVersions);
    // HBase looks at the limit once it has taken a cell, so that none means one.
    cellsLimit = request.cellsPerFamilyLimit() == 0 ? 1 : request.cellsPerFamilyLimit();
    cellsOffset = request.cellsPerFamilyOffset();
    referencesOnly = request.mob().referencesOnly();
    asksForPlain =
        !columns.isExplicit()
            && maxResultVersions > 0
            && cellsLimit < 0
            && cellsOffset == 0
            && filter.isEmpty()
            && !referencesOnly;
    use(source, readPoint);
    rowDone = false;
    rowFull = false;
    ended = false;
    columnDone = false;
    hint.clear();
  }

  /** Returns how many versions of a column the filter may see; a raw scan has no limit. */
  private int filteredVersions() {
    return raw ? Integer.MAX_VALUE : schema.maxVersions();
  }

  /** Sets the state that depends on the source of the cells. */
  private void use(StoreSource source, long readPoint) {
    values = source.values();
    hasOwnValues = values == ValueSource.NONE;
    takesPlain = asksForPlain && hasOwnValues;
    plain =
        plain.with(
            Math.max(timeRange.from(), expiry.oldestLiving()),
            timeRange.last(),
            source.hasNewer() ? readPoint : Long.MAX_VALUE,
            maxResultVersions == 1 && !raw);
  }

  /**
   * Releases the source and its cells. Decisions so far stay valid.
   *
   * @param keepsResult whether {@link #result} is still needed after {@link #attach}
   */
  public void detach(boolean keepsResult) {
    values = ValueSource.NONE;
    result = keepsResult && transformed ? result.copy() : null;
  }

  /** Continues with another source of the same cells. */
  public void attach(StoreSource source, long readPoint) {
    use(source, readPoint);
  }

  /** Restores the result for {@code cell}, which was taken before {@link #detach}. */
  public void restoreResult(Cell cell) throws IOException {
    if (result == null) {
      result = hasOwnValues ? cell : values.resolve(cell);
    }
  }

  private void become(FamilySchema other) {
    schema = other;
    seePastMarkers = other.keepDeletedCells() != FamilySchema.KeepDeletedCells.FALSE;
    minVersions = other.minVersions();
    deletes =
        other.newVersionBehavior()
            ? new NewVersionBehaviorTracker(other.maxVersions())
            : new ClassicDeleteTracker();
  }

  /** Lets go of the read that has been closed. */
  public void forget() {
    columns.begin(FamilySelection.ALL.qualifiers());
    values = ValueSource.NONE;
    filter = Optional.empty();
    hint.clear();
    result = null;
    if (schema != null && deletes.isLarge()) {
      schema = null;
      deletes = null;
    }
  }

  /** A row begins in which the family has cells. */
  public void startRow() {
    rowDone = false;
    rowFull = false;
    columnDone = false;
    cellsInRow = 0;
    hint.clear();
    columns.startRow();
    deletes.startRow();
  }

  /**
   * Asks the filter whether it is finished. Returns whether more cells of the row may be wanted.
   */
  public boolean askForMore() {
    if (!rowFull) {
      ended = ended || filter.isPresent() && filter.get().isFinished();
    }
    return !rowFull && !ended && !rowDone;
  }

  /** Tells whether the filter was found to have had enough: then no row has anything any more. */
  public boolean isEnded() {
    return ended;
  }

  /** Tells whether nothing more is wanted of the row but what markers hide. */
  public boolean isRowDone() {
    return rowDone;
  }

  /** Ends the row: it has no more cells, or none that are wanted. */
  public void finishRow() {
    if (!rowDone && !rowFull && ended) {
      endRow(CellOutcome.FILTER_ENDED);
    }
    rowDone = true;
  }

  /** Tells whether all that {@link #plain} includes of the next columns is part of the result. */
  public boolean takesPlain() {
    return takesPlain && !rowDone && deletes.isIdle();
  }

  /** Returns the cells of a column that has not begun yet that are part of the result. */
  public PlainCells plain() {
    return plain;
  }

  /** Begins the column of {@code cell}, which may be done at once. */
  public void startColumn(Cell cell) {
    deletes.startColumn();
    versions.startColumn();
    resultVersions = 0;
    columnDone = false;
    switch (columns.check(cell)) {
      case WANTED -> {}
      case SKIP -> endColumn(CellOutcome.COLUMN_NOT_ASKED);
      case NO_MORE -> {
        endColumn(CellOutcome.COLUMN_NOT_ASKED);
        endRow(CellOutcome.COLUMN_NOT_ASKED);
      }
    }
  }

  /** Tells whether nothing more is wanted of the column. */
  public boolean isColumnDone() {
    return columnDone;
  }

  /** Returns why the column is done. */
  public CellOutcome columnRest() {
    return columnRest;
  }

  /** Returns the key of the next column that may be wanted; only if this one is done. */
  public Cell nextColumn(Cell cell, SeekKey key) {
    return columns.isExplicit() ? key.firstOnColumn(cell, columns.wanted()) : key.afterColumn(cell);
  }

  /**
   * Tracks a cell that is not selected, if it is a marker that hides cells of other columns.
   *
   * @return true if it is such a marker
   */
  public boolean trackFamilyMarker(Cell cell) throws IOException {
    if (raw || !isFamilyMarker(cell.typeCode()) || expiry.isExpiredByTag(cell)) {
      return false;
    }
    track(cell);
    return true;
  }

  /** Returns where the filter wants to go on. */
  public FilterHint hint() {
    return hint;
  }

  /** Returns the last cell that was taken; valid as long as that cell itself is. */
  public Cell result() {
    return result;
  }

  /** Decides about a cell of a wanted column. Returns whether it is part of the result. */
  public boolean match(Cell cell) throws IOException {
    long timestamp = cell.timestamp();
    boolean expired = expiry.isExpired(timestamp);
    if (expired && minVersions == 0) {
      return hideRest(cell, CellOutcome.FAMILY_TTL);
    }
    if (expiry.isExpiredByTag(cell)) {
      return hide(cell, CellOutcome.CELL_TTL);
    }
    if (!raw) {
      if (cell.isDelete()) {
        if (track(cell)) {
          finishColumn(cell, CellOutcome.COLUMN_DELETED);
        }
        return false;
      }
      DeleteTracker.Verdict verdict = deletes.check(cell);
      if (verdict != DeleteTracker.Verdict.VISIBLE) {
        return verdict.endsColumn() ? hideRest(cell, verdict.fate()) : hide(cell, verdict.fate());
      }
    }
    if (!timeRange.contains(timestamp)) {
      return timestamp < timeRange.from()
          ? hideRest(cell, CellOutcome.TIME_RANGE)
          : hide(cell, CellOutcome.TIME_RANGE);
    }
    if (hint.skip(cell)) {
      return hide(cell, CellOutcome.FILTER_SKIPPED);
    }
    return matchVersion(cell, timestamp, expired);
  }

  /** Tracks a marker, if it takes effect. Returns true if it hides the rest of its column. */
  private boolean track(Cell marker) throws IOException {
    long timestamp = marker.timestamp();
    // A family that keeps deleted cells shows the past as it was, before later markers.
    boolean counting =
        seePastMarkers ? timeRange.contains(timestamp) : timestamp >= timeRange.from();
    hide(marker, counting ? CellOutcome.MARKER : CellOutcome.MARKER_NOT_COUNTED);
    return counting && deletes.add(marker);
  }

  private boolean matchVersion(Cell cell, long timestamp, boolean expired) throws IOException {
    switch (versions.check(timestamp, cell.typeCode(), expired)) {
      case OVERWRITTEN -> {
        return hide(cell, CellOutcome.OVERWRITTEN);
      }
      case FULL -> {
        return hideRest(cell, CellOutcome.VERSION_LIMIT);
      }
      case EXPIRED -> {
        return hideRest(cell, CellOutcome.FAMILY_TTL);
      }
      default -> {
        // Goes on below.
      }
    }
    boolean last = !raw && versions.isFull();
    boolean kept;
    if (referencesOnly && !CellTags.has(cell, CellTags.MOB_REFERENCE)) {
      kept = hide(cell, CellOutcome.NO_REFERENCE);
    } else if (filter.isEmpty()) {
      transformed = false;
      kept = applyLimit(cell, cell);
    } else {
      Cell shown = hasOwnValues || !filterReadsValues ? cell : values.resolve(cell);
      return applyFilter(cell, shown, last, filter.get());
    }
    if (last) {
      finishColumn(cell, CellOutcome.VERSION_LIMIT);
    }
    return kept;
  }

  /**
   * Lets the filter decide about a cell.
   *
   * @param shown the cell as the filter sees it, perhaps with a value from elsewhere
   */
  private boolean applyFilter(Cell cell, Cell shown, boolean last, FilterEvaluation run)
      throws IOException {
    ScanFilter.Decision decision = run.decide(shown);
    switch (decision) {
      case SKIP -> {
        hide(cell, CellOutcome.FILTERED);
        if (last) {
          finishColumn(cell, CellOutcome.VERSION_LIMIT);
        }
        return false;
      }
      case NEXT_COLUMN -> {
        hide(cell, CellOutcome.FILTERED);
        finishColumn(cell, CellOutcome.FILTERED_COLUMN);
        return false;
      }
      case NEXT_ROW -> {
        hide(cell, CellOutcome.FILTERED);
        endRow(CellOutcome.FILTERED_REST_OF_ROW);
        return false;
      }
      case SEEK_TO_HINT -> {
        hide(cell, CellOutcome.FILTERED);
        Optional<Cell> next = run.hint(shown);
        if (next.isPresent() && hint.follow(next.get(), cell, reversed)) {
          endRow(CellOutcome.FILTER_SKIPPED);
        }
        return false;
      }
      default -> {
        // Takes the cell, below.
      }
    }
    resultVersions++; // Markers count, too.
    boolean wanted = resultVersions <= maxResultVersions;
    Cell taken = wanted ? run.filter().transform(shown) : shown;
    transformed = taken != shown;
    boolean kept = wanted ? applyLimit(cell, taken) : hide(cell, CellOutcome.VERSION_LIMIT);
    if (decision == ScanFilter.Decision.INCLUDE_AND_NEXT_ROW) {
      endRow(CellOutcome.FILTERED_REST_OF_ROW);
    } else if (last || !wanted || decision == ScanFilter.Decision.INCLUDE_AND_NEXT_COLUMN) {
      finishColumn(cell, last || !wanted ? CellOutcome.VERSION_LIMIT : CellOutcome.FILTERED_COLUMN);
    }
    return kept;
  }

  /**
   * Applies the request's limit and offset of cells per row and family.
   *
   * @param taken the result for {@code cell}
   */
  private boolean applyLimit(Cell cell, Cell taken) throws IOException {
    cellsInRow++;
    int number = cellsInRow - cellsOffset;
    boolean kept = number > 0 && (cellsLimit < 0 || number <= cellsLimit);
    if (kept) {
      result = hasOwnValues ? taken : values.resolve(taken);
      fates.judged(cell, CellOutcome.RETURNED);
    } else {
      hide(cell, number > 0 ? CellOutcome.LIMIT : CellOutcome.OFFSET);
    }
    if (cellsLimit >= 0 && number >= cellsLimit) {
      rowFull = true;
      fates.rowEnds(CellOutcome.LIMIT);
    }
    return kept;
  }

  /** Finishes the column of {@code cell}, for the reason {@code rest}. */
  private void finishColumn(Cell cell, CellOutcome rest) {
    endColumn(rest);
    if (!columns.finishColumn(cell)) {
      endRow(CellOutcome.COLUMN_NOT_ASKED);
    }
  }

  private void endColumn(CellOutcome rest) {
    columnDone = true;
    columnRest = rest;
    fates.columnEnds(rest);
  }

  private void endRow(CellOutcome rest) {
    rowDone = true;
    fates.rowEnds(rest);
  }

  /** Records the outcome of a cell that is not returned. Returns false. */
  private boolean hide(Cell cell, CellOutcome fate) throws IOException {
    fates.judged(cell, fate);
    return false;
  }

  /** As {@link #hide}, and the same holds of all that follows of the column. */
  private boolean hideRest(Cell cell, CellOutcome fate) throws IOException {
    hide(cell, fate);
    finishColumn(cell, fate);
    return false;
  }

  private static boolean isFamilyMarker(int type) {
    return type == CellType.DELETE_FAMILY.code() || type == CellType.DELETE_FAMILY_VERSION.code();
  }
}
