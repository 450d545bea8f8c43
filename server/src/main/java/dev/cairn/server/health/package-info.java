/**
 * Health checks of a server. Each check has a name, and returns ok, warn or fail with a message. A
 * {@link dev.cairn.server.health.HealthMonitor} runs them; the web page, {@code /health} and {@code
 * cairn status} show its report. Each check is in the package of the part that it checks.
 */
package dev.cairn.server.health;
