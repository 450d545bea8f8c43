/**
 * Divides tables into regions ({@code cairn regionsplitter}): {@link
 * dev.cairn.launcher.regions.SplitAlgorithm} chooses rows, {@link
 * dev.cairn.launcher.regions.RegionSplitter} creates tables with regions and splits the regions of
 * tables, through Apache's client.
 */
package dev.cairn.launcher.regions;
