/**
 * {@code cairn bench index}: measures what secondary indexes cost writes, what they gain for
 * queries, and what a query costs that asks many regions.
 */
package dev.cairn.bench.index;
