package dev.cairn.server.process.keys;

import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.coordination.EmbeddedZooKeeper;
import java.util.List;

/** The keys of a ZooKeeper in a process of its own. */
public final class ZooKeeperKeys {
  /** {@code hbase.zookeeper.property.dataDir}. */
  public static final ConfigKey<String> DATA_DIR =
      ConfigKey.text(
          "hbase.zookeeper.property.dataDir",
          "",
          "Data folder of a ZooKeeper that runs as a separate process. Default: zookeeper/"
              + " beside bin/. A standalone server uses the folder zookeeper in hbase.rootdir.");

  private static final int SESSION_TICKS_MIN = 2;
  private static final int SESSION_TICKS_MAX = 90;

  private static final ConfigKey<Long> TICK_MILLIS =
      ConfigKey.number(
          "hbase.zookeeper.property.tickTime",
          2_000,
          10,
          Integer.MAX_VALUE / SESSION_TICKS_MAX,
          "Tick of a ZooKeeper that runs as a separate process, in milliseconds; sessions end"
              + " at multiples of it. A standalone server uses 2000.");

  private static final ConfigKey<Long> SESSION_MIN_MILLIS =
      ConfigKey.number(
          "hbase.zookeeper.property.minSessionTimeout",
          0,
          0,
          Integer.MAX_VALUE,
          "Minimum session timeout of a ZooKeeper in a separate process, in milliseconds; 0"
              + " means 2 ticks. A standalone server uses 4000.");

  private static final ConfigKey<Long> SESSION_MAX_MILLIS =
      ConfigKey.number(
          "hbase.zookeeper.property.maxSessionTimeout",
          0,
          0,
          Integer.MAX_VALUE,
          "Maximum session timeout of a ZooKeeper in a separate process, in milliseconds; 0"
              + " means 90 ticks. A standalone server uses 180000.");

  private ZooKeeperKeys() {}

  /** Returns the service that a ZooKeeper with {@code config} offers its clients. */
  public static EmbeddedZooKeeper.Service service(SiteConfig config) {
    int tick = config.get(TICK_MILLIS).intValue();
    int least = config.get(SESSION_MIN_MILLIS).intValue();
    int most = config.get(SESSION_MAX_MILLIS).intValue();
    return new EmbeddedZooKeeper.Service(
        config.get(ProcessKeys.ZOOKEEPER_CLIENTS).intValue(),
        tick,
        least == 0 ? SESSION_TICKS_MIN * tick : least,
        most == 0 ? SESSION_TICKS_MAX * tick : most,
        true);
  }

  /** Returns all keys of this class. */
  static List<ConfigKey<?>> all() {
    return List.of(DATA_DIR, TICK_MILLIS, SESSION_MIN_MILLIS, SESSION_MAX_MILLIS);
  }
}
