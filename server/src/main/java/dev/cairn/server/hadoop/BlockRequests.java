package dev.cairn.server.hadoop;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;

/**
 * Calls a NameNode, and asks it to place no new block on some DataNodes. Hadoop's own client names
 * only DataNodes that have failed for the same file. An ordinary user may exclude DataNodes, but
 * may not ask which DataNodes there are. Thread-safe.
 *
 * @param nameNode receives the calls; not closed with this
 * @param prompt receives the calls that begin a file or a block, which the writer of a log waits
 *     for; fails soon if the NameNode does not answer
 * @param avoided returns the DataNodes to exclude, unless no other one takes the block
 */
record BlockRequests(
    ClientProtocol nameNode, ClientProtocol prompt, Supplier<Set<DatanodeInfo>> avoided)
    implements InvocationHandler, Closeable {
  private static final String NEW_BLOCK = "addBlock";
  private static final Set<String> PROMPT = Set.of("create", NEW_BLOCK, "abandonBlock", "delete");
  private static final int EXCLUDED = 3; // index of the argument of addBlock

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (!method.getName().equals(NEW_BLOCK)) {
      return call(method, arguments);
    }
    Set<DatanodeInfo> excluded = new LinkedHashSet<>(avoided.get());
    if (excluded.isEmpty()) {
      return call(method, arguments);
    }
    if (arguments[EXCLUDED] instanceof DatanodeInfo[] failed) {
      excluded.addAll(Arrays.asList(failed));
    }
    Object[] changed = arguments.clone();
    changed[EXCLUDED] = excluded.toArray(DatanodeInfo[]::new);
    try {
      return call(method, changed);
    } catch (IOException e) {
      if (HdfsSpace.isWithoutTarget(e)) {
        return call(method, arguments); // no other DataNode takes the block
      }
      throw e;
    }
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(PROMPT.contains(method.getName()) ? prompt : nameNode, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Override
  public void close() {}
}
