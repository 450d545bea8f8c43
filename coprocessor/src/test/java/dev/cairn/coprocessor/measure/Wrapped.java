package dev.cairn.coprocessor.measure;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.RegionScanner;

/** Scanners that do something before each call for cells. */
final class Wrapped {
  private Wrapped() {}

  static RegionScanner of(RegionScanner scanner, Runnable before) {
    return of(RegionScanner.class, scanner, before);
  }

  static InternalScanner of(InternalScanner scanner, Runnable before) {
    return of(InternalScanner.class, scanner, before);
  }

  private static <T> T of(Class<T> type, T scanner, Runnable before) {
    return type.cast(
        Proxy.newProxyInstance(
            Wrapped.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("next")) {
                before.run();
              }
              try {
                return method.invoke(scanner, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
