/**
 * Restores lost rows of {@code hbase:meta}, from the directories of the regions and from the
 * master's memory: {@link dev.cairn.server.master.healing.RegionCensus} decides which regions a
 * table has, {@link dev.cairn.server.master.healing.CatalogRecovery} restores rows when a master
 * begins, {@link dev.cairn.server.master.healing.CatalogHealer} while it leads, and {@link
 * dev.cairn.server.master.healing.HealingReport} keeps the problems and repairs.
 */
package dev.cairn.server.master.healing;
