package org.apache.hadoop.hbase.zookeeper;

/** Takes the place of HBase's class, so that a test that starts a ZooKeeper ends with an error. */
public abstract class MiniZooKeeperCluster {}
