/**
 * Whole tables at once, through Apache's client: export, import, copy, count and compare. A job
 * divides a table into ranges of rows ({@link dev.cairn.tools.bulk.RowRange}), or a folder into
 * files, and {@link dev.cairn.tools.bulk.Workers} work on them in parallel. Jobs that write keep a
 * {@link dev.cairn.tools.bulk.Journal} of what is done, so that the same command continues after a
 * stop.
 */
package dev.cairn.tools.bulk;
