package dev.cairn.studies;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** A connection whose tables call a test before each call that writes. */
public final class WatchedWrites {
  private static final Set<String> WRITES =
      Set.of(
          "put",
          "delete",
          "append",
          "increment",
          "incrementColumnValue",
          "mutateRow",
          "checkAndMutate",
          "batch");

  /** Is called before a call that writes. */
  public interface Watcher {
    /**
     * Does something before the write is sent.
     *
     * @throws IOException instead of the write
     */
    void beforeWrite() throws IOException;
  }

  private WatchedWrites() {}

  /** Returns a connection that writes through another one. */
  public static Connection connection(Connection connection, Watcher watcher) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = invoke(() -> method.invoke(connection, arguments));
          return result instanceof Table table ? table(table, watcher) : result;
        });
  }

  private static Table table(Table table, Watcher watcher) {
    return proxy(
        Table.class,
        (proxy, method, arguments) -> {
          if (WRITES.contains(method.getName())) {
            watcher.beforeWrite();
          }
          return invoke(() -> method.invoke(table, arguments));
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A call of a method by reflection. */
  private interface Call {
    Object run() throws ReflectiveOperationException;
  }

  private static Object invoke(Call call) throws Throwable {
    try {
      return call.run();
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
