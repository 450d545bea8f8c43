/**
 * Scans of one region: requests and results. The subpackages do the work; they import this package,
 * which imports only {@code condition}. A scan, from the top:
 *
 * <ol>
 *   <li>{@link dev.cairn.engine.scan.RegionRead}: a read of a region for one {@link
 *       dev.cairn.engine.scan.ScanRequest}. Each call has a {@link
 *       dev.cairn.engine.scan.ReadBudget} and returns a {@link dev.cairn.engine.scan.ScanProgress}.
 *       The region implements it.
 *   <li>{@code row.RowScanner} goes from row to row and asks the {@link
 *       dev.cairn.engine.scan.ScanFilter} about each. {@code row.FamilyScanners} finds the next
 *       row.
 *   <li>{@code row.RowReader} copies a row's cells to the caller's buffer, family by family. {@code
 *       row.RowBuffer} first holds a row that the filter must see as a whole.
 *   <li>{@code row.StoreScanner} steps through the cells of one family, and copies plain cells in
 *       runs.
 *   <li>{@code match.ScanQueryMatcher} decides about each other cell: TTL, delete markers, time
 *       range, columns, versions, filter.
 *   <li>{@code merge.MergingCursor} merges the cursors of a {@link
 *       dev.cairn.engine.scan.StoreSource}: one per memstore segment and store file.
 * </ol>
 *
 * <p>A get is a scan of one row. A flush or compaction reads with {@code
 * retention.CompactionCursor} instead. {@link dev.cairn.engine.scan.ScanObserver} receives the
 * decisions, {@link dev.cairn.engine.scan.ScanStatistics} counts them. A filter may name a {@code
 * condition.RowCondition} that all rows of its result fulfil.
 */
package dev.cairn.engine.scan;
