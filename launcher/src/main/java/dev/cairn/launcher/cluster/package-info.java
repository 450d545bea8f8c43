/**
 * Runs a whole cluster on the loopback address, for trials, tests and measurements: HDFS,
 * ZooKeeper, masters and region servers, each a process of its own. {@link
 * dev.cairn.launcher.cluster.LocalCluster} starts, kills, freezes and restarts them by name. {@link
 * dev.cairn.launcher.cluster.ClusterFolder} describes the files of a cluster.
 */
package dev.cairn.launcher.cluster;
