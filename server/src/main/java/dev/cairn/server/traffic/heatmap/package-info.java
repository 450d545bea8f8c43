/**
 * The key-range heat map: traffic by time and key. {@link
 * dev.cairn.server.traffic.heatmap.KeyHistogram} gathers one step of time in bounded memory, {@link
 * dev.cairn.server.traffic.heatmap.HeatFile} is the format on disk, {@link
 * dev.cairn.server.traffic.heatmap.HeatFiles} keeps the files, and {@link
 * dev.cairn.server.traffic.heatmap.HeatMap} is the answer to a query. Heat maps are keyed by ranges
 * of rows, so moves and splits of regions do not affect them. Imports the engine's storage only.
 */
package dev.cairn.server.traffic.heatmap;
