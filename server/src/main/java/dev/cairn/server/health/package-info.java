/**
 * How well a server is: named checks, each of which answers ok, warn or fail with one sentence. A
 * {@link dev.cairn.server.health.HealthMonitor} runs them; the web page, {@code /health} and {@code
 * cairn status} show its report. The checks themselves live beside what they look at.
 */
package dev.cairn.server.health;
