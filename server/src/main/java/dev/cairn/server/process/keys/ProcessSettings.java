package dev.cairn.server.process.keys;

import dev.cairn.engine.tracking.StoreFileTracking;
import dev.cairn.server.catalog.SchemaReview;
import dev.cairn.server.config.ClockKeys;
import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.FolderKeys;
import dev.cairn.server.config.HostKeys;
import dev.cairn.server.config.SecurityRules;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteReview;
import dev.cairn.server.filter.FilterKeys;
import dev.cairn.server.hadoop.HdfsLogSettings;
import dev.cairn.server.hook.HookKeys;
import dev.cairn.server.loadsplit.LoadSplitSettings;
import dev.cairn.server.master.balancer.BalancerSettings;
import dev.cairn.server.master.chore.CatalogJanitor;
import dev.cairn.server.master.chore.MobCompactions;
import dev.cairn.server.master.cleaner.HFileCleaner;
import dev.cairn.server.master.cleaner.LogCleaner;
import dev.cairn.server.master.cleaner.MobCleaner;
import dev.cairn.server.master.group.GroupSettings;
import dev.cairn.server.master.members.MemberSettings;
import dev.cairn.server.master.normalizer.NormalizerSettings;
import dev.cairn.server.master.procedure.ClientLocks;
import dev.cairn.server.master.table.MetaReplicas;
import dev.cairn.server.master.table.SchemaRules;
import dev.cairn.server.metrics.MetricKeys;
import dev.cairn.server.page.PageKeys;
import dev.cairn.server.process.health.DiskHealth;
import dev.cairn.server.quota.QuotaKeys;
import dev.cairn.server.regionserver.client.CallLimits;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.regionserver.replica.FollowKeys;
import dev.cairn.server.regionserver.replica.ReplicaRefresh;
import dev.cairn.server.rpc.RpcKeys;
import dev.cairn.server.slowlog.SlowLogKeys;
import dev.cairn.server.snapshot.SnapshotSettings;
import dev.cairn.server.split.SplitSettings;
import dev.cairn.server.tracing.TracingSettings;
import dev.cairn.server.traffic.TrafficKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Lists the keys of a process, and checks its settings. */
public final class ProcessSettings {
  /** The key of {@link #diskRoomMin}. */
  public static final String DISK_ROOM_KEY = DiskHealth.ROOM_MIN.name();

  private ProcessSettings() {}

  /** Returns every key that a process knows. */
  public static List<ConfigKey<?>> keys() {
    List<ConfigKey<?>> keys = new ArrayList<>(ProcessKeys.all());
    keys.addAll(FolderKeys.all());
    keys.addAll(BindAddresses.keys());
    keys.addAll(ZooKeeperKeys.all());
    keys.addAll(HostKeys.all());
    keys.add(SecurityRules.IGNORE_UNSUPPORTED);
    keys.addAll(QuotaKeys.all());
    keys.addAll(SplitSettings.keys());
    keys.addAll(RpcKeys.all());
    keys.addAll(SlowLogKeys.all());
    keys.addAll(TracingSettings.keys());
    keys.addAll(MetricKeys.all());
    keys.addAll(CallLimits.all());
    keys.addAll(MaintenanceSettings.all());
    keys.addAll(ReplicaRefresh.keys());
    keys.addAll(FollowKeys.keys());
    keys.addAll(LoadSplitSettings.keys());
    keys.addAll(TrafficKeys.all());
    keys.addAll(PageKeys.all());
    keys.addAll(EngineKeys.all());
    keys.addAll(ThreadKeys.all());
    keys.addAll(StoreKeys.all());
    keys.addAll(PaceKeys.all());
    keys.addAll(WalKeys.all());
    keys.addAll(HdfsLogSettings.keys());
    keys.addAll(FileKeys.all());
    keys.addAll(MobKeys.all());
    keys.addAll(FilterKeys.all());
    keys.addAll(HookKeys.all());
    keys.addAll(LogCleaner.keys());
    keys.addAll(HFileCleaner.keys());
    keys.addAll(MobCleaner.keys());
    keys.add(MobCompactions.PERIOD_SECONDS);
    keys.add(CatalogJanitor.INTERVAL_MILLIS);
    keys.addAll(NormalizerSettings.keys());
    keys.addAll(GroupSettings.keys());
    keys.addAll(BalancerSettings.keys());
    keys.addAll(SnapshotSettings.keys());
    keys.add(ClientLocks.TIMEOUT_MILLIS);
    keys.addAll(MemberSettings.keys());
    keys.addAll(ClockKeys.all());
    keys.add(DiskHealth.ROOM_MIN);
    keys.add(SchemaRules.SANITY_CHECKS);
    keys.add(MetaReplicas.COUNT);
    return keys;
  }

  /** Tells whether a process with {@code config} uses a ZooKeeper outside of it. */
  public static boolean usesOtherZooKeeper(SiteConfig config) {
    return config.get(ProcessKeys.DISTRIBUTED);
  }

  /** Returns the port of a master's web page. */
  public static int masterInfoPort(SiteConfig config) {
    return config.get(ProcessKeys.INFO_PORT);
  }

  /** Returns the free bytes below which the disk of the data folder is considered almost full. */
  public static long diskRoomMin(SiteConfig config) {
    return config.get(DiskHealth.ROOM_MIN);
  }

  /** Returns the store file tracker of families whose descriptors name none. */
  public static StoreFileTracking.Kind fileTracker(SiteConfig config) {
    return config.get(EngineKeys.FILE_TRACKER);
  }

  /**
   * Checks the settings of a site.
   *
   * @return a warning for each setting that does not work as users expect
   * @throws ConfigException if a setting is invalid, or unsupported and must not be ignored
   */
  public static List<String> review(SiteConfig config) {
    List<ConfigKey<?>> keys = keys();
    config.check(keys);
    JointRules.check(config);
    StoreKeys.settings(config);
    SplitSettings.of(config, config.get(MaintenanceSettings.REGION_FLUSH_BYTES));
    List<String> warnings = new ArrayList<>(new SiteReview(keys).review(config));
    GroupSettings.warning(config).ifPresent(warnings::add);
    return warnings;
  }

  /** Returns a review that finds attributes without effect. */
  public static SchemaReview schemaReview() {
    return new SchemaReview(keys().stream().map(ConfigKey::name).collect(Collectors.toSet()));
  }
}
