package dev.cairn.coprocessor.facade;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;

/**
 * Allocates the objects of a facade without a constructor, as deserialization does: HBase's
 * constructors would start a region of HBase. Thread-safe.
 *
 * @param <T> the facade
 */
public final class Allocation<T> {
  private final Constructor<? extends T> constructor;

  private Allocation(Constructor<? extends T> constructor) {
    this.constructor = constructor;
  }

  /**
   * Returns the allocation of a facade, whose unserved methods throw by name. At most one for each
   * facade: it defines a class.
   *
   * @param facade a public class that overrides the methods that are served; may be the class of
   *     HBase itself
   * @param replaced the class of HBase
   */
  public static <T> Allocation<T> of(Class<T> facade, Class<? super T> replaced) {
    try {
      Class<? extends T> type = new UnservedMethods(replaced).subclass(facade);
      // By reflection: the compiler warns of the class, and the warning cannot be suppressed.
      Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
      Object made = factory.getMethod("getReflectionFactory").invoke(null);
      @SuppressWarnings("unchecked") // of that class, says the factory's contract
      Constructor<? extends T> constructor =
          (Constructor<? extends T>)
              factory
                  .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                  .invoke(made, type, Object.class.getDeclaredConstructor());
      return new Allocation<>(constructor);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no object of " + facade + " can be allocated", e);
    }
  }

  /** Returns a new object whose fields have their default values. */
  public T object() {
    try {
      return constructor.newInstance();
    } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("no object of " + constructor + " can be allocated", e);
    }
  }
}
