package dev.cairn.server.process;

import dev.cairn.engine.hfile.format.UnsupportedFileException;
import dev.cairn.engine.region.HotBlocks;
import dev.cairn.engine.region.RecoveredNonces;
import dev.cairn.engine.region.RegionContext;
import dev.cairn.engine.region.RegionOpening;
import dev.cairn.engine.region.RegionWarmUp;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.DamagedFileException;
import dev.cairn.engine.storage.Storage;
import dev.cairn.engine.store.RegionDirectory;
import dev.cairn.engine.wal.HookedWal;
import dev.cairn.engine.wal.Wal;
import dev.cairn.engine.wal.split.RecoveredEdits;
import dev.cairn.server.catalog.TableSupport;
import dev.cairn.server.hook.HookModule;
import dev.cairn.server.hook.LogHooks;
import dev.cairn.server.hook.RegionHooks;
import dev.cairn.server.hook.RegionHost;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import dev.cairn.server.regionserver.hosted.RegionFactory;
import dev.cairn.server.regionserver.logs.ServerLogs;
import dev.cairn.server.regionserver.replica.FollowKeys;
import dev.cairn.server.split.SplitPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens regions of the engine; for a region that this server cannot serve it opens one in which
 * every call is refused with the reason.
 *
 * @param context the engine's settings and services for regions
 * @param logs the logs that they write
 * @param support which tables can be served
 * @param hooks runs the coprocessors of regions
 * @param hookHost this server, for them
 * @param logHooks sees what regions log
 * @param ordersByWrite whether families that do not say it themselves order by write
 * @param warmUps limits the reading of regions that come here soon
 */
record EngineRegions(
    RegionContext context,
    ServerLogs logs,
    FollowKeys.Feeds feeds,
    TableSupport support,
    HookModule hooks,
    RegionHost hookHost,
    Optional<LogHooks> logHooks,
    boolean ordersByWrite,
    WarmUpLimits warmUps)
    implements RegionFactory {
  private static final Logger LOG = LoggerFactory.getLogger(EngineRegions.class);

  @Override
  public PreparedRegion prepare(RegionInfo info, TableSchema schema, RecoveredNonces nonces)
      throws IOException {
    Optional<String> reason = support.refusal(schema);
    if (reason.isPresent()) {
      return refused(info, schema, reason.get());
    }
    checkDirectory(info, schema);
    try {
      Optional<RegionHooks> hooked = hooks.region(info, schema, hookHost);
      RegionContext plain = context.writing(log(info, schema)).feeding(feeds.of(info.table()));
      RegionContext own =
          hooked
              .map(some -> some.over(plain.within(plain.room().ofHooked(info.table()))))
              .orElse(plain);
      // Before the files are opened, because it runs code of users, which may fail in any way.
      Optional<SplitPolicy> policy = hooks.splitPolicy(info, schema);
      PreparedRegion read =
          PreparedRegion.of(info, RegionOpening.read(info, effective(schema), own, nonces));
      PreparedRegion prepared = policy.map(some -> splitBy(some, read)).orElse(read);
      return hooked.map(some -> HookModule.over(info, schema, prepared, some)).orElse(prepared);
    } catch (UnsupportedFileException e) {
      return refused(info, schema, e.getMessage());
    }
  }

  private Wal log(RegionInfo info, TableSchema schema) throws IOException {
    Wal log = logs.logOf(info);
    return logHooks
        .flatMap(some -> some.of(info, schema, log))
        .<Wal>map(hook -> new HookedWal(log, hook))
        .orElse(log);
  }

  private static PreparedRegion splitBy(SplitPolicy policy, PreparedRegion prepared) {
    return prepared.hostedBy(
        region -> region.under(List.of((info, schema, below) -> below.splitBy(policy))));
  }

  @Override
  public WarmRegion warmUp(RegionInfo info, TableSchema schema, HotBlocks hot, Duration timeout)
      throws IOException {
    if (support.refusal(schema).isPresent()) {
      return () -> {};
    }
    long begun = context.stores().clock().nanoTime();
    RegionWarmUp warm =
        RegionWarmUp.run(info, effective(schema), context, hot, warmUps.pace(context, timeout));
    LOG.info(
        "Opened {} files of {} ahead and read {} of {} hot blocks in {} ms",
        warm.files(),
        info,
        warm.blocks(),
        hot.count(),
        TimeUnit.NANOSECONDS.toMillis(context.stores().clock().nanoTime() - begun));
    return warm::close;
  }

  /**
   * Checks that the region's directory exists and is not empty. The master creates it with content,
   * so a missing or empty directory means lost data, and an empty region would return wrong
   * results. The directory of a single family may be missing: HBase, when killed, may leave a new
   * family without one.
   */
  private void checkDirectory(RegionInfo info, TableSchema schema) throws IOException {
    Storage storage = context.stores().storage();
    RegionDirectory directory = RegionDirectory.of(context.dataDirectory(), info.replica(0));
    boolean known = storage.exists(directory.regionInfo());
    for (FamilySchema family : schema.families()) {
      known = known || storage.exists(directory.family(family.nameAsString()));
    }
    if (!known) {
      throw DamagedFileException.missing(
          directory.path(), "expected the folder of a region with its column families");
    }
  }

  /** Returns the descriptor with which a table is served: its own, with this server's defaults. */
  private TableSchema effective(TableSchema schema) {
    boolean ofSystem = schema.name().namespace().equals(TableName.SYSTEM_NAMESPACE);
    return ordersByWrite && !ofSystem
        ? schema.withFamilyDefault(FamilySchema.NEW_VERSION_BEHAVIOR, "true")
        : schema;
  }

  private PreparedRegion refused(RegionInfo info, TableSchema schema, String reason)
      throws IOException {
    String message = HookModule.unservable(schema, reason);
    LOG.error("{} ({} stays on disk as it is)", message, info);
    String directory = RegionDirectory.of(context.dataDirectory(), info.replica(0)).path();
    long flushed = new RecoveredEdits(context.stores().storage(), directory).flushedSequence();
    return PreparedRegion.ready(
        HostedRegion.refused(info, schema, Math.max(1, flushed + 1), message));
  }
}
