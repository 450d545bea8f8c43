/** Metrics of the JVM and of the engine. */
package dev.cairn.server.process.metrics;
