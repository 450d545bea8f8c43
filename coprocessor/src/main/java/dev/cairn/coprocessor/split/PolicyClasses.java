package dev.cairn.coprocessor.split;

import dev.cairn.server.hook.HookFailedException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;

/** Finds the classes of split policies on the server's class path. */
public final class PolicyClasses {
  private PolicyClasses() {}

  /**
   * Returns a class of a split policy, without initializing it.
   *
   * @throws HookFailedException if it cannot be loaded or instantiated, or is not a split policy
   */
  public static Class<? extends RegionSplitPolicy> load(String className)
      throws HookFailedException {
    try {
      Class<?> type = Class.forName(className, false, PolicyClasses.class.getClassLoader());
      if (!RegionSplitPolicy.class.isAssignableFrom(type)) {
        throw new HookFailedException(className + " is no RegionSplitPolicy", null);
      }
      if (Modifier.isAbstract(type.getModifiers())) {
        throw new InstantiationException("it is abstract");
      }
      type.getDeclaredConstructor();
      return type.asSubclass(RegionSplitPolicy.class);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new HookFailedException("the split policy " + className + " cannot be loaded: " + e, e);
    }
  }

  /**
   * Creates a policy. As in HBase, the class and its constructor need not be public.
   *
   * @throws Exception whatever its constructor throws
   */
  static RegionSplitPolicy object(Class<? extends RegionSplitPolicy> type) throws Exception {
    Constructor<? extends RegionSplitPolicy> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }
}
