/**
 * Decisions about cells: TTL, delete markers, columns, versions, filter. {@link
 * dev.cairn.engine.scan.match.ScanQueryMatcher} combines them for a scan. The trackers of delete
 * markers also serve compactions.
 *
 * <p>Imports {@code scan}. Nothing here moves a cursor.
 */
package dev.cairn.engine.scan.match;
