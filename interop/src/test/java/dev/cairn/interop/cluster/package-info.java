/**
 * Cairn as a cluster of processes on the loopback address, with HDFS or a shared local folder:
 * {@link dev.cairn.interop.cluster.ClusterProcesses} starts, kills and freezes them.
 */
package dev.cairn.interop.cluster;
