/**
 * The web side of a server: one page that shows what it serves and where the traffic goes, and a
 * health check. What it shows comes in as a {@link dev.cairn.server.http.ServerStatus} and a {@link
 * dev.cairn.server.health.HealthReport}; nothing here asks the rooms behind it.
 */
package dev.cairn.server.http;
