package org.apache.hadoop.hbase;

import org.apache.hadoop.conf.Configuration;

/**
 * Takes the place of HBase's class. A test that starts a cluster of Apache HBase in its own JVM, and
 * so would not test the server, ends with an {@link InstantiationError}, because this class is
 * abstract.
 */
public abstract class MiniHBaseCluster extends HBaseCluster {
  protected MiniHBaseCluster(Configuration configuration) {
    super(configuration);
  }
}
