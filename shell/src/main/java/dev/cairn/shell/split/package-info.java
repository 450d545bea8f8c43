/**
 * Chooses the rows at which tables are divided into regions: {@link
 * dev.cairn.shell.split.SplitAlgorithm} has HBase's algorithms, for {@code create} with NUMREGIONS
 * and for {@code cairn regionsplitter}.
 */
package dev.cairn.shell.split;
