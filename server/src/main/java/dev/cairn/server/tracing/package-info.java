/**
 * Continues the OpenTelemetry traces of clients in spans of this server's calls, and sends the
 * spans to a collector by OTLP. The classes of OpenTelemetry's SDK load only if a collector is
 * configured.
 */
package dev.cairn.server.tracing;
