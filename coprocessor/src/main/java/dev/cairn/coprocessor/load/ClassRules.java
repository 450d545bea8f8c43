package dev.cairn.coprocessor.load;

import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** Refuses classes whose hooks Cairn does not call. */
public final class ClassRules {
  /**
   * HBase's interfaces of hooks, each with the method by which a coprocessor returns its object.
   */
  private static final Map<Class<?>, String> GETTERS =
      Map.of(
          RegionObserver.class, "getRegionObserver",
          EndpointObserver.class, "getEndpointObserver",
          BulkLoadObserver.class, "getBulkLoadObserver");

  private ClassRules() {}

  /**
   * Returns why a coprocessor of regions cannot run: it overrides a hook that is not called. Hooks
   * may also be in an object of another class, which {@link #refusalOfObserver} checks when the
   * object exists.
   */
  public static Optional<String> refusal(Class<?> type) {
    try {
      for (Map.Entry<Class<?>, String> getter : GETTERS.entrySet()) {
        if (getter.getKey().isAssignableFrom(type) && returnsObserver(type, getter.getValue())) {
          return refusalOfObserver(type, type);
        }
      }
      return Optional.empty();
    } catch (LinkageError e) {
      return Optional.of(
          "the coprocessor " + type.getName() + " uses a class that cannot be loaded: " + e);
    }
  }

  /**
   * Returns why a coprocessor cannot run with the hooks of a class.
   *
   * @param type the coprocessor
   * @param observer the class of the object with its hooks, which may be the same
   */
  public static Optional<String> refusalOfObserver(Class<?> type, Class<?> observer) {
    return CalledHooks.uncalled(HookSet.of(observer))
        .map(
            hook ->
                "the coprocessor "
                    + type.getName()
                    + " has the hook "
                    + hook
                    + (observer == type ? "" : " in " + observer.getName())
                    + ", which Cairn does not call");
  }

  /** Tells whether a class overrides the getter. HBase calls hooks only of such classes. */
  private static boolean returnsObserver(Class<?> type, String getter) {
    try {
      return RegionCoprocessor.class.isAssignableFrom(type)
          && type.getMethod(getter).getDeclaringClass() != RegionCoprocessor.class;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }
}
