package dev.cairn.coprocessor.facade;

import java.lang.reflect.Constructor;

/** Allocates objects without running their constructors, as deserialization does. */
public final class Allocation {
  private Allocation() {}

  /** Returns an object whose fields have their default values. */
  public static <T> T of(Class<T> type) {
    try {
      // By reflection: the compiler warns of the class, and the warning cannot be suppressed.
      Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
      Object made = factory.getMethod("getReflectionFactory").invoke(null);
      Constructor<?> constructor =
          (Constructor<?>)
              factory
                  .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                  .invoke(made, type, Object.class.getDeclaredConstructor());
      return type.cast(constructor.newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no object of " + type + " can be allocated", e);
    }
  }
}
