/**
 * {@code bin/cairn bench replicas}: measures what region replicas that follow the log cost: the
 * processor time of writes, the bytes that are sent, the memory of the replicas, and their lag.
 */
package dev.cairn.bench.replicas;
