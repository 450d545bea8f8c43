/**
 * Divides tables into regions ({@code cairn regionsplitter}): {@link
 * dev.cairn.launcher.regions.RegionSplitter} creates tables with regions and splits the regions of
 * tables, through Apache's client. {@link dev.cairn.shell.split.SplitAlgorithm} chooses the rows.
 */
package dev.cairn.launcher.regions;
