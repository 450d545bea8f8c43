/**
 * Reading: cursors over cells, stacked. At the bottom one per memstore segment and store file,
 * above them a merge, above that versions, delete markers and TTL, at the top the assembly of rows.
 */
package dev.cairn.engine.scan;
