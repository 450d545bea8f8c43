/**
 * Explanations of scans on their way to the client. A scan with {@link
 * dev.cairn.server.explain.ExplainOptions#ATTRIBUTE} returns, instead of its rows, one cell for
 * each row that it comes to. The cell explains in JSON the outcomes of the row's cells. The first
 * cell lists the sources of the read, and the last one its metrics.
 */
package dev.cairn.server.explain;
