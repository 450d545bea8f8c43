package dev.cairn.coprocessor.load;

import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerObserver;
import org.apache.hadoop.hbase.coprocessor.WALCoprocessor;
import org.apache.hadoop.hbase.coprocessor.WALObserver;

/** Refuses classes that cannot be instantiated, or whose hooks Cairn does not call. */
public final class ClassRules {
  /** The coprocessors of regions. */
  public static final Kind REGION =
      new Kind(
          "regions",
          RegionCoprocessor.class,
          Map.of(
              RegionObserver.class, "getRegionObserver",
              EndpointObserver.class, "getEndpointObserver",
              BulkLoadObserver.class, "getBulkLoadObserver"));

  /** The coprocessors of logs. */
  public static final Kind LOG =
      new Kind("logs", WALCoprocessor.class, Map.of(WALObserver.class, "getWALObserver"));

  /** The coprocessors of a region server. */
  public static final Kind SERVER =
      new Kind(
          "region server",
          RegionServerCoprocessor.class,
          Map.of(RegionServerObserver.class, "getRegionServerObserver"));

  /** The coprocessors of the master. */
  public static final Kind MASTER =
      new Kind(
          "master", MasterCoprocessor.class, Map.of(MasterObserver.class, "getMasterObserver"));

  /**
   * A kind of coprocessors.
   *
   * @param place what loads them, for users
   * @param type HBase's interface
   * @param getters its interfaces of hooks, each with the method by which a coprocessor returns its
   *     object
   */
  public record Kind(String place, Class<?> type, Map<Class<?>, String> getters) {}

  private ClassRules() {}

  /**
   * Returns why a class of a coprocessor cannot run: it overrides a hook that is not called, or
   * cannot be instantiated. Its hooks may also be in an object of another class, which is
   * {@linkplain #refusalOfObserver judged} when there is one.
   *
   * @throws LinkageError if a class that it needs cannot be loaded
   */
  public static Optional<String> refusal(Kind kind, Class<?> type) {
    for (Map.Entry<Class<?>, String> getter : kind.getters().entrySet()) {
      if (getter.getKey().isAssignableFrom(type)
          && returnsObserver(kind, type, getter.getValue())) {
        Optional<String> reason = refusalOfObserver(kind, type, type);
        if (reason.isPresent()) {
          return reason;
        }
      }
    }
    return canBeMade(type)
        ? Optional.empty()
        : Optional.of(
            "the coprocessor "
                + type.getName()
                + " cannot be made: it must be public and not abstract, with a public"
                + " constructor without parameters");
  }

  /**
   * Returns why a coprocessor cannot run with the hooks of a class.
   *
   * @param type the coprocessor
   * @param observer the class of the object with its hooks, which may be the same
   */
  public static Optional<String> refusalOfObserver(Kind kind, Class<?> type, Class<?> observer) {
    return CalledHooks.uncalled(HookSet.of(observer), kind.getters().keySet())
        .map(
            hook ->
                "the coprocessor "
                    + type.getName()
                    + " has the hook "
                    + hook
                    + (observer == type ? "" : " in " + observer.getName())
                    + ", which Cairn does not call");
  }

  private static boolean canBeMade(Class<?> type) {
    try {
      return !Modifier.isAbstract(type.getModifiers())
          && Modifier.isPublic(type.getModifiers())
          && Modifier.isPublic(type.getDeclaredConstructor().getModifiers());
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  /** HBase asks only a class that overrides the getter. */
  private static boolean returnsObserver(Kind kind, Class<?> type, String getter) {
    try {
      return kind.type().isAssignableFrom(type)
          && type.getMethod(getter).getDeclaringClass() != kind.type();
    } catch (NoSuchMethodException e) {
      return false;
    }
  }
}
