/**
 * Clusters of several processes on this machine, shared by several measurements: the processes, the
 * processor time of each, and percentiles of durations. Needs {@code compare} for the figures of a
 * process.
 */
package dev.cairn.bench.cluster;
