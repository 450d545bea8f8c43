package dev.cairn.server.regionserver.replica;

import dev.cairn.engine.region.feed.FeedMemory;
import dev.cairn.engine.schema.TableName;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import java.util.List;

/** The keys of replicas that follow the log of their region. */
public final class FollowKeys {
  /** Whether replicas follow the log. */
  public static final ConfigKey<Boolean> ENABLED =
      ConfigKey.flag(
          "hbase.region.replica.replication.enabled",
          false,
          "Whether the server of a region sends logged changes to the region's replicas. A replica"
              + " then has a change about a tenth of a second after it was acknowledged; otherwise"
              + " it has flushed changes only. Must be the same on all servers. Changes of tables"
              + " with REGION_MEMSTORE_REPLICATION => 'false' are not sent.");

  /** Whether replicas of {@code hbase:meta} follow the log. */
  public static final ConfigKey<Boolean> CATALOG_ENABLED =
      ConfigKey.flag(
          "hbase.region.replica.replication.catalog.enabled",
          false,
          "Like hbase.region.replica.replication.enabled, but only for replicas of hbase:meta. That"
              + " key does not apply to them. Must be the same on all servers.");

  /** The memory of all changes that replicas do not have yet. */
  public static final ConfigKey<Long> BUFFER_BYTES =
      ConfigKey.number(
          "hbase.region.replica.replication.buffersize",
          128L << 20,
          1,
          1L << 40,
          "Maximum memory of the changes that this server keeps until replicas have them, in bytes;"
              + " at most a twentieth of the heap. One region may use a sixteenth of this memory."
              + " Dropped changes reach the replicas with the region's next flush.");

  /** A region's part of {@link #BUFFER_BYTES}. */
  private static final int REGION_PART = 16;

  private static final int HEAP_PART = 20;

  private FollowKeys() {}

  /** Returns all keys of this class. */
  public static List<ConfigKey<?>> keys() {
    return List.of(ENABLED, CATALOG_ENABLED, BUFFER_BYTES);
  }

  /**
   * Returns the memory of a server for changes that replicas of its regions lack.
   *
   * @param heapBytes the maximum heap
   */
  public static Feeds feeds(SiteConfig config, long heapBytes) {
    long bytes = Math.min(config.get(BUFFER_BYTES), heapBytes / HEAP_PART);
    FeedMemory memory = new FeedMemory(Math.max(1, bytes / REGION_PART), bytes);
    return new Feeds(
        config.get(ENABLED) ? memory : FeedMemory.NONE,
        config.get(CATALOG_ENABLED) ? memory : FeedMemory.NONE);
  }

  /**
   * The memory for changes that replicas lack; {@link FeedMemory#NONE} if they do not follow the
   * log.
   *
   * @param regions of all regions except {@code hbase:meta}
   * @param meta of {@code hbase:meta}
   */
  public record Feeds(FeedMemory regions, FeedMemory meta) {
    /** Returns the memory that all regions share. */
    public FeedMemory shared() {
      return regions.hasFeeds() ? regions : meta;
    }

    /** Returns the memory for a table. */
    public FeedMemory of(TableName table) {
      return table.isMeta() ? meta : regions;
    }
  }
}
