/**
 * The metrics that coprocessors register themselves. Apache's registries come in; the sources of
 * the process's metrics leave.
 */
package dev.cairn.coprocessor.metrics;
