/**
 * The web server: the network, limits for clients, and the addresses that are not pages. Its
 * content comes in as {@link dev.cairn.server.page.Pages}, a {@link
 * dev.cairn.server.http.ServerStatus}, a {@link dev.cairn.server.health.HealthReport} and {@link
 * dev.cairn.server.metrics.MetricPages}; this package depends on no other part of the server.
 */
package dev.cairn.server.http;
