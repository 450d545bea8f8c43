/**
 * Clusters of several processes on this machine, as several measurements use them: their processes,
 * what each costs, and durations. Needs {@code compare} for the costs of a process.
 */
package dev.cairn.bench.cluster;
