package dev.cairn.studies;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * A client that dies while it writes: after some calls that write, each further one fails before it
 * is sent. One thread.
 */
public final class DyingClient {
  private static final Set<String> WRITES =
      Set.of(
          "put",
          "delete",
          "append",
          "increment",
          "mutateRow",
          "checkAndMutate",
          "batch",
          "incrementColumnValue");

  private final Connection connection;
  private int writesLeft;

  /**
   * Creates a client.
   *
   * @param connection through which it writes; stays open
   * @param writes that it lives
   */
  public DyingClient(Connection connection, int writes) {
    this.connection = connection;
    this.writesLeft = writes;
  }

  /** Returns its connection. */
  public Connection connection() {
    return proxy(
        Connection.class,
        (proxy, method, arguments) -> {
          Object result = invoke(() -> method.invoke(connection, arguments));
          return result instanceof Table table ? dying(table) : result;
        });
  }

  /** Returns whether it has died. */
  public boolean isDead() {
    return writesLeft < 0;
  }

  private Table dying(Table table) {
    return proxy(
        Table.class,
        (proxy, method, arguments) -> {
          if (WRITES.contains(method.getName()) && --writesLeft < 0) {
            throw new IOException("The client is dead");
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
