package dev.cairn.engine.scan;

/**
 * What a scan has looked at.
 *
 * @param rowsScanned rows of which at least one cell was looked at
 * @param rowsFiltered rows of which nothing was returned, for the filter or because all is hidden
 * @param lastRow the row that was looked at last, empty before the first; for cursors and
 *     heartbeats
 */
public record ScanStatistics(long rowsScanned, long rowsFiltered, byte[] lastRow) {}
