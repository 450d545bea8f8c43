/**
 * Traces: continues the OpenTelemetry context of clients in spans of this server's calls, and sends
 * them to a collector. A call enters with the bytes of its trace context; spans leave by OTLP. The
 * classes of OpenTelemetry's SDK load only if a collector is configured.
 */
package dev.cairn.server.tracing;
