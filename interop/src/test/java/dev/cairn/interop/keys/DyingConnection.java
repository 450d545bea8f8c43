package dev.cairn.interop.keys;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** A client that dies at one of its requests: nothing that it asks for afterwards is sent. */
final class DyingConnection {
  /** Thrown at the death, and by all requests after it. */
  static final class Died extends RuntimeException {}

  private static final Set<String> REQUESTS = Set.of("get", "incrementColumnValue", "thenPut");

  private final Connection connection;
  private final boolean lastRequestArrives;
  private int requestsLeft;

  /** Creates a client with so many requests before the last one, which arrives or does not. */
  DyingConnection(Connection alive, int requests, boolean lastRequestArrives) {
    this.requestsLeft = requests;
    this.lastRequestArrives = lastRequestArrives;
    connection = wrapped(Connection.class, alive);
  }

  Connection connection() {
    return connection;
  }

  private <T> T wrapped(Class<T> type, Object alive) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              boolean request = REQUESTS.contains(method.getName());
              boolean dies = request && --requestsLeft < 0;
              if (dies && (requestsLeft < -1 || !lastRequestArrives)) {
                throw new Died();
              }
              Object result = invoke(alive, method, arguments);
              if (dies) {
                throw new Died();
              }
              if (result == alive) {
                return proxy;
              }
              boolean wrap =
                  method.getReturnType() == Table.class
                      || method.getName().equals("checkAndMutate");
              return wrap ? wrapped(method.getReturnType(), result) : result;
            }));
  }

  private static Object invoke(Object alive, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(alive, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
