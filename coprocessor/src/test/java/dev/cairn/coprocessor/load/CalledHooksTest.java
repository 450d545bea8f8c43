package dev.cairn.coprocessor.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.coprocessor.RegionServerObserver;
import org.apache.hadoop.hbase.coprocessor.WALObserver;
import org.junit.jupiter.api.Test;

/** Checks that each hook of HBase's interfaces is called, or belongs to an event that is absent. */
class CalledHooksTest {
  @Test
  void noHookOfRegionsServersAndLogsIsForgotten() {
    for (Class<?> kind :
        List.of(
            RegionObserver.class,
            EndpointObserver.class,
            BulkLoadObserver.class,
            RegionServerObserver.class,
            WALObserver.class)) {
      Class<?> overridesAll =
          Proxy.newProxyInstance(kind.getClassLoader(), new Class<?>[] {kind}, (p, m, a) -> null)
              .getClass();
      HookSet all = HookSet.of(overridesAll);
      assertThat(all.hooks()).isNotEmpty();
      assertThat(CalledHooks.uncalled(all, Set.of(kind))).as(kind.getSimpleName()).isEmpty();
    }
  }
}
