package org.apache.hadoop.shaded.org.apache.zookeeper.client;

/**
 * Named by a method of Hadoop's {@code SecurityUtil}, but missing in {@code hadoop-client-runtime}.
 * Coprocessors that run code as the server's user, by HBase's {@code User.runAsLoginUser}, look at
 * all methods of {@code SecurityUtil}, which fails without this class. Nothing creates an object.
 *
 * <p>{@code hadoop-client-minicluster} has the class itself, and needs it. Where both are on a
 * class path, that jar comes first.
 */
public final class ZKClientConfig {
  private ZKClientConfig() {}
}
