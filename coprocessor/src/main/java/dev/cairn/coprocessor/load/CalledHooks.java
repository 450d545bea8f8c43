package dev.cairn.coprocessor.load;

import dev.cairn.coprocessor.load.HookSet.Hook;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.coprocessor.BulkLoadObserver;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.coprocessor.RegionServerObserver;
import org.apache.hadoop.hbase.coprocessor.WALObserver;

/**
 * Lists the hooks that this module calls, and the hooks of events that never occur in Cairn. A test
 * checks that HBase 2.6.4 has no other hooks. A class that overrides a hook of a later HBase is
 * refused, because it would not work without the call. A hook is listed by its name; all its
 * overloads are called.
 */
final class CalledHooks {
  private static final Set<String> OF_REGIONS =
      Stream.of(
              Set.of("preOpen", "postOpen", "preClose", "postClose"),
              HookGroups.READS,
              HookGroups.WRITES,
              HookGroups.FILES,
              HookGroups.REPLAYS)
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private static final Map<Class<?>, Set<String>> CALLED =
      Map.of(
          RegionObserver.class,
          OF_REGIONS,
          EndpointObserver.class,
          HookGroups.ENDPOINTS,
          BulkLoadObserver.class,
          Set.of("prePrepareBulkLoad", "preCleanupBulkLoad"),
          RegionServerObserver.class,
          HookGroups.SERVER,
          WALObserver.class,
          HookGroups.LOG,
          MasterObserver.class,
          MasterHookNames.CALLED);

  /** Cairn does not compact cells in memory, and refuses replication and rights. */
  private static final Map<Class<?>, Set<String>> NEVER =
      Map.of(
          RegionObserver.class,
          Set.of(
              "preMemStoreCompaction",
              "preMemStoreCompactionCompactScannerOpen",
              "preMemStoreCompactionCompact",
              "postMemStoreCompaction"),
          RegionServerObserver.class,
          Set.of(
              "postCreateReplicationEndPoint",
              "preReplicateLogEntries",
              "postReplicateLogEntries",
              "preReplicationSinkBatchMutate",
              "postReplicationSinkBatchMutate"),
          MasterObserver.class,
          MasterHookNames.NEVER);

  private CalledHooks() {}

  /**
   * Returns a hook of the set whose event occurs but that is not called; empty if there is none.
   *
   * @param kinds the interfaces that count; hooks of others belong to other parts of the server
   */
  static Optional<Hook> uncalled(HookSet set, Set<Class<?>> kinds) {
    return set.hooks().stream()
        .filter(hook -> kinds.contains(hook.kind()) && !isHarmless(hook))
        .findFirst();
  }

  private static boolean isHarmless(Hook hook) {
    return CALLED.get(hook.kind()).contains(hook.name())
        || NEVER.getOrDefault(hook.kind(), Set.of()).contains(hook.name());
  }
}
