/**
 * Simulates a whole cluster, one thread at a time, from one seed. Masters and region servers are
 * the real ones, with their engines and logs. Machines, network, ZooKeeper and HDFS are simulated.
 * {@link dev.cairn.torture.cluster.ClusterRun} starts the cluster, runs clients, an administrator
 * and faults, and checks the answers that clients received.
 */
package dev.cairn.torture.cluster;
