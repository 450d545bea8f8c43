package dev.cairn.server.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Opens a prepared region, and calls the hooks before and after. The coprocessors start before the
 * region is reported as open, as in HBase, so that a region whose coprocessors do not let it open
 * is not taken for an open one. Not thread-safe.
 */
final class HookedPreparation implements PreparedRegion {
  private final RegionInfo info;
  private final TableSchema schema;
  private final PreparedRegion prepared;
  private final RegionHooks hooks;
  private Optional<String> refusal = Optional.empty();

  /** Whether the coprocessors have started, and {@link #begin} has not been called. */
  private boolean started;

  /** Creates a prepared region that calls hooks. */
  HookedPreparation(
      RegionInfo info, TableSchema schema, PreparedRegion prepared, RegionHooks hooks) {
    this.info = info;
    this.schema = schema;
    this.prepared = prepared;
    this.hooks = hooks;
  }

  @Override
  public long openSequence() {
    return prepared.openSequence();
  }

  @Override
  public boolean isHooked() {
    return true;
  }

  @Override
  public void start() throws IOException {
    try {
      hooks.beforeOpening();
      started = true;
    } catch (HookFailedException e) {
      refuse(e);
      prepared.close();
    }
  }

  /**
   * Refuses every call from now on; throws {@code failure} for {@code hbase:meta}. Nothing can be
   * served without that table, and another attempt, or another server, may succeed.
   */
  private void refuse(HookFailedException failure) throws HookFailedException {
    if (info.isMeta()) {
      throw failure;
    }
    refusal = Optional.of(HookModule.unservable(schema, failure.getMessage()));
  }

  @Override
  public Optional<String> refusal() {
    return refusal;
  }

  private HostedRegion refused() {
    return HostedRegion.refused(info, schema, prepared.openSequence(), refusal.orElseThrow());
  }

  @Override
  public HostedRegion begin(Optional<FencingToken> token) throws IOException {
    if (refusal.isPresent()) {
      return refused();
    }
    started = false;
    boolean opened = false;
    Optional<HostedRegion> begun = Optional.empty();
    try {
      begun = Optional.of(prepared.begin(token));
      check(begun.get());
      if (refusal.isPresent()) {
        return refused();
      }
      HostedRegion region = begun.get().under(List.of((info, schema, below) -> hooks.over(below)));
      hooks.opened(region);
      opened = true;
      return region;
    } finally {
      if (!opened) {
        hooks.abandoned();
        if (begun.isPresent()) {
          begun.get().close(true);
        }
      }
    }
  }

  /** Refuses a region with a file that a coprocessor reads itself. */
  private void check(HostedRegion region) throws IOException {
    try {
      hooks.check(region.files());
    } catch (HookFailedException e) {
      refuse(e);
    }
  }

  @Override
  public void close() {
    if (started) {
      started = false;
      hooks.abandoned();
    }
    prepared.close();
  }
}
