package org.apache.hadoop.shaded.org.apache.zookeeper.client;

/**
 * Named by a method of Hadoop's {@code SecurityUtil}, but missing in {@code hadoop-client-runtime}.
 * Coprocessors that run code as the server's user, by HBase's {@code User.runAsLoginUser}, look at
 * all methods of {@code SecurityUtil}, which fails without this class. Nothing creates an object.
 */
public final class ZKClientConfig {
  private ZKClientConfig() {}
}
