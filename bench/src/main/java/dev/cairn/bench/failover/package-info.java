/**
 * {@code bin/cairn bench failover}: measures how long writers wait when a server of a cluster is
 * killed or frozen, and checks that no acknowledged write is lost. {@code bin/cairn bench moves}:
 * measures how long clients of a region wait while it moves. Both run against a cluster of their
 * own, or against any cluster that speaks HBase's protocol.
 */
package dev.cairn.bench.failover;
