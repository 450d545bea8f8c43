package dev.cairn.coprocessor.load;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.coprocessor.RegionServerObserver;
import org.apache.hadoop.hbase.coprocessor.WALObserver;

/**
 * The hooks that a class overrides, itself or in a superclass or an interface other than HBase's.
 * Other hooks of the class need not be called. Computed once for each class, without initializing
 * it.
 *
 * @param hooks all overridden hooks
 */
public record HookSet(List<Hook> hooks) {
  private static final List<Class<?>> KINDS =
      List.of(
          RegionObserver.class,
          EndpointObserver.class,
          BulkLoadObserver.class,
          RegionServerObserver.class,
          WALObserver.class,
          MasterObserver.class);

  private static final ClassValue<HookSet> KNOWN =
      new ClassValue<>() {
        @Override
        protected HookSet computeValue(Class<?> type) {
          return find(type);
        }
      };

  /**
   * A hook.
   *
   * @param kind HBase's interface that declares it
   * @param name the method's name, which may have several overloads
   */
  public record Hook(Class<?> kind, String name) {
    @Override
    public String toString() {
      return kind.getSimpleName() + "." + name;
    }
  }

  /**
   * Returns the hooks of a class.
   *
   * @throws LinkageError if it uses classes that are missing
   */
  public static HookSet of(Class<?> type) {
    return KNOWN.get(type);
  }

  /** Tells whether the class overrides any overload of a hook. */
  public boolean has(Class<?> kind, String name) {
    return hooks.contains(new Hook(kind, name));
  }

  private static HookSet find(Class<?> type) {
    List<Hook> hooks = new ArrayList<>();
    for (Class<?> kind : KINDS) {
      if (kind.isAssignableFrom(type)) {
        for (Method method : kind.getMethods()) {
          Hook hook = new Hook(kind, method.getName());
          if (!Modifier.isStatic(method.getModifiers())
              && !hooks.contains(hook)
              && isOverridden(type, method)) {
            hooks.add(hook);
          }
        }
      }
    }
    return new HookSet(List.copyOf(hooks));
  }

  private static boolean isOverridden(Class<?> type, Method method) {
    try {
      return type.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass()
          != method.getDeclaringClass();
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type + " does not have the method of its interface", e);
    }
  }
}
