package dev.cairn.server.coordination;

import java.util.Properties;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;

/**
 * The settings of a ZooKeeper client, from Java's system properties as with {@link ZKClientConfig};
 * but that one looks for settings of TLS by loading what would do TLS, which reads all of Java's
 * trusted certificates: some tenths of a second of each start. So this one does as it does only if
 * there are such settings.
 */
final class QuickClientConfig extends ZKClientConfig {
  private static final String TLS_PREFIX = "zookeeper.ssl.";
  private static final String PREFIX = "zookeeper.";

  /** Called by the constructor, before anything of this class is there. */
  @Override
  protected void handleBackwardCompatibility() {
    Properties properties = System.getProperties();
    if (isSecure(properties)) {
      super.handleBackwardCompatibility();
      return;
    }
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith(PREFIX)
          || name.equals(ZKConfig.JUTE_MAXBUFFER)
          || name.equals(ZKConfig.JGSS_NATIVE)) {
        setProperty(name, properties.getProperty(name));
      }
    }
  }

  private static boolean isSecure(Properties properties) {
    return Boolean.parseBoolean(properties.getProperty(SECURE_CLIENT))
        || properties.stringPropertyNames().stream().anyMatch(name -> name.startsWith(TLS_PREFIX));
  }
}
