/**
 * The constraints that a table declares for its columns: their text, and the check of values. The
 * attributes of a table enter; {@link dev.cairn.engine.constraint.ColumnRules} leaves.
 */
package dev.cairn.engine.constraint;
