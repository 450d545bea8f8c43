/**
 * The web side of a server: one page that shows what it serves and where the traffic goes, and a
 * health check. Its content comes in as a {@link dev.cairn.server.http.ServerStatus}, a {@link
 * dev.cairn.server.health.HealthReport} and {@link dev.cairn.server.metrics.MetricPages}; this
 * package depends on no other part of the server.
 */
package dev.cairn.server.http;
