/**
 * Conditions that rows must fulfil to be part of a scan's result, in terms of values of single
 * columns: what a secondary index can search for. {@link
 * dev.cairn.engine.scan.condition.RowCondition} combines columns, {@link
 * dev.cairn.engine.scan.condition.ValueRanges} is a set of values.
 *
 * <p>Imports {@code cell} alone.
 */
package dev.cairn.engine.scan.condition;
