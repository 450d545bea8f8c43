package org.apache.hadoop.shaded.org.apache.zookeeper.common;

/**
 * Named by a method of Hadoop's {@code SecurityUtil}, as is {@link
 * org.apache.hadoop.shaded.org.apache.zookeeper.client.ZKClientConfig}, where the class path is
 * described, too.
 */
public final class ClientX509Util {
  private ClientX509Util() {}
}
