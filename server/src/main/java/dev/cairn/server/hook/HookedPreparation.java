package dev.cairn.server.hook;

import dev.cairn.engine.schema.RegionInfo;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FencingToken;
import dev.cairn.server.regionserver.hosted.HostedRegion;
import dev.cairn.server.regionserver.hosted.PreparedRegion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Opens a prepared region, and calls the hooks before and after.
 *
 * @param isMeta whether it is of hbase:meta, which does not open if a coprocessor fails
 * @param refused returns a region that refuses every call, with the reason for a coprocessor's
 *     failure
 */
record HookedPreparation(
    PreparedRegion prepared,
    RegionHooks hooks,
    boolean isMeta,
    Function<String, HostedRegion> refused)
    implements PreparedRegion {
  /** Returns a prepared region that calls hooks. */
  static PreparedRegion of(
      RegionInfo info, TableSchema schema, PreparedRegion prepared, RegionHooks hooks) {
    return new HookedPreparation(
        prepared,
        hooks,
        info.isMeta(),
        reason ->
            HostedRegion.refused(
                info, schema, prepared.openSequence(), HookModule.unservable(schema, reason)));
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
  public HostedRegion begin(Optional<FencingToken> token) throws IOException {
    try {
      hooks.beforeOpening();
    } catch (HookFailedException e) {
      if (isMeta) {
        throw e; // Nothing can be served without it: another attempt, or another server, may do.
      }
      HostedRegion region = refused.apply(e.getMessage());
      prepared.close();
      return region;
    }
    boolean opened = false;
    Optional<HostedRegion> begun = Optional.empty();
    try {
      begun = Optional.of(prepared.begin(token));
      Optional<HostedRegion> failed = failed(begun.get());
      if (failed.isPresent()) {
        return failed.get();
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

  /** Returns a region in place of one with a file that a coprocessor reads itself. */
  private Optional<HostedRegion> failed(HostedRegion region) throws IOException {
    try {
      hooks.check(region.files());
      return Optional.empty();
    } catch (HookFailedException e) {
      if (isMeta) {
        throw e;
      }
      return Optional.of(refused.apply(e.getMessage()));
    }
  }

  @Override
  public void close() {
    prepared.close();
  }
}
