package dev.cairn.coprocessor.load;

import dev.cairn.coprocessor.load.HookSet.Hook;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/**
 * The hooks that this module calls, and those whose occasion never arises in Cairn. A class that
 * overrides any other is refused: without the call, it would not do what its author means. A hook
 * stands here by its name; all forms of it are called.
 */
final class CalledHooks {
  private static final Set<String> OF_REGIONS =
      Stream.concat(
              Stream.of("preOpen", "postOpen", "preClose", "postClose"), HookGroups.WRITES.stream())
          .collect(Collectors.toUnmodifiableSet());

  private static final Map<Class<?>, Set<String>> CALLED =
      Map.of(
          RegionObserver.class, OF_REGIONS,
          EndpointObserver.class, Set.of("preEndpointInvocation", "postEndpointInvocation"),
          BulkLoadObserver.class, Set.of());

  /** Cairn does not compact cells in memory. */
  private static final Set<String> NEVER =
      Set.of(
          "preMemStoreCompaction",
          "preMemStoreCompactionCompactScannerOpen",
          "preMemStoreCompactionCompact",
          "postMemStoreCompaction");

  private CalledHooks() {}

  /**
   * Returns a hook of the set that is neither called nor without occasion; empty if there is none.
   */
  static Optional<Hook> uncalled(HookSet set) {
    return set.hooks().stream().filter(hook -> !isHarmless(hook)).findFirst();
  }

  private static boolean isHarmless(Hook hook) {
    return CALLED.get(hook.kind()).contains(hook.name())
        || hook.kind() == RegionObserver.class && NEVER.contains(hook.name());
  }
}
