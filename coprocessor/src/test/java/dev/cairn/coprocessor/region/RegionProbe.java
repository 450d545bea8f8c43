package dev.cairn.coprocessor.region;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Store;

/**
 * A coprocessor of regions that overrides all hooks: records each call with its arguments, and then
 * does what a class without the hook does. Uses nothing of Cairn, so that it also runs in HBase.
 */
public class RegionProbe implements RegionCoprocessor, InvocationHandler {
  /**
   * The call of a hook.
   *
   * @param table the name of the table
   * @param region the keys of the region, empty for a region without keys
   * @param family the family of the hook's store or file, or empty
   * @param text the hook with its arguments
   */
  record Call(String table, String region, String family, String text) {
    /** Returns the name of the hook. */
    String hook() {
      return text.contains("(") ? text.substring(0, text.indexOf('(')) : text;
    }
  }

  /** The calls so far. */
  static final List<Call> CALLS = new CopyOnWriteArrayList<>();

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(observer(RegionObserver.class));
  }

  @Override
  public Optional<BulkLoadObserver> getBulkLoadObserver() {
    return Optional.of(observer(BulkLoadObserver.class));
  }

  @Override
  public Optional<EndpointObserver> getEndpointObserver() {
    return Optional.of(observer(EndpointObserver.class));
  }

  private <T> T observer(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(RegionProbe.class.getClassLoader(), new Class<?>[] {type}, this));
  }

  @Override
  public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
    record((RegionCoprocessorEnvironment) of, "", "start");
  }

  @Override
  public void stop(@SuppressWarnings("rawtypes") CoprocessorEnvironment of) {
    record((RegionCoprocessorEnvironment) of, "", "stop");
  }

  private static void record(RegionCoprocessorEnvironment of, String family, String text) {
    RegionInfo info = of.getRegionInfo();
    boolean whole = info.getStartKey().length == 0 && info.getEndKey().length == 0;
    CALLS.add(
        new Call(info.getTable().getNameAsString(), whole ? "" : Shown.of(info), family, text));
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
    boolean ofFamily =
        arguments.length > 1
            && (arguments[1] instanceof Store || method.getName().endsWith("CommitStoreFile"));
    String family = ofFamily ? Shown.of(arguments[1]) : "";
    String text =
        method.getName()
            + Arrays.stream(arguments)
                .skip(1)
                .map(Shown::of)
                .collect(Collectors.joining(", ", "(", ")"));
    ObserverContext<?> context = (ObserverContext<?>) arguments[0];
    record((RegionCoprocessorEnvironment) context.getEnvironment(), family, text);
    try {
      return InvocationHandler.invokeDefault(proxy, method, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
