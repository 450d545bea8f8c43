package dev.cairn.server.filter;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/**
 * The classes that messages name: found by a class loader, checked to be of the wanted type before
 * any of their code runs, and created by their static {@code parseFrom(byte[])}, as HBase does it.
 * Results are cached. Any number of threads.
 */
final class FilterClasses {
  private final ClassLoader loader;
  private final Map<String, Class<?>> known = new ConcurrentHashMap<>();

  FilterClasses(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Returns the class that is called {@code name}.
   *
   * @param type the required type
   * @param what how people call that: "filter" or "comparator"
   * @throws DoNotRetryIOException naming the class if there is none, or it is no such thing
   */
  <T> Class<? extends T> find(String name, Class<T> type, String what)
      throws DoNotRetryIOException {
    Class<?> found = known.get(name);
    if (found == null) {
      try {
        found = Class.forName(name, false, loader);
      } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
        throw new DoNotRetryIOException(
            "The server does not know the "
                + what
                + " "
                + name
                + ": put it on its class path, or into the folder that hbase.dynamic.jars.dir names",
            e);
      }
    }
    if (!type.isAssignableFrom(found)) {
      throw new DoNotRetryIOException("The class " + name + " is no " + what);
    }
    known.put(name, found);
    return found.asSubclass(type);
  }

  /**
   * Makes an object of its message.
   *
   * @throws DoNotRetryIOException if the class cannot, or does not understand the message
   */
  <T> T make(Class<? extends T> type, byte[] message, Class<T> wanted, String what)
      throws DoNotRetryIOException {
    Object made;
    try {
      Method parse = type.getMethod("parseFrom", byte[].class);
      if (!Modifier.isStatic(parse.getModifiers())) {
        throw malformed(what, type.getName(), "its parseFrom(byte[]) is not static", null);
      }
      made = parse.invoke(null, (Object) message);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      throw malformed(what, type.getName(), "it has no public static method parseFrom(byte[])", e);
    } catch (InvocationTargetException e) {
      throw malformed(what, type.getName(), rootMessage(e.getCause()), e.getCause());
    } catch (LinkageError e) {
      throw malformed(what, type.getName(), rootMessage(e), e);
    }
    if (!wanted.isInstance(made)) {
      throw malformed(
          what, type.getName(), "its parseFrom(byte[]) returns " + made + ", no " + what, null);
    }
    return wanted.cast(made);
  }

  /** Returns the error for a message from which its class cannot be created. */
  static DoNotRetryIOException malformed(String what, String name, String why, Throwable cause) {
    return new DoNotRetryIOException(
        "The " + what + " " + name + " cannot be read from its message: " + why, cause);
  }

  /** Returns the innermost cause's message. */
  static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getName() : root.getMessage();
  }
}
