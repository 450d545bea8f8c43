/**
 * Rows out of the cells of families: the next row, its cells in order, and the limits of a call.
 * {@link dev.cairn.engine.scan.row.RowScanner} is the entry point; each class below it has one
 * task.
 *
 * <p>Imports {@code scan}, {@code match} and {@code merge}.
 */
package dev.cairn.engine.scan.row;
