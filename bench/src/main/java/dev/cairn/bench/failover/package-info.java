/**
 * {@code bin/cairn bench failover}: measures how long writers wait when a server of a cluster is
 * killed or frozen, and checks that no acknowledged write is lost. Runs against a cluster of its
 * own, or against any cluster that speaks HBase's protocol.
 */
package dev.cairn.bench.failover;
