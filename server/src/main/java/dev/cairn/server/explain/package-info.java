/**
 * Explanations of scans on their way to the client. A scan with {@link
 * dev.cairn.server.explain.ExplainOptions#ATTRIBUTE} comes in; instead of its rows, one cell for
 * each row that it may come to goes out, which says in JSON what became of the row's cells, between
 * two that say what there is to read and what was read.
 */
package dev.cairn.server.explain;
