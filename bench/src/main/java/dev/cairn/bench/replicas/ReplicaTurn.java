package dev.cairn.bench.replicas;

import dev.cairn.bench.cluster.Percentiles;

/**
 * The measurements of one turn.
 *
 * @param replicas the number of replicas, without the region itself
 * @param putsPerSecond acknowledged puts
 * @param primaryMicros processor time of the region's server, for each put
 * @param allMicros processor time of all region servers, for each put
 * @param sentBytes bytes sent to replicas, for each put
 * @param sentRatio bytes sent to replicas, divided by those that the region's server logged
 * @param memoryRatio bytes that the replicas hold in memory, divided by those of the region
 * @param lags milliseconds from an acknowledged put until a replica showed it
 * @param dropped changes that the region's server dropped for lack of memory
 * @param refused messages that replicas refused
 */
record ReplicaTurn(
    int replicas,
    int valueBytes,
    double putsPerSecond,
    double primaryMicros,
    double allMicros,
    double sentBytes,
    double sentRatio,
    double memoryRatio,
    Percentiles lags,
    long dropped,
    long refused) {}
