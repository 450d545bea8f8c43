package dev.cairn.coprocessor.master;

import java.io.IOException;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.BalanceRequest;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.master.RegionPlan;
import org.apache.hadoop.hbase.quotas.GlobalQuotaSettings;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A coprocessor of the master that overrides all hooks: records each call with its arguments, fails
 * where a test wants it, and then does what a class without the hook does. Uses nothing of Cairn,
 * so that it also runs in HBase.
 */
public class MasterProbe implements MasterCoprocessor, InvocationHandler {
  /** What a hook does after it is recorded. */
  @FunctionalInterface
  public interface Act {
    void run(Object[] arguments) throws IOException;
  }

  /** The calls so far. */
  public static final List<String> CALLS = new CopyOnWriteArrayList<>();

  /** The calls so far for which there was no caller. */
  public static final List<String> WITHOUT_CALLER = new CopyOnWriteArrayList<>();

  /** By the names of hooks. */
  public static final Map<String, Act> ACTS = new ConcurrentHashMap<>();

  /** The calls that came from the loop of Cairn's master or from a thread of the network. */
  public static final List<String> OUT_OF_PLACE = new CopyOnWriteArrayList<>();

  private final MasterObserver observer =
      (MasterObserver)
          Proxy.newProxyInstance(
              MasterProbe.class.getClassLoader(), new Class<?>[] {MasterObserver.class}, this);

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(observer);
  }

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) throws IOException {
    CALLS.add("start");
    if (of.getConfiguration().getBoolean("probe.fails", false)) {
      throw new IOException("the probe fails");
    }
  }

  @Override
  public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) throws IOException {
    CALLS.add("stop");
    Act act = ACTS.get("stop");
    if (act != null) {
      act.run(new Object[] {of});
    }
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> proxy == arguments[0];
        case "hashCode" -> System.identityHashCode(proxy);
        default -> "probe";
      };
    }
    String call =
        method.getName()
            + Arrays.stream(arguments)
                .skip(1)
                .map(
                    value ->
                        value instanceof RegionInfo[] regions
                                && method.getName().equals("postCompletedCreateTableAction")
                            ? show(Arrays.stream(regions).map(MasterProbe::show).sorted().toList())
                            : show(value))
                .collect(Collectors.joining(", ", "(", ")"));
    if (StackWalker.getInstance().walk(frames -> frames.anyMatch(MasterProbe::mustNotWait))) {
      OUT_OF_PLACE.add(call);
    }
    CALLS.add(call);
    if (((ObserverContext<?>) arguments[0]).getCaller().isEmpty()) {
      WITHOUT_CALLER.add(method.getName());
    }
    Act act = ACTS.get(method.getName());
    if (act != null) {
      act.run(arguments);
    }
    try {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static boolean mustNotWait(StackFrame frame) {
    return frame.getClassName().startsWith("io.netty.")
        || frame.getClassName().endsWith(".MasterLoop") && frame.getMethodName().equals("run");
  }

  private static String show(Object value) {
    if (value == null) {
      return "null";
    } else if (value instanceof TableDescriptor table) {
      return table.getTableName()
          + Arrays.stream(table.getColumnFamilies())
              .map(family -> family.getNameAsString())
              .collect(Collectors.joining(" ", "{", "}"));
    } else if (value instanceof RegionInfo region) {
      return region.getTable()
          + "["
          + Bytes.toStringBinary(region.getStartKey())
          + ";"
          + Bytes.toStringBinary(region.getEndKey())
          + "]";
    } else if (value instanceof RegionPlan plan) {
      return "move of " + show(plan.getRegionInfo());
    } else if (value instanceof SnapshotDescription snapshot) {
      return snapshot.getName() + " of " + snapshot.getTableNameAsString();
    } else if (value instanceof NamespaceDescriptor namespace) {
      return namespace.getName() + new TreeMap<>(namespace.getConfiguration());
    } else if (value instanceof BalanceRequest request) {
      return "balance dry=" + request.isDryRun() + " rit=" + request.isIgnoreRegionsInTransition();
    } else if (value instanceof GlobalQuotaSettings quota) {
      return "quota " + quota.getQuotaSettings().size();
    } else if (value instanceof ServerName) {
      return "server";
    } else if (value instanceof ClusterMetrics) {
      return "metrics";
    } else if (value instanceof Configuration) {
      return "settings";
    } else if (value instanceof byte[] bytes) {
      return Bytes.toStringBinary(bytes);
    } else if (value instanceof Object[] many) {
      return show(Arrays.asList(many));
    } else if (value instanceof Collection<?> many) {
      List<String> shown = new ArrayList<>();
      many.forEach(one -> shown.add(show(one)));
      return shown.toString();
    }
    return value.toString();
  }
}
