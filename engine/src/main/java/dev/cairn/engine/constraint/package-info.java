/**
 * Parses the constraints that a table declares for its columns, and checks values. {@link
 * dev.cairn.engine.constraint.ColumnRules} parses the attributes of a table.
 */
package dev.cairn.engine.constraint;
