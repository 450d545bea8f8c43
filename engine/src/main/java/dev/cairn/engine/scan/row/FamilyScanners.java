package dev.cairn.engine.scan.row;

import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellComparator;
import dev.cairn.engine.cursor.ReadMetrics;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.scan.SourceMetrics;
import dev.cairn.engine.scan.StoreSource;
import dev.cairn.engine.scan.match.FilterEvaluation;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The scanners of the families that a scan reads, in the order of their names, side by side: finds
 * the row that comes next in any of them, and has all of them enter it. Families that the filter
 * does not need to judge rows take no part in that; they are asked about rows that pass.
 *
 * <p>One thread at a time. May serve one scan after another, as {@link RowScanner} does.
 */
final class FamilyScanners {
  private final CellComparator comparator;
  private final RowKey row;
  private StoreScanner[] scanners = {};
  private StoreSource[] sources = {};

  /** By scanner: whether it takes part in finding rows. */
  private boolean[] essential = {};

  private boolean allEssential;
  private boolean reversed;

  /**
   * Creates scanners that read nothing before {@link #begin}.
   *
   * @param row the key of the current row; the caller sets it before the scanners enter the row
   */
  FamilyScanners(CellComparator comparator, RowKey row) {
    this.comparator = comparator;
    this.row = row;
  }

  /** A scan begins, of those of the sources that it asks for; the others are closed. */
  void begin(
      ScanRequest request,
      List<StoreSource> all,
      long readPoint,
      long now,
      Optional<FilterEvaluation> filter)
      throws IOException {
    reversed = request.reversed();
    makeRoom(request, all);
    allEssential = true;
    int next = 0;
    for (int i = 0; i < all.size(); i++) {
      StoreSource source = all.get(i);
      if (isWanted(request, source)) {
        scanners[next].begin(request, source, readPoint, now, filter);
        essential[next] =
            !request.loadFamiliesOnDemand()
                || filter.isEmpty()
                || filter.get().filter().isFamilyEssential(source.family().name());
        allEssential &= essential[next];
        sources[next++] = source;
      } else {
        source.cursors().forEach(cursor -> cursor.close());
        source.values().close();
      }
    }
  }

  private void makeRoom(ScanRequest request, List<StoreSource> all) {
    int count = 0;
    for (int i = 0; i < all.size(); i++) {
      count += isWanted(request, all.get(i)) ? 1 : 0;
    }
    if (scanners.length != count) {
      StoreScanner[] before = scanners;
      scanners = Arrays.copyOf(before, count);
      for (int i = before.length; i < count; i++) {
        scanners[i] = new StoreScanner(comparator, row);
      }
      sources = new StoreSource[count];
      essential = new boolean[count];
    }
  }

  private static boolean isWanted(ScanRequest request, StoreSource source) {
    return request.families().isEmpty() || request.families().containsKey(source.family().name());
  }

  /** Returns how many families are read. */
  int count() {
    return scanners.length;
  }

  /** Returns the scanner of a family, counted from 0. */
  StoreScanner get(int i) {
    return scanners[i];
  }

  /** Tells whether a family takes part in finding rows. */
  boolean isEssential(int i) {
    return essential[i];
  }

  /** Tells whether all families do. */
  boolean areAllEssential() {
    return allEssential;
  }

  /** Goes to where the scan begins. */
  void open(byte[] startRow, boolean include) throws IOException {
    for (int i = 0; i < scanners.length; i++) {
      if (essential[i]) {
        scanners[i].open(startRow, include);
      }
    }
  }

  /**
   * Leaves the row that was entered last. Returns some cell of the row that comes next, null if
   * there is none; valid until a scanner moves.
   */
  Cell leaveRow() throws IOException {
    Cell first = null;
    for (int i = 0; i < scanners.length; i++) {
      if (essential[i]) {
        scanners[i].leaveRow();
        Cell cell = scanners[i].peek();
        if (cell != null && (first == null || comesBefore(cell, first))) {
          first = cell;
        }
      }
    }
    return first;
  }

  /**
   * Leaves the row that was entered last, and moves to the first row at or (in the scan's
   * direction) after another one.
   *
   * @return some cell of that row, null if there is none; valid until a scanner moves
   */
  Cell goTo(byte[] target) throws IOException {
    for (int i = 0; i < scanners.length; i++) {
      if (essential[i]) {
        scanners[i].goTo(target);
      }
    }
    return leaveRow();
  }

  private boolean comesBefore(Cell a, Cell b) {
    int order = comparator.compareRows(a, b);
    return reversed ? order > 0 : order < 0;
  }

  /**
   * Enters the current row with the essential families.
   *
   * @param first the cell that {@link #leaveRow} has returned, of that row
   * @return the row's first cell
   */
  Cell enterRow(Cell first) throws IOException {
    Cell firstInRow = null;
    for (int i = 0; i < scanners.length; i++) {
      if (essential[i]) {
        if (scanners[i].peek() == first) {
          scanners[i].enterRow(true);
        } else {
          scanners[i].enterRow();
        }
        if (firstInRow == null && scanners[i].isInRow()) {
          firstInRow = scanners[i].peek();
        }
      }
    }
    return firstInRow;
  }

  /** Enters the current row with the other families, once the row has passed the filter. */
  void findRow() throws IOException {
    for (int i = 0; i < scanners.length; i++) {
      if (!essential[i]) {
        scanners[i].findRow();
      }
    }
  }

  /**
   * Adds the figures of all sources. Adds nothing between {@link #detach} and {@link #attach}.
   *
   * @param reads receives the reads of sources that have their own metrics
   * @param files takes, by {@link SourceMetrics.Use#ordinal}, the number of files
   */
  void addTo(ReadMetrics reads, long[] files) {
    for (StoreSource source : sources) {
      if (source != null) {
        source.trace().addTo(reads);
        for (SourceMetrics.Use use : SourceMetrics.Use.values()) {
          files[use.ordinal()] += source.trace().files(use);
        }
      }
    }
  }

  /**
   * Adds the number of cells of each outcome to {@code outcomes}, by {@link CellOutcome#ordinal}.
   */
  void addTo(long[] outcomes) {
    for (StoreScanner scanner : scanners) {
      scanner.outcomes().addTo(outcomes);
    }
  }

  /** Returns the number of seeks in all families. */
  long seeks() {
    return Arrays.stream(scanners).mapToLong(scanner -> scanner.outcomes().seeks()).sum();
  }

  /**
   * Closes and releases the sources, but remembers each family's place; see {@link
   * StoreScanner#detach}.
   *
   * @param keeping the family whose cell is still needed, or -1
   */
  void detach(int keeping) {
    for (int i = 0; i < scanners.length; i++) {
      scanners[i].detach(i == keeping);
    }
    Arrays.fill(sources, null);
  }

  /**
   * Continues with other sources at the places that {@link #detach} remembered.
   *
   * @param others one for each family that is read, in the same order
   * @param keeping as for {@link #detach}
   */
  void attach(List<StoreSource> others, long readPoint, int keeping) throws IOException {
    if (others.size() != scanners.length) {
      throw new IllegalArgumentException(
          others.size() + " sources for " + scanners.length + " families");
    }
    for (int i = 0; i < scanners.length; i++) {
      sources[i] = others.get(i);
      scanners[i].attach(others.get(i), readPoint, i == keeping);
    }
  }

  /** Closes the sources. */
  void close() {
    for (StoreScanner scanner : scanners) {
      scanner.close();
    }
  }

  /** Lets go of the sources, which are closed. */
  void forget() {
    for (StoreScanner scanner : scanners) {
      scanner.forget();
    }
    Arrays.fill(sources, null);
  }
}
