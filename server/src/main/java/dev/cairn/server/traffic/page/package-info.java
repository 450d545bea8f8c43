/**
 * The pages of traffic: the latest traffic of a region server, and the heat maps of tables; with
 * their data as JSON, CSV and PNG. The script {@code heatmap.js} draws the heat map. Imports {@code
 * page}.
 */
package dev.cairn.server.traffic.page;
