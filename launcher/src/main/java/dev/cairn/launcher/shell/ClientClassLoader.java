package dev.cairn.launcher.shell;

import java.net.URL;
import java.util.Set;

/**
 * Hides classes and files from Hadoop that HBase's client does not use and that take time to load.
 * It is meant as the context class loader of a thread: configurations that the thread creates load
 * their classes and files here.
 *
 * <ul>
 *   <li>{@code JobConf}: Hadoop initializes this class if it exists. That adds the defaults of
 *       MapReduce and YARN to all configurations, and each configuration is read again.
 *   <li>{@code core-default.xml}: Hadoop reads it to find the user, and has the same defaults in
 *       its code. {@code core-site.xml} stays visible. HBase's own configurations use another
 *       loader.
 * </ul>
 */
final class ClientClassLoader extends ClassLoader {
  private static final Set<String> CLASSES = Set.of("org.apache.hadoop.mapred.JobConf");
  private static final Set<String> FILES = Set.of("core-default.xml");

  ClientClassLoader(ClassLoader parent) {
    super(parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (CLASSES.contains(name)) {
      throw new ClassNotFoundException(name);
    }
    return super.loadClass(name, resolve);
  }

  @Override
  public URL getResource(String name) {
    return FILES.contains(name) ? null : super.getResource(name);
  }
}
