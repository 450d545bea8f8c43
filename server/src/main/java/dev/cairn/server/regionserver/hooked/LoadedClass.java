package dev.cairn.server.regionserver.hooked;

import java.util.List;

/**
 * A coprocessor that runs in a region.
 *
 * @param priority the order of calls, the lowest first
 * @param source whether the site or the table names it, and its jar if it is not on the class path
 * @param hooks the names of the hooks that it has
 * @param services the names of the services (endpoints) that it brings
 */
public record LoadedClass(
    String className, int priority, String source, List<String> hooks, List<String> services) {
  /** Copies the lists. */
  public LoadedClass {
    hooks = List.copyOf(hooks);
    services = List.copyOf(services);
  }

  /** Returns the name without its package, which HBase's reports contain. */
  public String simpleName() {
    return className.substring(
        Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
  }
}
