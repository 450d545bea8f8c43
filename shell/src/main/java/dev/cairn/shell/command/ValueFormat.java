package dev.cairn.shell.command;

import dev.cairn.shell.run.ShellException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;

/** Formats bytes by a static method that takes a {@code byte[]}. */
final class ValueFormat {
  private static final Pattern CUSTOM = Pattern.compile("c\\((.+)\\)\\.(\\w+)");
  private static final Pattern METHOD = Pattern.compile("to[A-Z]\\w*");

  private final Method method;

  private ValueFormat(Method method) {
    this.method = method;
  }

  /**
   * Returns the format that a column's last part names: {@code toInt}, a method of {@link Bytes},
   * or {@code c(org.example.Formats).price}. Empty if it names none and so belongs to the
   * qualifier.
   *
   * @throws ShellException if the class or its method does not exist
   */
  static Optional<ValueFormat> named(String name) {
    Matcher custom = CUSTOM.matcher(name);
    if (custom.matches()) {
      return Optional.of(of(custom.group(1), custom.group(2)));
    }
    if (!METHOD.matcher(name).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new ValueFormat(Bytes.class.getMethod(name, byte[].class)));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns the format of a class's method.
   *
   * @throws ShellException if there is no such class or method
   */
  static ValueFormat of(String className, String method) {
    try {
      return new ValueFormat(Class.forName(className).getMethod(method, byte[].class));
    } catch (ClassNotFoundException | LinkageError e) {
      throw new ShellException(
          "The formatter's class " + className + " is not on the class path or is damaged", e);
    } catch (NoSuchMethodException e) {
      throw new ShellException(
          "The formatter's class " + className + " has no method " + method + "(byte[])", e);
    }
  }

  /** Returns the method's result for the bytes: a number, a boolean or a string. */
  Object format(byte[] bytes) {
    try {
      Object result = method.invoke(null, (Object) bytes);
      return result instanceof Number || result instanceof Boolean
          ? result
          : String.valueOf(result);
    } catch (InvocationTargetException e) {
      throw new ShellException(
          "The formatter "
              + method.getName()
              + " fails on "
              + Bytes.toStringBinary(bytes)
              + ": "
              + e.getCause().getMessage(),
          e);
    } catch (ReflectiveOperationException | NullPointerException e) {
      throw new ShellException(
          "The formatter " + method.getName() + " cannot be called: it must be public and static",
          e);
    }
  }
}
