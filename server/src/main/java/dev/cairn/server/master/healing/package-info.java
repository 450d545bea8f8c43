/**
 * Restores what {@code hbase:meta} has lost, from the directories of the regions and from what the
 * master knows: {@link dev.cairn.server.master.healing.RegionCensus} decides which regions a table
 * has, {@link dev.cairn.server.master.healing.CatalogRecovery} restores rows when a master begins,
 * {@link dev.cairn.server.master.healing.CatalogHealer} while it leads, and {@link
 * dev.cairn.server.master.healing.HealingReport} keeps what was found and done.
 */
package dev.cairn.server.master.healing;
