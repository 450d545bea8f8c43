package dev.cairn.coprocessor.facade;

import dev.cairn.engine.scan.RegionRead;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.MemoryStorage;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.filter.EvaluationGuard;
import dev.cairn.server.filter.FilterParser;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;

/** Facades without a server. */
public final class Facades {
  private Facades() {}

  /** Returns the facade of a region that is not open. */
  public static RegionFacade region(RegionInfo info, TableSchema schema) throws IOException {
    return region(info, schema, () -> new Configuration(false));
  }

  static RegionFacade region(
      RegionInfo info, TableSchema schema, Supplier<Configuration> ofFileSystems)
      throws IOException {
    return RegionFacade.of(
        info,
        schema,
        new FilterParser(Facades.class.getClassLoader(), new EvaluationGuard(Clock.SYSTEM)),
        new Configuration(false),
        new StoragePaths(new MemoryStorage(Clock.SYSTEM), "data", ofFileSystems),
        Clock.SYSTEM);
  }

  /** Returns a read that adds the names of its calls to {@code calls}. */
  public static RegionRead read(List<String> calls) {
    return (RegionRead)
        Proxy.newProxyInstance(
            Facades.class.getClassLoader(),
            new Class<?>[] {RegionRead.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              return null;
            });
  }
}
