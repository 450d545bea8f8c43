/**
 * Apache HBase's own filter and comparator classes over the engine's scan, and users' ones: {@link
 * dev.cairn.server.filter.FilterParser} makes them of the protocol's messages, {@link
 * dev.cairn.server.filter.FilterLanguage} of text, {@link dev.cairn.server.filter.DynamicJars}
 * finds those that come while the server runs. {@link dev.cairn.server.filter.FilterAdapter} lets
 * the engine ask them, and {@link dev.cairn.server.filter.CellView} shows them the engine's cells
 * without copying. {@link dev.cairn.server.filter.FilterConditions} and {@link
 * dev.cairn.server.filter.RowIndependence} tell what an index needs to know of a filter.
 */
package dev.cairn.server.filter;
