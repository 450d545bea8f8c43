package dev.cairn.server.process.keys;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.master.cleaner.HFileCleaner;
import dev.cairn.server.master.group.GroupSettings;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.replica.ReplicaRefresh;
import java.util.List;

/** Checks values that are valid alone, but not in combination. */
final class JointRules {
  /** As in HBase: the rest of the heap is for calls and everything else. */
  private static final double HEAP_SHARES_MAX = 0.8;

  private static final double ROUNDING = 1e-9;

  private static final List<ConfigKey<Integer>> PORTS =
      List.of(
          ProcessKeys.MASTER_PORT,
          ProcessKeys.REGION_SERVER_PORT,
          ProcessKeys.INFO_PORT,
          ProcessKeys.REGION_SERVER_INFO_PORT,
          ProcessKeys.ZOOKEEPER_PORT);

  private JointRules() {}

  /**
   * Checks all rules.
   *
   * @throws ConfigException naming the keys, their values and the rule
   */
  static void check(SiteConfig config) {
    checkHeap(config);
    checkRefresh(config);
    GroupSettings.check(config, ProcessKeys.hasGroups(config));
    if (!ProcessSettings.usesOtherZooKeeper(config)) {
      checkPorts(config); // a site of several machines may use a port on each of them
    }
  }

  private static void checkHeap(SiteConfig config) {
    double memStores = config.get(MaintenanceSettings.GLOBAL_MEMSTORE_SHARE);
    double cache = config.get(EngineKeys.CACHE_SHARE);
    if (memStores + cache > HEAP_SHARES_MAX + ROUNDING) {
      throw new ConfigException(
          MaintenanceSettings.GLOBAL_MEMSTORE_SHARE.name()
              + " ("
              + memStores
              + ") and "
              + EngineKeys.CACHE_SHARE.name()
              + " ("
              + cache
              + ") must together be at most "
              + HEAP_SHARES_MAX
              + " of the heap, because calls need the rest");
    }
  }

  private static void checkRefresh(SiteConfig config) {
    checkRefresh(config, ReplicaRefresh.PERIOD_MILLIS);
    checkRefresh(config, ReplicaRefresh.META_PERIOD_MILLIS);
  }

  private static void checkRefresh(SiteConfig config, ConfigKey<Long> key) {
    long period = config.get(key);
    long kept = config.get(HFileCleaner.KEEP_MILLIS);
    if (period > kept / 2) {
      throw new ConfigException(
          key.name()
              + " ("
              + period
              + ") must be at most half of "
              + HFileCleaner.KEEP_MILLIS.name()
              + " ("
              + kept
              + "), because replicas read archived files until they look for new ones");
    }
  }

  private static void checkPorts(SiteConfig config) {
    for (int i = 0; i < PORTS.size(); i++) {
      int port = config.get(PORTS.get(i));
      for (int j = 0; j < i; j++) {
        if (port > 0 && port == config.get(PORTS.get(j))) {
          throw new ConfigException(
              PORTS.get(j).name()
                  + " and "
                  + PORTS.get(i).name()
                  + " must be different ports, but both are "
                  + port);
        }
      }
    }
  }
}
